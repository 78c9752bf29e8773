// Asynchronous copies in the replay: they begin, are under way, and arrive where their warp waits.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "app/replay/sentence/sentence_facts.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "kernels/catalog.h"

namespace tilereel::async_copy_replay_test {
namespace {

constexpr int kTile = 16, kDepth = 8, kStages = 3;

Trace pipeline(int k, std::uint32_t removed = 0) {
    RecordRequest request;
    request.kernel = "19_async_pipeline";
    request.parameters = {.m = kTile, .n = kTile, .k = k, .tile = kTile, .pad = 0};
    request.removed_barrier = removed;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

Operation operation(const Trace& trace, const Step& step) {
    return trace.sites[step.site].operation;
}

std::size_t under_way(const ReplayState& state) {
    std::size_t count = 0;
    for (const SharedArrayState& array : state.shared)
        for (const SharedCell& cell : array.cells) count += cell.state == CellState::kUnderWay;
    return count;
}

TEST(AsyncCopyReplay, ACopyArrivesWhereItsWarpWaits) {
    const Trace trace = pipeline(32);
    const Replay replay = Replay::of_block(trace, 0).value();
    std::size_t begun = 0, arrived = 0;
    for (const Step& step : replay.schedule().steps) {
        begun += operation(trace, step) == Operation::kCopyLoad;
        arrived += operation(trace, step) == Operation::kCopyStore;
        EXPECT_LE(arrived, begun);
    }
    // For each of 4 tiles, 16 threads copy 32 pieces of 16 bytes of A and of B: 4 requests.
    EXPECT_EQ(begun, 4u * 4);
    EXPECT_EQ(arrived, begun);
    EXPECT_EQ(replay.schedule().phases, 32u / kDepth);
    // All of A and B flies, each value from its copy's read to its write. Nothing else flies.
    EXPECT_EQ(replay.flights().size(), 2u * kTile * 32);
    for (const Flight& flight : replay.flights()) {
        const Step& load = replay.schedule().steps[flight.load_step];
        const Step& store = replay.schedule().steps[flight.store_step];
        EXPECT_EQ(load.record + 1, store.record);
        EXPECT_EQ(flight.depart, load.begin);
        EXPECT_EQ(flight.land, store.end());
        const MatrixElements matrix =
            matrix_of(trace, flight.from == 0 ? MatrixRole::kA : MatrixRole::kB);
        const std::uint32_t columns = flight.from == 0 ? 32 : kTile;
        EXPECT_EQ(flight.value, matrix[flight.from_row * columns + flight.from_column]);
    }
}

TEST(AsyncCopyReplay, CellsAreUnderWayFromTheFirstRequestToTheWait) {
    const Trace trace = pipeline(64);
    Replay replay = Replay::of_block(trace, 0).value();
    constexpr std::size_t kCellsOfATile = 2 * kTile * kDepth;
    std::size_t most = 0, words = 0;
    for (const Step& step : replay.schedule().steps) {
        const std::size_t before = under_way(replay.seek(step.begin));
        const std::size_t after = under_way(replay.seek(step.end()));
        if (operation(trace, step) == Operation::kCopyStore) {
            EXPECT_GE(before, kTile * 4u);
            EXPECT_TRUE(after < before || after == 0 || step.end() == replay.schedule().ticks ||
                        operation(trace, replay.schedule().steps[replay.state().step]) ==
                            Operation::kCopyLoad);
            words += kTile * 4;
        }
        if (operation(trace, step) == Operation::kLoad) {
            // The tile of this phase has arrived; those of the next phases are under way.
            EXPECT_LE(before, (kStages - 1) * kCellsOfATile);
        }
        most = std::max(most, before);
    }
    EXPECT_EQ(most, (kStages - 1) * kCellsOfATile);
    EXPECT_EQ(words, 64u / kDepth * kCellsOfATile);
    EXPECT_EQ(under_way(replay.seek(replay.schedule().ticks)), 0u);
}

TEST(AsyncCopyReplay, AWarpWaitsForItsCopies) {
    const Trace trace = pipeline(32);
    Replay replay = Replay::of_block(trace, 0).value();
    for (const Step& step : replay.schedule().steps) {
        const ReplayState& state = replay.seek(step.begin);
        const bool arrives = operation(trace, step) == Operation::kCopyStore;
        EXPECT_EQ(state.warps[step.warp].activity == Activity::kWaitsForCopy, arrives);
        EXPECT_FALSE(state.at_barrier);  // it is the only warp
        const std::string sentence = plain_text(replay.sentence());
        EXPECT_EQ(sentence.find("waits for the copy into") != sentence.npos, arrives) << sentence;
        EXPECT_EQ(sentence.find("starts to copy") != sentence.npos,
                  operation(trace, step) == Operation::kCopyLoad)
            << sentence;
    }
}

TEST(AsyncCopyReplay, WithoutTheWaitNothingEverArrives) {
    std::uint32_t wait = 0;
    for (const KernelBarrier& barrier : find_kernel("19_async_pipeline")->barriers)
        if (barrier.function.what == WaitFor::kCopies)
            wait = static_cast<std::uint32_t>(barrier.line);
    ASSERT_NE(wait, 0u);
    const Trace trace = pipeline(32, wait);
    Replay replay = Replay::of_block(trace, 0).value();
    for (const Step& step : replay.schedule().steps)
        EXPECT_NE(operation(trace, step), Operation::kCopyStore);
    EXPECT_GT(under_way(replay.seek(replay.schedule().ticks)), 0u);
}

TEST(AsyncCopyReplay, WithClocksEachCopyArrivesAfterItBegins) {
    Trace trace = pipeline(32);
    trace.records.clock.resize(trace.records.size());
    for (std::size_t record = 0; record < trace.records.size(); ++record)
        trace.records.clock[record] = 100 * record;
    const Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_GT(replay.schedule().cycles_per_tick, 0u);
    Tick before = 0;
    for (const Step& step : replay.schedule().steps) {
        EXPECT_GE(step.begin, before);
        before = step.end();
    }
    for (const Flight& flight : replay.flights()) EXPECT_LT(flight.depart, flight.land);
}

}  // namespace
}  // namespace tilereel::async_copy_replay_test
