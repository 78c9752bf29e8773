// Replays of traces with clocks: some written by hand, and one that a GPU recorded.
#include <gtest/gtest.h>

#include <vector>

#include "app/replay/replay.h"
#include "app/replay/schedule/schedule.h"
#include "app/replay/schedule/schedule_by_clocks.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/replay/hand_trace.h"

namespace tilereel::clocks_test {
namespace {

// Two warps: warp 0 loads three times and warp 1 twice; a barrier; each loads once more.
Trace two_warps(const std::vector<std::uint64_t>& clocks) {
    HandTrace hand(32, 32, 32, {}, {64, 1, 1});
    for (int i = 0; i < 3; ++i) hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
    for (int i = 0; i < 2; ++i) hand.access(0, 1, 1, 0, Operation::kLoad, strided(128, 4));
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        hand.barrier(0, warp, 2);
        hand.access(0, warp, 3, 0, Operation::kLoad, strided(256, 4));
    }
    hand.trace.recorded_by = {"gpu", "NVIDIA H100 80GB HBM3", "580"};
    hand.trace.multiprocessors = {17};
    Trace trace = hand.finish();
    trace.records.clock = clocks;  // warp 0: three loads, barrier; warp 1: two, barrier; one each
    return trace;
}

struct Expected {
    std::uint16_t warp;
    Tick begin;
    std::uint32_t ticks;
};
void expect_steps(const Replay& replay, const std::vector<Expected>& expected) {
    ASSERT_EQ(replay.schedule().steps.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(replay.schedule().steps[i].warp, expected[i].warp) << "step " << i;
        EXPECT_EQ(replay.schedule().steps[i].begin, expected[i].begin) << "step " << i;
        EXPECT_EQ(replay.schedule().steps[i].ticks, expected[i].ticks) << "step " << i;
    }
}

// Issued at 1000, 1010 (warp 1), 1040, 1100, 1300 (warp 1), 1320, 1340: gaps of 10, 30, 60, 200,
// 20, 20, and nothing after the last. A tick is half of their mean: 340 / 7 / 2 cycles.
TEST(Clocks, EachRequestLastsUntilTheNextClock) {
    const Trace trace = two_warps({1000, 1040, 1100, 1110, 1010, 1300, 1310, 1320, 1340});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->schedule().cycles_per_tick, 24u);
    expect_steps(*replay,
                 {{0, 0, 1}, {1, 1, 1}, {0, 2, 3}, {0, 5, 8}, {1, 13, 1}, {0, 14, 1}, {1, 15, 1}});
    EXPECT_EQ(replay->schedule().ticks, 16u);
    ASSERT_EQ(replay->schedule().barriers.size(), 1u);
    EXPECT_EQ(replay->schedule().barriers[0].at, 14u);
    EXPECT_EQ(replay->schedule().ticks_of_line[1], 14u);
    EXPECT_EQ(replay->schedule().ticks_of_line[3], 2u);
}

// The wait is no part of the mean: 140 / 6 / 2 = 11 cycles.
TEST(Clocks, LongWaitsAreShortened) {
    const Trace trace =
        two_warps({1000, 1040, 1100, 1110, 1010, 5'000'000, 5'000'010, 5'000'020, 5'000'040});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->schedule().steps[3].ticks, kLongestGapTicks);
    EXPECT_EQ(replay->schedule().cycles_per_tick, 11u);
    EXPECT_EQ(replay->schedule().barriers[0].at, 1u + 3 + 5 + kLongestGapTicks + 2);
}

// A record has the clock of its first lane, so clocks of diverged lanes may go backwards.
TEST(Clocks, AWarpKeepsItsOwnOrder) {
    const Trace trace = two_warps({1000, 900, 1100, 1110, 950, 1300, 1310, 1320, 1340});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    std::vector<std::uint64_t> warp0;
    for (const Step& step : replay->schedule().steps)
        if (step.warp == 0) warp0.push_back(step.record);
    EXPECT_EQ(warp0, (std::vector<std::uint64_t>{0, 1, 2, 7}));
    EXPECT_EQ(replay->schedule().steps.front().warp, 1u);
}

