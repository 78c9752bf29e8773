#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/race/race.h"
#include "tests/race/fake_runner.h"

namespace tilereel::run_race_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Contender kTiled{"09_tiled", 16, 0};
const Contender kNaive{"02_naive", 16, 0};
const Contender kReference{"cublas"};

RaceRequest request_of(std::vector<Contender> contenders, std::vector<ProductSize> sizes) {
    RaceRequest request;
    request.contenders = std::move(contenders);
    request.sizes = std::move(sizes);
    request.repeats = 2;
    request.warm_ups = 1;
    return request;
}

struct Raced {
    std::vector<RaceEvent> events;
    Race race;
    Status status = Done{};
};

Raced run(const RaceRequest& request, Runner& runner, const std::atomic<bool>& cancel = false) {
    Raced raced;
    raced.race = new_race(request, runner, cancel);
    raced.status = run_race(
        request, runner,
        [&](const RaceEvent& event) {
            raced.events.push_back(event);
            add(raced.race, event);
        },
        cancel);
    return raced;
}

// "verified 0 at 1" and "sample 0 at 1 #0"
std::vector<std::string> words_of(const std::vector<RaceEvent>& events) {
    std::vector<std::string> words;
    for (const RaceEvent& event : events) {
        const auto at = [](const auto& e) {
            return std::to_string(e.contender) + " at " + std::to_string(e.size);
        };
        if (const auto* sample = std::get_if<Sample>(&event))
            words.push_back("sample " + at(*sample) + " #" + std::to_string(sample->repeat));
        else
            words.push_back("verified " + at(std::get<Verified>(event)));
    }
    return words;
}

TEST(RunRace, VerifiesAllThenInterleavesTheRepeatsSizeBySize) {
    FakeRunner runner;
    const Raced raced = run(request_of({kTiled, kNaive}, {{64, 64, 64}, {128, 128, 128}}), runner);
    ASSERT_TRUE(raced.status);
    EXPECT_THAT(words_of(raced.events),
                ElementsAre("verified 0 at 0", "verified 1 at 0", "sample 0 at 0 #0",
                            "sample 1 at 0 #0", "sample 0 at 0 #1", "sample 1 at 0 #1",
                            "verified 0 at 1", "verified 1 at 1", "sample 0 at 1 #0",
                            "sample 1 at 1 #0", "sample 0 at 1 #1", "sample 1 at 1 #1"));
    EXPECT_THAT(runner.calls,
                ElementsAre("prepare 64", "verify 09_tiled", "verify 02_naive", "time 09_tiled 1",
                            "time 02_naive 1",                                        // warm-up
                            "time 09_tiled 1", "time 02_naive 1", "time 09_tiled 1",  // samples
                            "time 02_naive 1", "prepare 128", "verify 09_tiled", "verify 02_naive",
                            "time 09_tiled 1", "time 02_naive 1", "time 09_tiled 1",
                            "time 02_naive 1", "time 09_tiled 1", "time 02_naive 1"));
}

TEST(RunRace, ASampleHasItsSpeedAndConditions) {
    FakeRunner runner;
    runner.launch_ms = 4;
    const Raced raced = run(request_of({kTiled}, {{1024, 512, 256}}), runner);
    ASSERT_EQ(raced.race.samples.size(), 2u);
    const Sample& sample = raced.race.samples.front();
    EXPECT_EQ(sample.milliseconds, 4);
    EXPECT_DOUBLE_EQ(sample.rate, 2.0 * 1024 * 512 * 256 / 0.004 / 1e9);
    EXPECT_EQ(sample.launches, 1);
    EXPECT_EQ(sample.conditions.sm_clock_mhz, 1980);
    EXPECT_FALSE(sample.conditions.power_w);
}

TEST(RunRace, ShortLaunchesAreRepeatedToFillTheSample) {
    FakeRunner runner;
    runner.launch_ms = 0.01;
    RaceRequest request = request_of({kTiled}, {{64, 64, 64}});
    request.least_sample_ms = 2;
    const Raced raced = run(request, runner);
    ASSERT_TRUE(raced.status);
    for (const Sample& sample : raced.race.samples) {
        EXPECT_GE(sample.launches * 0.01, 2);
        EXPECT_LE(sample.launches * 0.01, 2.5);
        EXPECT_EQ(sample.milliseconds, 0.01);  // of one launch
    }
}

TEST(RunRace, WarmsUpByAsManyLaunchesAsAskedUnlessTheyAreSlow) {
    FakeRunner runner;
    RaceRequest request = request_of({kTiled}, {{64, 64, 64}});
    request.warm_ups = 5;
    request.repeats = 1;
    const auto timed = [&] {
        runner.calls.clear();
        EXPECT_TRUE(run(request, runner).status);
        return runner.calls.size() - 2;  // prepare and verify
    };
    EXPECT_EQ(timed(), 6u);
    runner.launch_ms = 200;  // after the second launch the device is warm
    EXPECT_EQ(timed(), 3u);
}

