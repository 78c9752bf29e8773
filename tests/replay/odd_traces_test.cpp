// Traces that no kernel of the ladder makes, written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/replay/places/navigation.h"
#include "app/replay/replay.h"
#include "app/replay/sentence/sentence_facts.h"
#include "tests/replay/hand_trace.h"

namespace tilereel::odd_traces_test {
namespace {

constexpr std::uint32_t kAllLanes = 0xffffffff;

std::string text_at(Replay& replay, Tick tick) {
    replay.seek(tick);
    return plain_text(replay.sentence());
}

TEST(OddTraces, ABlockWithoutRecordsSaysSo) {
    HandTrace hand(32, 32, 32, {2, 1, 1}, {32, 1, 1});
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 1);
    ASSERT_TRUE(replay.has_value());
    EXPECT_EQ(replay->schedule().ticks, 0u);
    EXPECT_EQ(replay->seek(5).step, kNoStep);
    EXPECT_EQ(replay->state().warps.front().activity, Activity::kDone);
    EXPECT_EQ(text_at(*replay, 0), "Block 1 made no access to memory.");
    for (const auto unit : {StepUnit::kPhase, StepUnit::kRequest, StepUnit::kWavefront}) {
        EXPECT_EQ(next_tick(*replay, unit, 0), 0u);
        EXPECT_EQ(previous_tick(*replay, unit, 0), 0u);
    }
    EXPECT_EQ(tick_of(*replay, place_at(*replay, 0)), 0u);
    EXPECT_EQ(block_at(trace, place_at(*replay, 0)), 1u);
}

TEST(OddTraces, ARecordingCutOffSaysSo) {
    HandTrace hand(32, 32, 32, {}, {32, 1, 1});
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
    hand.trace.complete = false;
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(text_at(*replay, 1),
              "The recording was cut off here: block 0 is shown for 1 phase and 1 tick.");
}

// Warp 1 returns before the barrier that warps 0 and 2 still go through.
TEST(OddTraces, AWarpMayExitBeforeABarrier) {
    HandTrace hand(32, 32, 32, {}, {96, 1, 1});
    for (std::uint16_t warp = 0; warp < 3; ++warp)
        hand.access(0, warp, 1, 0, Operation::kLoad, strided(warp * 128u, 4));
    hand.access(0, 2, 1, 0, Operation::kLoad, strided(0, 4));
    hand.barrier(0, 0, 2);
    hand.barrier(0, 2, 2);
    hand.access(0, 0, 3, 0, Operation::kLoad, strided(0, 4));
    hand.access(0, 2, 3, 0, Operation::kLoad, strided(0, 4));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().ticks, 6u);
    const std::vector<std::vector<Activity>> expected = {
        {Activity::kLoads, Activity::kReady, Activity::kReady},
        {Activity::kWaitsAtBarrier, Activity::kLoads, Activity::kReady},
        {Activity::kWaitsAtBarrier, Activity::kDone, Activity::kLoads},
        {Activity::kWaitsAtBarrier, Activity::kDone, Activity::kLoads},
        {Activity::kLoads, Activity::kDone, Activity::kReady},
        {Activity::kDone, Activity::kDone, Activity::kLoads},
        {Activity::kDone, Activity::kDone, Activity::kDone}};
    for (Tick tick = 0; tick < expected.size(); ++tick) {
        replay->seek(tick);
        for (std::size_t warp = 0; warp < 3; ++warp)
            EXPECT_EQ(replay->state().warps[warp].activity, expected[tick][warp])
                << "tick " << tick << " warp " << warp;
    }
    ASSERT_EQ(replay->schedule().barriers.size(), 1u);
    EXPECT_EQ(replay->schedule().barriers[0].at, 4u);
    EXPECT_EQ(replay->schedule().barriers[0].line, 2u);
    EXPECT_EQ(text_at(*replay, 2),
              "Warp 0 waits at the barrier; warp 2 still loads row 2, columns 0 to 31 of A, 128 "
              "bytes in 4 sectors.");
}

TEST(OddTraces, WarpsWaitInTheirOrderOfArrival) {
    HandTrace hand(32, 32, 32, {}, {96, 1, 1});
    const std::vector<int> loads = {2, 1, 3};  // warp 1 comes first, then 0, then 2
    for (std::uint16_t warp = 0; warp < 3; ++warp) {
        for (int i = 0; i < loads[warp]; ++i)
            hand.access(0, warp, 1, 0, Operation::kLoad, strided(0, 4));
        hand.barrier(0, warp, 2);
    }
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    const ReplayState& state = replay->seek(5);  // warp 2's third load
    EXPECT_EQ(state.warps[1].arrival, 0u);
    EXPECT_EQ(state.warps[0].arrival, 1u);
    EXPECT_EQ(state.warps[0].line, 2u);
    EXPECT_EQ(text_at(*replay, 5).substr(0, 51),
              "Warps 0 and 1 wait at the barrier; warp 2 still loa");
    EXPECT_EQ(replay->seek(6).warps[0].activity, Activity::kDone);
}

