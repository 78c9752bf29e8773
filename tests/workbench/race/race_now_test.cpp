// What a race that runs is doing, and what a race holds, in words.
#include "app/workbench/race/race_now.h"

#include <gtest/gtest.h>

#include "app/race/files/race_file.h"
#include "app/workbench/race/race_summary.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"

namespace tilereel::race_now_test {
namespace {

// "verify 09_tiled" or "time 09_tiled"; "time" while the contenders warm up in turn.
std::string words_of(const Race& race, const RaceNow& now) {
    const std::string& kernel = race.request.contenders[now.contender].kernel;
    if (now.doing == RaceNow::Doing::kChecks) return "verify " + kernel;
    return now.doing == RaceNow::Doing::kWarmsUp ? "time" : "time " + kernel;
}

// Races with contenders that are slow, wrong, failing or left out: what now_of() says before each
// call of the runner is what the runner is asked to do.
TEST(RaceNow, SaysWhatTheRunnerIsAskedToDo) {
    Race race;
    race.request.contenders = {{"cublas"},
                               {"09_tiled", 32, 0},
                               {"02_naive", 16, 0},
                               {"01_naive_by_column", 16, 0},
                               {"08_tiled_b_transposed", 16, 0},
                               {"10_tiled_any_size", 16, 0}};
    race.request.sizes = {{64, 64, 64}, {80, 80, 80}, {96, 96, 96}};  // 32 does not divide 80
    race.request.repeats = 5;
    race.request.enough_ms = 100;
    FakeRunner runner;
    runner.launch_ms_of["02_naive"] = 40;  // three samples are enough
    runner.verified_as["01_naive_by_column"] = {.outcome = Outcome::kWrong, .sentence = "wrong"};
    runner.time_fails.emplace("10_tiled_any_size", failed("no launch"));
    runner.too_large = {{96, 96, 96}};
    int compared = 0;
    runner.at_call = [&](const std::string& call) {
        const auto now = now_of(race);
        if (call.starts_with("prepare")) return;
        ASSERT_TRUE(now.has_value()) << call;
        const std::string words = words_of(race, *now);
        EXPECT_TRUE(call == words || call.starts_with(words + " ")) << call << " / " << words;
        if (now->doing == RaceNow::Doing::kSamples) {
            EXPECT_EQ(now->repeat, static_cast<std::uint32_t>(std::ranges::count_if(
                                       race.samples, [&](const Sample& sample) {
                                           return sample.contender == now->contender &&
                                                  sample.size == now->size;
                                       })));
        }
        ++compared;
    };
    const std::atomic<bool> cancel = false;
    ASSERT_TRUE(run_race(
        race.request, runner, [&](const RaceEvent& event) { add(race, event); }, cancel));
    EXPECT_GT(compared, 30);
    EXPECT_FALSE(now_of(race).has_value()) << "the race is over";
}

TEST(RaceNow, ARaceWithoutAnEventChecksItsFirstContender) {
    Race race = hardware_race();
    race.verified.clear();
    race.samples.clear();
    const auto now = now_of(race);
    ASSERT_TRUE(now.has_value());
    EXPECT_EQ(now->doing, RaceNow::Doing::kChecks);
    EXPECT_EQ(now->contender, 0u);
    EXPECT_FALSE(now_of(Race{}).has_value());
}

TEST(RaceSummary, SaysDeviceDateContendersSizesAndCaches) {
    Race race = hardware_race();
    EXPECT_EQ(
        race_summary(race),
        "NVIDIA H100 80GB HBM3, 2026-11-21. 7 contenders of 5 kernels; N = 256 to 8,192; cold "
        "caches.");
    race.request.contenders = {{"09_tiled", 32, 0}, {"cublas"}};
    race.request.sizes = {{8000, 8000, 8000}, {1000, 3000, 700}};
    race.request.caches = Caches::kWarm;
    race.complete = false;
    EXPECT_EQ(
        race_summary(race),
        "NVIDIA H100 80GB HBM3, 2026-11-21. 09 tiled TILE 32, cuBLAS FP32; N = 8,000; 1 other "
        "shape; warm caches; cut off.");
    race.request.sizes = {{1000, 3000, 700}};
    EXPECT_NE(race_summary(race).find("; M N K = 1,000 3,000 700;"), std::string::npos);
}

}  // namespace
}  // namespace tilereel::race_now_test