TEST(RunRace, SlowLaunchesAreSampledLess) {
    FakeRunner runner;
    runner.launch_ms_of = {{"02_naive", 3000}};
    RaceRequest request = request_of({kTiled, kNaive}, {{64, 64, 64}});
    request.repeats = 7;
    request.enough_ms = 5000;
    const Raced raced = run(request, runner);
    EXPECT_EQ(rates_of(raced.race, 0, 0)->count, 7u);
    // Two samples take 6,000 ms, which is enough, but at least three are taken.
    EXPECT_EQ(rates_of(raced.race, 1, 0)->count, 3u);
}

TEST(RunRace, AWrongKernelIsNeverTimed) {
    FakeRunner runner;
    runner.verified_as["02_naive"] = {
        .outcome = Outcome::kWrong, .worst_error = 1e6, .sentence = "C[0][0] is 3"};
    const Raced raced = run(request_of({kNaive, kTiled}, {{64, 64, 64}}), runner);
    ASSERT_TRUE(raced.status);
    EXPECT_FALSE(rates_of(raced.race, 0, 0));
    EXPECT_TRUE(rates_of(raced.race, 1, 0));
    EXPECT_EQ(find_verified(raced.race, 0, 0)->outcome, Outcome::kWrong);
    EXPECT_THAT(runner.calls, ::testing::Not(::testing::Contains(HasSubstr("time 02_naive"))));
}

TEST(RunRace, AFailedLaunchIsReportedAndTheOthersGoOn) {
    FakeRunner runner;
    runner.verify_fails.insert({"02_naive", failed("the launch failed")});
    runner.verify_fails.insert({"cublas", wrong_call("it is not here")});
    const Raced raced = run(request_of({kNaive, kReference, kTiled}, {{64, 64, 64}}), runner);
    ASSERT_TRUE(raced.status);
    EXPECT_EQ(find_verified(raced.race, 0, 0)->outcome, Outcome::kFailed);
    EXPECT_EQ(find_verified(raced.race, 0, 0)->sentence, "the launch failed");
    EXPECT_EQ(find_verified(raced.race, 1, 0)->outcome, Outcome::kSkipped);
    EXPECT_EQ(rates_of(raced.race, 2, 0)->count, 2u);
}

TEST(RunRace, ALaunchThatFailsOnlyWhenTimedIsFailed) {
    FakeRunner runner;
    runner.time_fails.insert({"02_naive", failed("the GPU was lost")});
    const Raced raced = run(request_of({kNaive, kTiled}, {{64, 64, 64}}), runner);
    ASSERT_TRUE(raced.status);
    EXPECT_EQ(find_verified(raced.race, 0, 0)->outcome, Outcome::kFailed);
    EXPECT_EQ(raced.race.verified.size(), 2u);
    EXPECT_EQ(rates_of(raced.race, 1, 0)->count, 2u);
}

TEST(RunRace, AfterOutOfMemoryTheNextSizeIsRaced) {
    FakeRunner runner;
    runner.too_large = {{4096, 4096, 4096}};
    const Raced raced = run(
        request_of({kTiled, kNaive}, {{64, 64, 64}, {4096, 4096, 4096}, {128, 128, 128}}), runner);
    ASSERT_TRUE(raced.status);
    for (const std::uint32_t contender : {0u, 1u}) {
        EXPECT_TRUE(rates_of(raced.race, contender, 0));
        EXPECT_EQ(find_verified(raced.race, contender, 1)->outcome, Outcome::kFailed);
        EXPECT_THAT(find_verified(raced.race, contender, 1)->sentence, HasSubstr("memory"));
        EXPECT_TRUE(rates_of(raced.race, contender, 2));
    }
}

TEST(RunRace, SizesThatAKernelDoesNotTakeAreSkippedUnprepared) {
    FakeRunner runner;
    const Contender guide{"03_guide_simple", 16, 0};  // K = TILE
    const Raced raced = run(request_of({guide}, {{64, 64, 64}, {64, 64, 16}}), runner);
    ASSERT_TRUE(raced.status);
    EXPECT_EQ(find_verified(raced.race, 0, 0)->outcome, Outcome::kSkipped);
    EXPECT_THAT(find_verified(raced.race, 0, 0)->sentence, HasSubstr("K is 64"));
    EXPECT_EQ(rates_of(raced.race, 0, 1)->count, 2u);
    EXPECT_THAT(runner.calls, ::testing::Not(::testing::Contains("prepare 64")));
}