// Epochs in which nothing is accessed, and multiply-adds before any request.
TEST(OddTraces, EmptyEpochsAndLeadingMultiplyAddsAreReplayed) {
    HandTrace hand(1, 32, 1, {}, {32, 1, 1});
    const std::vector<float> threes(32, 3.0f);
    hand.multiply_add(0, 0, 1, kAllLanes, 0, threes);
    hand.barrier(0, 0, 2);
    hand.barrier(0, 0, 3);
    hand.access(0, 0, 4, 2, Operation::kStore, strided(0, 4), threes);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().ticks, 1u);
    EXPECT_EQ(replay->schedule().barriers.size(), 2u);
    EXPECT_EQ(replay->seek(0).sums[7].value, 3.0f);
    EXPECT_EQ(replay->state().sums[7].multiply_adds, 1u);
    EXPECT_FALSE(replay->state().sums[7].stored);
    EXPECT_FALSE(replay->state().at_barrier);
    EXPECT_TRUE(replay->seek(1).sums[7].stored);
}

TEST(OddTraces, AKernelThatNeverStoresSaysSo) {
    HandTrace hand(1, 32, 1, {}, {32, 1, 1});
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 0));
    hand.multiply_add(0, 0, 1, kAllLanes, 0, std::vector<float>(32, 1.0f));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_TRUE(replay->regions().c.empty());
    EXPECT_TRUE(replay->seek(1).sums.empty());
    EXPECT_EQ(text_at(*replay, 1),
              "Block 0 is done after 1 phase and 1 tick; it stored nothing in C.");
}

TEST(OddTraces, CMayBeStoredTwice) {
    HandTrace hand(1, 32, 2, {}, {32, 1, 1});
    const std::vector<float> first(32, 2.0f), second(32, 5.0f);
    hand.multiply_add(0, 0, 1, kAllLanes, 0, first);
    hand.access(0, 0, 2, 2, Operation::kStore, strided(0, 4), first);
    hand.multiply_add(0, 0, 1, kAllLanes, 0, second);
    hand.access(0, 0, 2, 2, Operation::kStore, strided(0, 4), second);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().ticks, 2u);
    EXPECT_EQ(replay->seek(0).sums[0].value, 2.0f);
    EXPECT_FALSE(replay->state().sums[0].stored);
    EXPECT_EQ(replay->seek(1).sums[0].value, 5.0f);
    EXPECT_TRUE(replay->state().sums[0].stored);
    EXPECT_EQ(replay->seek(2).sums[0].multiply_adds, 2u);
    EXPECT_EQ(replay->state().sums.size(), 32u);
}

// Two accumulators a thread, stored in the other order: their values tell which is which.
TEST(OddTraces, AccumulatorsMayBeStoredInAnotherOrder) {
    HandTrace hand(2, 32, 1, {}, {32, 1, 1});
    const std::vector<float> sevens(32, 7.0f), eights(32, 8.0f);
    hand.multiply_add(0, 0, 1, kAllLanes, 0, sevens);
    hand.access(0, 0, 2, 0, Operation::kLoad, strided(0, 0));
    hand.multiply_add(0, 0, 1, kAllLanes, 1, eights);
    hand.access(0, 0, 2, 2, Operation::kStore, strided(0, 4), eights);
    hand.access(0, 0, 2, 2, Operation::kStore, strided(128, 4), sevens);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->seek(0).sums[0].multiply_adds, 0u);
    EXPECT_EQ(replay->state().sums[32].value, 7.0f);
    EXPECT_EQ(replay->seek(1).sums[0].value, 8.0f);
}

// Scaled on the way out (C = 2 sum): no value agrees, so the order decides.
TEST(OddTraces, AccumulatorsMayBeScaledBeforeTheStore) {
    HandTrace hand(2, 32, 1, {}, {32, 1, 1});
    const std::vector<float> sevens(32, 7.0f), eights(32, 8.0f);
    hand.multiply_add(0, 0, 1, kAllLanes, 0, sevens);
    hand.multiply_add(0, 0, 1, kAllLanes, 1, eights);
    hand.access(0, 0, 2, 2, Operation::kStore, strided(0, 4), std::vector<float>(32, 14.0f));
    hand.access(0, 0, 2, 2, Operation::kStore, strided(128, 4), std::vector<float>(32, 16.0f));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->seek(0).sums[0].value, 7.0f);
    EXPECT_EQ(replay->state().sums[32].value, 8.0f);
    EXPECT_EQ(replay->seek(2).sums[32].value, 16.0f);
}

