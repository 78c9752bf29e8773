#include "app/race/race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/race/fake_runner.h"

namespace tilereel::race_test {
namespace {

const std::atomic<bool> kNotCancelled = false;

TEST(Statistics, OfNoValuesAreZero) {
    const Statistics none = statistics_of({});
    EXPECT_EQ(none.count, 0u);
    EXPECT_EQ(none.median, 0);
    EXPECT_EQ(none.most, 0);
}

TEST(Statistics, OfOneValueAreThatValue) {
    const Statistics one = statistics_of({7});
    EXPECT_EQ(one.median, 7);
    EXPECT_EQ(one.first_quartile, 7);
    EXPECT_EQ(one.third_quartile, 7);
    EXPECT_EQ(one.least, 7);
    EXPECT_EQ(one.most, 7);
    EXPECT_EQ(one.count, 1u);
}

// By hand: 1 3 4 8 has its quartiles at places 0.75, 1.5 and 2.25 of 0..3.
TEST(Statistics, InterpolateBetweenTheNearestOfUnsortedValues) {
    const Statistics four = statistics_of({8, 1, 4, 3});
    EXPECT_DOUBLE_EQ(four.first_quartile, 2.5);
    EXPECT_DOUBLE_EQ(four.median, 3.5);
    EXPECT_DOUBLE_EQ(four.third_quartile, 5);
    EXPECT_EQ(four.least, 1);
    EXPECT_EQ(four.most, 8);
    const Statistics five = statistics_of({50, 10, 40, 20, 30});  // places 1, 2 and 3 of 0..4
    EXPECT_EQ(five.first_quartile, 20);
    EXPECT_EQ(five.median, 30);
    EXPECT_EQ(five.third_quartile, 40);
}

TEST(Race, GroupsSamplesByContenderAndSize) {
    Race race;
    const auto sample = [](std::uint32_t contender, std::uint32_t size, double gflops) {
        return Sample{.contender = contender, .size = size, .rate = gflops};
    };
    for (const RaceEvent event :
         {sample(0, 0, 10), sample(1, 0, 99), sample(0, 1, 98), sample(0, 0, 30), sample(0, 0, 20)})
        add(race, event);
    const auto statistics = rates_of(race, 0, 0);
    ASSERT_TRUE(statistics);
    EXPECT_EQ(statistics->count, 3u);
    EXPECT_EQ(statistics->median, 20);
    EXPECT_FALSE(rates_of(race, 1, 1));
}

TEST(Race, ALaterOutcomeReplacesTheFormer) {
    Race race;
    const auto verified = [](std::uint32_t contender, std::uint32_t size, Outcome outcome) {
        return Verified{.contender = contender,
                        .size = size,
                        .outcome = outcome,
                        .sentence = {},
                        .checked = {}};
    };
    add(race, verified(0, 0, Outcome::kVerified));
    add(race, verified(0, 1, Outcome::kVerified));
    add(race, verified(0, 0, Outcome::kFailed));
    ASSERT_EQ(race.verified.size(), 2u);
    EXPECT_EQ(find_verified(race, 0, 0)->outcome, Outcome::kFailed);
    EXPECT_EQ(find_verified(race, 0, 1)->outcome, Outcome::kVerified);
    EXPECT_EQ(find_verified(race, 1, 0), nullptr);
}

TEST(Race, ANewRaceHasTheDateAndTheMachine) {
    FakeRunner runner;
    RaceRequest request;
    request.contenders = {{"09_tiled", 16, 0}};
    const Race race = new_race(request, runner, kNotCancelled);
    EXPECT_EQ(race.machine.device, "a fake");
    EXPECT_EQ(race.request, request);
    EXPECT_TRUE(std::regex_match(race.date,
                                 std::regex(R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ)")))
        << race.date;
    EXPECT_FALSE(race.complete);
    EXPECT_TRUE(race.resources.empty());
}

class RunnerWithResources : public FakeRunner {
  public:
    Result<KernelResources> resources(const Contender& contender) override {
        if (is_reference(contender)) return failed("it is not ours");
        return KernelResources{.registers_per_thread = 40, .block_threads = 256};
    }
};

TEST(Race, ANewRaceHasTheResourcesOfItsKernels) {
    RunnerWithResources runner;
    RaceRequest request;
    request.contenders = {{"cublas"}, {"09_tiled", 16, 0}};
    const Race race = new_race(request, runner, kNotCancelled);
    ASSERT_EQ(race.resources.size(), 2u);
    EXPECT_FALSE(race.resources[0]);
    EXPECT_EQ(race.resources[1]->registers_per_thread, 40);
}

TEST(Race, TakesTheChampionWithAndWithoutATile) {
    RaceRequest request{.contenders = {{"20_champion"}, {"20_champion", 256, 0}},
                        .sizes = {{3, 5, 7}}};
    EXPECT_TRUE(check_request(request));
    EXPECT_TRUE(takes(request.contenders[0], request.sizes[0]));
    EXPECT_TRUE(takes(request.contenders[1], request.sizes[0]));
    EXPECT_EQ(name_of(request.contenders[0]), "20_champion");
    EXPECT_EQ(name_of(request.contenders[1]), "20_champion TILE 256 PAD 0");
    request.contenders[1] = {"20_champion", 0, 1};
    EXPECT_THAT(check_request(request).error().message, ::testing::HasSubstr("TILE 0 and PAD 1"));
    request.contenders[1] = {"20_champion", 64, 0};
    EXPECT_THAT(check_request(request).error().message, ::testing::HasSubstr("TILE 64 and PAD 0"));
}

TEST(Race, NamesSizesAndContenders) {
    EXPECT_EQ(name_of(ProductSize{4096, 4096, 4096}), "4096");
    EXPECT_EQ(name_of(ProductSize{1000, 3000, 700}), "1000x3000x700");
    EXPECT_EQ(name_of(Contender{"09_tiled", 32, 1}), "09_tiled TILE 32 PAD 1");
    EXPECT_EQ(name_of(Contender{"cublas"}), "cublas");
}

}  // namespace
}  // namespace tilereel::race_test
