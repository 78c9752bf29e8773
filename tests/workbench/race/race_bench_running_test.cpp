// What the bench shows and takes while a race runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/race/files/race_file.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/fake_gpu_bench.h"

namespace tilereel::race_bench_running_test {
namespace {

using ::testing::HasSubstr;

TEST(RaceBench, ARaceAskedForWhileTheDeviceIsLookedForStartsWhenItIsFound) {
    for (const bool cancelled : {false, true}) {
        const auto gate = std::make_shared<Gate>();
        RaceBench bench({.runner =
                             [gate] {
                                 return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                             },
                         .on_worker = true});
        bench.apply(StartRace{});
        EXPECT_TRUE(bench.preparing());
        EXPECT_EQ(bench.message(), "");
        if (cancelled) bench.apply(CancelRace{});
        EXPECT_EQ(bench.racing(), !cancelled);
        ASSERT_TRUE(frames_until(bench, [&] { return bench.looked_for_device(); }));
        EXPECT_EQ(bench.racing(), !cancelled);
        if (cancelled) continue;
        EXPECT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
        EXPECT_TRUE(frames_until(bench, [&] { return bench.shown() != nullptr; }));
        gate->open();
        EXPECT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
        EXPECT_TRUE(bench.shown()->race.complete);
    }
}

TEST(RaceBench, SamplesStreamWhileFramesGoOn) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    // The first launch waits: the race has begun, both are verified, nothing is measured.
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(
        bench, [&] { return bench.shown() && bench.shown()->race.verified.size() == 2; }));
    EXPECT_TRUE(bench.racing());
    EXPECT_EQ(bench.shown()->figures.running_size, 0u);
    EXPECT_EQ(bench.shown()->figures.samples, 0u);
    // A second start is refused, in words.
    bench.apply(StartRace{});
    EXPECT_THAT(bench.message(), HasSubstr("cancel"));
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_EQ(bench.shown()->figures.samples, 14u);
    EXPECT_TRUE(bench.shown()->race.complete);
}

TEST(RaceBench, CancelKeepsWhatIsMeasured) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    EXPECT_FALSE(bench.cancelling());
    bench.apply(CancelRace{});
    EXPECT_TRUE(bench.cancelling()) << "at once, while the launch goes on";
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_FALSE(bench.cancelling());
    EXPECT_FALSE(bench.shown()->race.complete);
    EXPECT_EQ(bench.shown()->race.verified.size(), 2u);
    EXPECT_EQ(bench.message(), "");  // the user asked for it
    // And another race can start.
    gate->open();
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_TRUE(bench.shown()->race.complete);
}

// Cancelled before its first sample, a race has nothing to show.
TEST(RaceBench, ARaceThatCameToNothingLeavesWhatWasShown) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    gate->open();
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing() && bench.shown(); }));
    const std::uint32_t samples = bench.shown()->figures.samples;
    ASSERT_GT(samples, 0u);
    gate->close();
    const int waiting = gate->waiting();
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > waiting; }));
    ASSERT_TRUE(frames_until(bench, [&] { return bench.shown()->running; }));
    EXPECT_EQ(bench.shown()->figures.samples, 0u);
    bench.apply(CancelRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_EQ(bench.shown()->figures.samples, samples);
    EXPECT_TRUE(bench.shown()->race.complete);
}

TEST(RaceBench, CanBeDestroyedDuringARace) {
    const auto gate = std::make_shared<Gate>();
    {
        RaceBench bench({.runner =
                             [gate] {
                                 return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                             },
                         .recorded = {}});
        bench.apply(FindDevice{});
        ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
        bench.apply(StartRace{});
        ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    }
    EXPECT_EQ(gate.use_count(), 1) << "the runner is gone, too";
}

TEST(RaceBench, ARecordedRaceThatIsReadLateDoesNotReplaceARace) {
    const tests::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {path}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    bench.apply(ShowFirstRecorded{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(bench, [&] { return bench.shown() != nullptr; }));
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.busy(); }));
    EXPECT_FALSE(bench.shown()->race.recorded);
}

TEST(RaceBench, KernelsAreCountedWhileAGpuRacesThem) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(bench, [&] {
        return bench.counts(Contender{"08_tiled_b_transposed", 32, 0}) != nullptr;
    }));
    EXPECT_TRUE(bench.racing());
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.busy(); }));
}

}  // namespace
}  // namespace tilereel::race_bench_running_test