// Two matrices of eight rows of 16 bytes. Rows that lie 32 bytes apart meet in pairs in a slot of
// the 128 bytes of the banks; rows one behind the other do not.
TEST(OddTraces, MatrixLoadsAreServedMatrixByMatrix) {
    HandTrace hand(1, 32, 128, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 4, 32, 32);
    hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 16), std::vector<float>(128, 1.0f),
                16);
    hand.access(0, 0, 2, tile, Operation::kMatrixLoad, strided(0, 32, 16), {}, 16);
    hand.access(0, 0, 3, tile, Operation::kMatrixLoad, strided(0, 16, 16), {}, 16);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().ticks, 4u + 4 + 2);
    EXPECT_THAT(
        text_at(*replay, 4),
        testing::EndsWith("Their rows take 4 wavefronts instead of 2: rows of a matrix lie in "
                          "the same banks."));
    EXPECT_THAT(text_at(*replay, 8),
                testing::EndsWith("Their rows take 2 wavefronts, no conflict."));
}

TEST(OddTraces, WideSharedAccessesTakeSeveralWavefronts) {
    HandTrace hand(1, 32, 128, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 4, 32, 32);
    std::vector<float> values(128);
    for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i);
    hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 16), values, 16);
    hand.access(0, 0, 2, tile, Operation::kLoad, strided(8, 8, 16), {}, 8);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().ticks, 5u);  // 16 bytes x 32 lanes: 4 wavefronts; 8 x 16: 1
    EXPECT_EQ(replay->seek(3).shared[0].landed, 0u);
    EXPECT_EQ(text_at(*replay, 0),
              "Warp 0 stores all of As: 32 lanes write 16 bytes each, four quarter-warps, one "
              "wavefront each, no conflict.");
    const ReplayState& after = replay->seek(4);
    EXPECT_EQ(after.shared[0].landed, 128u);
    EXPECT_EQ(after.shared[0].expected, 128u);
    for (std::size_t cell = 0; cell < 128; ++cell)
        EXPECT_EQ(after.shared[0].cells[cell].value, values[cell]);
    EXPECT_EQ(after.request.lanes[3].value, 8.0f);  // byte 8 + 3 * 8
    EXPECT_EQ(after.request.lanes[3].row, 0u);
    EXPECT_EQ(after.request.lanes[3].column, 8u);
    EXPECT_EQ(text_at(*replay, 4),
              "Warp 0 reads 32 elements in rows 0 and 1, columns 0 to 31 of As: 16 lanes read "
              "8 bytes each, one half-warp, one wavefront, no conflict; 16 lanes are off.");
}

// A copy through the L1 cache serves 128 bytes at a time, as copy_cost.h says: 16 lanes of 8 bytes.
TEST(OddTraces, ACopyOfEightBytesTakesAWavefrontForEachHalfWarp) {
    HandTrace hand(1, 32, 64, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 2, 32, 32);
    const std::vector<float> values(64, 1.0f);
    hand.access(0, 0, 1, 0, Operation::kCopyLoad, strided(0, 8), {}, 8);
    hand.access(0, 0, 1, tile, Operation::kCopyStore, strided(0, 8), values, 8);
    hand.access(0, 0, 2, kNoArray, Operation::kCommitCopies, strided(0, 0));
    hand.access(0, 0, 3, kNoArray, Operation::kWaitCopies, strided(0, 0));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    const Tick arrives = replay->schedule().steps.back().begin;
    const std::string said = text_at(*replay, arrives);
    EXPECT_EQ(replay->state().request.cost.wavefronts, 2u);
    EXPECT_NE(said.find("32 lanes write 8 bytes each, two half-warps, one wavefront each, no "
                        "conflict"),
              std::string::npos)
        << said;
}

TEST(OddTraces, ScatteredLanesMoveASectorEach) {
    HandTrace hand(32, 32, 32, {}, {32, 1, 1});
    for (int i = 0; i < 1024; ++i) hand.a[i] = static_cast<float>(i);
    HandLanes lanes;
    lanes[3] = 4 * (5 * 32 + 1);
    lanes[17] = 4 * (2 * 32 + 30);
    lanes[31] = 4 * (9 * 32 + 7);
    hand.access(0, 0, 1, 0, Operation::kLoad, lanes);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->schedule().ticks, 3u);
    const RequestState& request = replay->seek(0).request;
    EXPECT_FALSE(request.lanes[0].active);
    EXPECT_EQ(request.lanes[17].value, 94.0f);
    EXPECT_EQ(request.lanes[17].row, 2u);
    EXPECT_EQ(text_at(*replay, 0),
              "Warp 0 loads 3 elements in rows 2 to 9, columns 1 to 30 of A: 3 lanes ask for 12 "
              "bytes in 3 rows of the matrix, so 3 sectors move 96 bytes and seven eighths of them "
              "go unused; 29 lanes are off.");
    EXPECT_EQ(replay->regions().tile(0, 0), (CellRect{2, 1, 10, 31}));
}

