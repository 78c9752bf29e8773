// Where a replay stops: parts, barriers, conflicts, and the rounds of a block of one thread.
#include "app/replay/places/stops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"

namespace tilereel::stops_test {
namespace {

using testing::ElementsAre;

Trace recorded_launch(const char* kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    return record_built_in(request).value();
}

// A phase of 09 at TILE 4 and K = 8: a line of A, a store, 2 lines of B, a store, 8 reads. Then C's
// 2 lines.
TEST(Stops, APhaseHasFourParts) {
    const Trace trace = recorded_launch("09_tiled", {16, 16, 8, 4, 0});
    const Replay replay = Replay::of_block(trace, 0).value();
    ASSERT_EQ(replay.schedule().ticks, 28u);
    const double before = 1.0 / 32;
    EXPECT_THAT(part_stops(replay),
                ElementsAre(0, 5 - before, 5, 13 - before, 13, 18 - before, 18, 26 - before, 26));
    EXPECT_THAT(barrier_stops(replay),
                ElementsAre(5 - before, 13 - before, 18 - before, 26 - before));
    EXPECT_THAT(conflict_stops(replay), ElementsAre());
    EXPECT_EQ(stop_beside(part_stops(replay), 5, +1), 13 - before);
    EXPECT_EQ(stop_beside(part_stops(replay), 5, -1), 5 - before);
    EXPECT_EQ(stop_beside(part_stops(replay), 6.5, -1), 5);
    EXPECT_EQ(stop_beside(part_stops(replay), 0, -1), std::nullopt);
    EXPECT_EQ(stop_beside(part_stops(replay), 26, +1), std::nullopt);
}

// Without barriers and tiles a phase is one trip of the k loop: a request for A and one for B.
TEST(Stops, WithoutBarriersEveryTripIsAPart) {
    const Trace trace = recorded_launch("02_naive", {4, 4, 3, 4, 0});
    const Replay replay = Replay::of_block(trace, 0).value();
    const std::vector<double> stops = part_stops(replay);
    ASSERT_EQ(stops.size(), 4u);  // three trips, and the store
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(stops[k], static_cast<double>(replay.schedule().steps[2 * k].begin));
    EXPECT_EQ(stops[3], static_cast<double>(replay.schedule().steps[6].begin));
    EXPECT_TRUE(barrier_stops(replay).empty());
}

// Stops lie within the replay, in order and apart, also where loads and computing overlap.
TEST(Stops, AreInOrderInPipelines) {
    for (const auto& [kernel, parameters] : std::vector<std::pair<const char*, KernelParameters>>{
             {"04_guide_a_shared", {8, 8, 4, 4, 0}},
             {"14_outer_product_prefetch", {16, 64, 48, 16, 0}},
             {"19_async_pipeline", {16, 16, 64, 16, 0}},
             {"20_champion", {32, 32, 64, 32, 0}},
             {"cpu_tiled", {8, 8, 8, 8, 0}}}) {
        const Trace trace = recorded_launch(kernel, parameters);
        const Replay replay = Replay::of_block(trace, 0).value();
        const std::vector<double> stops = part_stops(replay);
        EXPECT_GT(stops.size(), 3u) << kernel;
        for (std::size_t i = 0; i < stops.size(); ++i) {
            EXPECT_GE(stops[i], i == 0 ? 0 : stops[i - 1] + 1.0 / 64) << kernel;
            EXPECT_LT(stops[i], static_cast<double>(replay.schedule().ticks)) << kernel;
        }
        for (const Barrier& barrier : replay.schedule().barriers)
            EXPECT_TRUE(std::ranges::count(stops, static_cast<double>(barrier.at) - 1.0 / 32) == 1)
                << kernel;
    }
}

TEST(Stops, AtConflictsAreTheRequestsThatTakeLongerThanTheIdeal) {
    const Trace trace = recorded_launch("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    const Replay replay = Replay::of_block(trace, 0).value();
    const std::vector<double> stops = conflict_stops(replay);
    // A column of Bs is 32 words of one bank: 32 warps store to it and read it 32 times.
    EXPECT_EQ(stops.size(), 32u + 32 * 32);
    EXPECT_TRUE(std::ranges::is_sorted(stops));
}

// Three loops in one thread: each element of C takes K trips of two loads, then a store.
TEST(Rounds, OfOneThreadAreTheElementsOfC) {
    const Trace trace = recorded_launch("cpu_naive", {3, 4, 5, 16, 0});
    const Replay replay = Replay::of_block(trace, 0).value();
    const std::vector<Round>& rounds = replay.rounds();
    ASSERT_EQ(rounds.size(), 12u);
    const Tick each = 2 * 5 + 1;
    for (std::uint32_t i = 0; i < rounds.size(); ++i) {
        EXPECT_EQ(rounds[i].begin, i * each);
        EXPECT_EQ(rounds[i].end, (i + 1) * each);
        EXPECT_EQ(rounds[i].stores, (CellRect{i / 4, i % 4, i / 4 + 1, i % 4 + 1}));
    }
    // A part is an element of C, a phase a row of it.
    const std::vector<double> stops = part_stops(replay);
    ASSERT_EQ(stops.size(), 12u);
    for (std::size_t i = 0; i < stops.size(); ++i)
        EXPECT_EQ(stops[i], static_cast<double>(i * each));
    EXPECT_EQ(next_tick(replay, StepUnit::kPhase, 0), 4 * each);
    EXPECT_EQ(next_tick(replay, StepUnit::kPhase, 4 * each), 8 * each);
    EXPECT_EQ(previous_tick(replay, StepUnit::kPhase, 5 * each), 4 * each);
}

// 4 rows of sums are a strip: 8 rows of C are two.
TEST(Rounds, OfTheTiledCpuKernelAreStrips) {
    const Trace trace = recorded_launch("cpu_tiled", {8, 8, 8, 8, 0});
    const Replay replay = Replay::of_block(trace, 0).value();
    ASSERT_EQ(replay.rounds().size(), 2u);
    EXPECT_EQ(replay.rounds()[0].stores, (CellRect{0, 0, 4, 8}));
    EXPECT_EQ(replay.rounds()[1].stores, (CellRect{4, 0, 8, 8}));
}

TEST(Rounds, ABlockOfSeveralThreadsHasNone) {
    for (const char* kernel : {"02_naive", "09_tiled"}) {
        const Trace trace = recorded_launch(kernel, {8, 8, 8, 4, 0});
        EXPECT_TRUE(Replay::of_block(trace, 0)->rounds().empty()) << kernel;
    }
}

}  // namespace
}  // namespace tilereel::stops_test