TEST(RunRace, CancelEndsItBeforeTheNextLaunch) {
    const std::vector<std::string> moments{"prepare 64", "verify 09_tiled", "verify 02_naive",
                                           "time 09_tiled 1", "time 02_naive 1"};
    for (const std::string& moment : moments) {
        FakeRunner runner;
        std::atomic<bool> cancel = false;
        runner.at_call = [&](const std::string& call) { cancel = cancel || call == moment; };
        const Raced raced = run(request_of({kTiled, kNaive}, {{64, 64, 64}}), runner, cancel);
        ASSERT_FALSE(raced.status) << moment;
        EXPECT_EQ(raced.status.error().kind, ErrorKind::kCancelled);
        EXPECT_EQ(runner.calls.back(), moment);
        EXPECT_TRUE(raced.race.samples.empty());
        // A cancelled launch does not count as failed.
        for (const Verified& verified : raced.race.verified)
            EXPECT_EQ(verified.outcome, Outcome::kVerified) << moment;
    }
}

TEST(RunRace, FreesTheMatricesHoweverItEnds) {
    const RaceRequest request = request_of({kTiled}, {{64, 64, 64}});
    FakeRunner runner;
    ASSERT_TRUE(run(request, runner).status);
    EXPECT_EQ(runner.releases, 1);
    ASSERT_FALSE(run(request, runner, true).status);
    EXPECT_EQ(runner.releases, 2);
    runner.at_call = [](const std::string&) { throw std::bad_alloc(); };
    EXPECT_THROW(run(request, runner), std::bad_alloc);
    EXPECT_EQ(runner.releases, 3);
}

// Queued launches cannot be cancelled, so at most one sample is queued: one launch, or short
// launches that end within the time of a sample.
TEST(RunRace, AtMostOneSampleIsQueued) {
    for (const double launch_ms : {1e-4, 1e-3, 0.01, 0.3, 1.5, 1.9, 2.1, 40.0}) {
        FakeRunner runner;
        runner.launch_ms = launch_ms;
        RaceRequest request = request_of({kTiled}, {{64, 64, 64}});
        request.warm_ups = 1000;
        ASSERT_TRUE(run(request, runner).status);
        const std::string time = "time 09_tiled ";
        for (const std::string& call : runner.calls) {
            if (!call.starts_with(time)) continue;
            const double queued_ms = std::stoi(call.substr(time.size())) * launch_ms;
            EXPECT_LE(queued_ms, 1.2 * request.least_sample_ms + launch_ms) << call;
        }
    }
}

TEST(RunRace, ACancelledRaceKeepsItsSamples) {
    FakeRunner runner;
    std::atomic<bool> cancel = false;
    RaceRequest request = request_of({kTiled}, {{64, 64, 64}});
    request.repeats = 100;
    int samples = 0;
    const Status status = run_race(
        request, runner,
        [&](const RaceEvent& event) {
            if (std::get_if<Sample>(&event) && ++samples == 3) cancel = true;
        },
        cancel);
    EXPECT_FALSE(status);
    EXPECT_EQ(samples, 3);
}

TEST(RunRace, RefusesWhatCannotBeRaced) {
    FakeRunner runner;
    const RaceRequest good = request_of({kTiled}, {{64, 64, 64}});
    const auto expect_refused = [&](const char* word, auto change) {
        RaceRequest request = good;
        change(request);
        const Raced raced = run(request, runner);
        ASSERT_FALSE(raced.status) << word;
        EXPECT_EQ(raced.status.error().kind, ErrorKind::kWrongCall) << word;
        EXPECT_THAT(raced.status.error().message, HasSubstr(word));
    };
    expect_refused("name a kernel", [](RaceRequest& r) { r.contenders.clear(); });
    expect_refused("no kernel '99'", [](RaceRequest& r) { r.contenders[0].kernel = "99"; });
    expect_refused("TILE 7", [](RaceRequest& r) { r.contenders[0].tile = 7; });
    expect_refused("PAD 9", [](RaceRequest& r) { r.contenders[0].pad = 9; });
    expect_refused("size", [](RaceRequest& r) { r.sizes.clear(); });
    expect_refused("0x4x4", [](RaceRequest& r) { r.sizes[0] = {0, 4, 4}; });
    expect_refused("1048577", [](RaceRequest& r) { r.sizes[0].k = (1 << 20) + 1; });
    expect_refused("repeats", [](RaceRequest& r) { r.repeats = 0; });
    expect_refused("warm-ups", [](RaceRequest& r) { r.warm_ups = -1; });
    expect_refused("milliseconds", [](RaceRequest& r) { r.least_sample_ms = -1; });
    expect_refused("milliseconds",
                   [](RaceRequest& r) { r.enough_ms = std::numeric_limits<double>::quiet_NaN(); });
    EXPECT_TRUE(runner.calls.empty());
}

}  // namespace
}  // namespace tilereel::run_race_test