TEST(OddTraces, OneLaneMovesOneSector) {
    HandTrace hand(1, 1, 1, {}, {1, 1, 1});
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4, 1));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(text_at(*replay, 0),
              "Warp 0 loads A[0][0]: 1 lane asks for 4 bytes in 1 row of the matrix, so 1 sector "
              "moves 32 bytes and seven eighths of them go unused.");
}

// A word of shared memory is stale in a later phase if nobody reads it again. Padding is never
// written.
TEST(OddTraces, UnreadCellsAreStaleAndPaddingIsUnwritten) {
    HandTrace hand(1, 32, 2, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 2, 31, 32);
    const std::vector<float> ones(31, 1.0f), twos(31, 2.0f);
    for (int phase = 0; phase < 2; ++phase) {
        const HandLanes row = strided(phase == 0 ? 0 : 128, 4, 31);
        hand.access(0, 0, 1, tile, Operation::kStore, row, phase == 0 ? ones : twos);
        hand.barrier(0, 0, 2);
        hand.access(0, 0, 3, tile, Operation::kLoad, row);
        hand.multiply_add(0, 0, 3, 0x7fffffff, 0, ones);
        hand.barrier(0, 0, 4);
    }
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    const auto cell = [&](Tick tick, std::size_t at) {
        return replay->seek(tick).shared[0].cells[at].state;
    };
    EXPECT_EQ(cell(0, 0), CellState::kNeverWritten);
    EXPECT_EQ(cell(1, 0), CellState::kValid);
    EXPECT_EQ(cell(2, 0), CellState::kStale);
    EXPECT_EQ(cell(2, 32), CellState::kNeverWritten);
    EXPECT_EQ(cell(3, 32), CellState::kValid);
    EXPECT_EQ(cell(3, 0), CellState::kStale);
    EXPECT_EQ(cell(3, 31), CellState::kNeverWritten);
    EXPECT_EQ(replay->state().shared[0].landed, 31u);
}

// Stored in the first phase and read in the second: valid until it has been read.
TEST(OddTraces, CellsReadInALaterPhaseStayValid) {
    HandTrace hand(1, 32, 3, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 2, 32, 32);
    const std::vector<float> ones(32, 1.0f);
    for (std::uint32_t phase = 0; phase < 3; ++phase) {
        hand.access(0, 0, 1, tile, Operation::kStore, strided(128, 4), ones);
        if (phase == 0) hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 4), ones);
        hand.barrier(0, 0, 2);
        hand.access(0, 0, 3, tile, Operation::kLoad, strided(phase == 1 ? 0 : 128, 4));
        hand.multiply_add(0, 0, 3, kAllLanes, 0, ones);
        hand.barrier(0, 0, 4);
    }
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->schedule().phases, 3u);
    const std::vector<Tick> begins = {2, 3, 4, 5, 6};  // load, store, load, store, load
    const auto cell = [&](Tick tick, std::size_t at) {
        return replay->seek(tick).shared[0].cells[at].state;
    };
    for (const Tick tick : begins)
        EXPECT_EQ(cell(tick, 0), tick < 5 ? CellState::kValid : CellState::kStale) << tick;
    EXPECT_EQ(cell(3, 32), CellState::kStale);  // read in phase 0, overwritten next
    EXPECT_EQ(cell(4, 32), CellState::kValid);
    EXPECT_EQ(cell(5, 32), CellState::kStale);  // never read, and its phase is over
}

// Offsets outside every array, as a buggy kernel makes them: nothing breaks.
TEST(OddTraces, AccessesOutOfBoundsBreakNothing) {
    HandTrace hand(4, 4, 4, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 4, 4, 4);
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
    hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 4), std::vector<float>(32, 1.0f));
    hand.access(0, 0, 1, tile, Operation::kLoad, strided(0xfffffe00, 4));
    hand.access(0, 0, 1, 2, Operation::kStore, strided(0, 4), std::vector<float>(32, 1.0f));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    for (Tick tick = 0; tick <= replay->schedule().ticks; ++tick)
        EXPECT_FALSE(text_at(*replay, tick).empty());
    EXPECT_EQ(replay->seek(2).shared[0].landed, 16u);
}

}  // namespace
}  // namespace tilereel::odd_traces_test
