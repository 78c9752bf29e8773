// The CSV file of a race, and the comparison of two races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "app/race/files/race_comparison.h"
#include "app/race/files/race_csv.h"
#include "tests/race/sample_race.h"

namespace tilereel::race_tables_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        EXPECT_TRUE(line.ends_with('\r'));
        lines.push_back(line.substr(0, line.size() - 1));
    }
    return lines;
}

TEST(RaceCsv, HasARowForEachSampleAndEachUntimedContender) {
    const auto lines = lines_of(race_csv(sample_race()));
    ASSERT_EQ(lines.size(), 1u + 3u + 3u);
    EXPECT_THAT(lines[0], StartsWith("kernel,tile,pad,m,n,k,repeat,launches,milliseconds,gflops,"));
    EXPECT_EQ(lines[1],
              "09_tiled,32,0,1024,1024,1024,0,10,0.25,8589.934592,,,,verified,12.5,"
              "\"every element, with float64\",,NVIDIA H100 80GB HBM3,2026-02-03T04:05:06Z");
    EXPECT_THAT(lines[2], StartsWith("cublas,,,1024,1024,1024,0,10,0.07,"));
    EXPECT_THAT(lines[3], HasSubstr(",1980,41,311.5,verified,"));
    EXPECT_EQ(lines[4],
              "08_tiled_b_transposed,32,1,1024,1024,1024,,,,,,,,wrong,1e+09,,"
              "\"C[3][4] is 7, not \"\"8\"\"\",NVIDIA H100 80GB HBM3,2026-02-03T04:05:06Z");
    EXPECT_THAT(lines[6], StartsWith("cublas,,,1000,3000,700,,,,,,,,failed,0,,not enough memory,"));
}

// A race in which only this contender has samples, at this size and with these GFLOPS.
Race race_of(const Contender& contender, const ProductSize& size, std::vector<double> speeds) {
    Race race;
    race.request.contenders = {{"02_naive", 16, 0}, contender};
    race.request.sizes = {{7, 7, 7}, size};
    for (const double speed : speeds)
        race.samples.push_back({.contender = 1, .size = 1, .rate = speed});
    return race;
}

TEST(RaceComparison, IsTheRatioOfMediansForTheSameContenderAndSize) {
    const Contender tiled{"09_tiled", 32, 0};
    const Race before = race_of(tiled, {64, 64, 64}, {90, 100, 110});
    const Race after = race_of(tiled, {64, 64, 64}, {140, 150, 1000});
    const auto rows = compare_races(before, after);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].contender, tiled);
    EXPECT_EQ(rows[0].before_gflops, 100);
    EXPECT_EQ(rows[0].after_gflops, 150);
    EXPECT_DOUBLE_EQ(rows[0].ratio, 1.5);
    EXPECT_TRUE(rows[0].ranges_are_apart);
    EXPECT_FALSE(
        compare_races(before, race_of(tiled, {64, 64, 64}, {95, 104, 120}))[0].ranges_are_apart);
    EXPECT_TRUE(compare_races(after, before)[0].ranges_are_apart);
}

TEST(RaceComparison, SkipsContendersThatOnlyOneRaceHas) {
    const Race before = race_of({"09_tiled", 32, 0}, {64, 64, 64}, {100});
    EXPECT_TRUE(compare_races(before, race_of({"09_tiled", 32, 1}, {64, 64, 64}, {1})).empty());
    EXPECT_TRUE(compare_races(before, race_of({"09_tiled", 32, 0}, {64, 64, 65}, {1})).empty());
    EXPECT_TRUE(compare_races(before, race_of({"09_tiled", 32, 0}, {64, 64, 64}, {})).empty());
}

TEST(RaceComparison, MatchesContendersInAnyOrder) {
    const Race before = race_of({"09_tiled", 32, 0}, {64, 64, 64}, {100});
    Race after = race_of({"02_naive", 16, 0}, {7, 7, 7}, {});
    after.request.contenders = {{"09_tiled", 32, 0}};
    after.request.sizes = {{64, 64, 64}};
    after.samples = {{.contender = 0, .size = 0, .rate = 50}};
    const auto rows = compare_races(before, after);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_DOUBLE_EQ(rows[0].ratio, 0.5);
}

TEST(RaceComparison, ListsTheDifferentConditions) {
    Race before = sample_race(), after = sample_race();
    EXPECT_EQ(difference_of_conditions(before, after), "");
    after.machine.device = "another";
    after.request.caches = Caches::kCold;
    EXPECT_EQ(difference_of_conditions(before, after),
              "the device was NVIDIA H100 80GB HBM3 and is another; the cache was warm and is "
              "cold");
}

}  // namespace
}  // namespace tilereel::race_tables_test