TEST(Clocks, AnyClocksCanBePlayed) {
    for (const std::uint64_t far : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        const Trace trace = two_warps({far, 0, far, 3, far / 2, far, 0, ~far, far});
        const Result<Replay> replay = Replay::of_block(trace, 0);
        ASSERT_EQ(replay->schedule().steps.size(), 7u);
        Tick at = 0;
        for (const Step& step : replay->schedule().steps) {
            EXPECT_EQ(step.begin, at);
            EXPECT_GE(step.ticks, 1u);
            EXPECT_LE(step.ticks, kLongestGapTicks);
            at = step.end();
        }
        EXPECT_EQ(replay->schedule().ticks, at);
    }
}

TEST(Clocks, BothDirectionsShowTheSame) {
    const Trace trace = two_warps({1000, 1040, 1100, 1110, 1010, 1300, 1310, 1320, 1340});
    Result<Replay> replay = Replay::of_block(trace, 0);
    std::vector<ReplayState> forward;
    for (Tick tick = 0; tick <= replay->schedule().ticks; ++tick)
        forward.push_back(replay->seek(tick));
    for (Tick tick = replay->schedule().ticks + 1; tick-- > 0;)
        EXPECT_TRUE(replay->seek(tick) == forward[tick]) << tick;
}

// Lane l reads word 32 l: 32 wavefronts. A gap of 10 cycles is 3 ticks of 4 cycles. The long wait
// at the end is shortened to 16 ticks.
TEST(Clocks, WavefrontsShareTheTicksOfTheirRequest) {
    HandTrace hand(32, 32, 32, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("Bs", 32, 32, 32);
    for (int i = 0; i < 8; ++i) hand.access(0, 0, 1, tile, Operation::kLoad, strided(0, 128));
    Trace trace = hand.finish();
    trace.records.clock = {100, 110, 120, 130, 140, 150, 160, 100'000};
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().costs[0].wavefronts, 32u);
    EXPECT_EQ(replay->seek(0).request.wavefront, 10u);  // a third of them is done
    EXPECT_EQ(replay->seek(1).request.wavefront, 21u);
    EXPECT_EQ(replay->seek(2).request.wavefront, 31u);
    for (std::uint32_t tick = 0; tick < kLongestGapTicks; ++tick)
        EXPECT_EQ(replay->seek(18 + tick).request.wavefront, 2 * tick + 1);
    EXPECT_EQ(replay->seek(34).request.wavefront, 31u);  // in one tick only the last is seen
    EXPECT_EQ(replay->seek(replay->schedule().ticks).request.wavefront, 31u);
}

// What an H100 recorded: 09_tiled, TILE 8, 16 cubed; see tests/hardware/README.md.
TEST(Clocks, ATraceFromAnH100) {
    const Result<Trace> trace = read_trace(TILEREEL_SOURCE_DIR "/tests/hardware/gpu_trace.npz");
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    EXPECT_EQ(trace->recorded_by.recorder, "gpu");
    ASSERT_EQ(trace->multiprocessors.size(), 4u);
    for (std::uint32_t block = 0; block < 4; ++block) {
        EXPECT_NE(trace->multiprocessors[block], Trace::kNotRecorded);
        Result<Replay> replay = Replay::of_block(*trace, block);
        // 2 warps, 2 phases of 2 loads, 2 stores and 2 x 8 reads, and C.
        ASSERT_EQ(replay->schedule().steps.size(), 2u * (2 * (4 + 16) + 1));
        EXPECT_EQ(replay->schedule().barriers.size(), 4u);
        EXPECT_GT(replay->schedule().cycles_per_tick, 1u);
        EXPECT_LT(replay->schedule().ticks, 4 * replay->schedule().steps.size()) << "watchable";
        std::uint64_t issued = 0;
        for (const Step& step : replay->schedule().steps) {
            EXPECT_GE(trace->records.clock[step.record], issued);
            issued = trace->records.clock[step.record];
        }
        std::vector<ReplayState> forward;
        for (Tick tick = 0; tick <= replay->schedule().ticks; ++tick)
            forward.push_back(replay->seek(tick));
        EXPECT_EQ(forward.back().phases_done, 2u);
        for (Tick tick = replay->schedule().ticks + 1; tick-- > 0;)
            ASSERT_TRUE(replay->seek(tick) == forward[tick]) << tick;
    }
}

}  // namespace
}  // namespace tilereel::clocks_test
