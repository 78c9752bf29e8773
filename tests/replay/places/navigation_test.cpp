// Steps by phase, request and wavefront, and places that stay valid when TILE, PAD or kernel
// changes.
#include "app/replay/places/navigation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/replay/replay.h"
#include "tests/replay/kernel_script.h"

namespace tilereel::navigation_test {
namespace {

using Unit = StepUnit;

TEST(Navigation, ByPhase) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});  // phases begin at 0, 14, 28, 42
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(next_tick(*replay, Unit::kPhase, 0), 14u);
    EXPECT_EQ(next_tick(*replay, Unit::kPhase, 13), 14u);
    EXPECT_EQ(next_tick(*replay, Unit::kPhase, 14), 28u);
    EXPECT_EQ(next_tick(*replay, Unit::kPhase, 45), 58u);
    EXPECT_EQ(next_tick(*replay, Unit::kPhase, 58), 58u);
    EXPECT_EQ(previous_tick(*replay, Unit::kPhase, 58), 42u);
    EXPECT_EQ(previous_tick(*replay, Unit::kPhase, 42), 28u);
    EXPECT_EQ(previous_tick(*replay, Unit::kPhase, 41), 28u);
    EXPECT_EQ(previous_tick(*replay, Unit::kPhase, 5), 0u);
    EXPECT_EQ(previous_tick(*replay, Unit::kPhase, 0), 0u);
}

TEST(Navigation, ByRequestAndWavefront) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});  // requests begin at 0, 2, 3, 5, 6, ...
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(next_tick(*replay, Unit::kRequest, 0), 2u);
    EXPECT_EQ(next_tick(*replay, Unit::kRequest, 1), 2u);
    EXPECT_EQ(next_tick(*replay, Unit::kRequest, 57), 58u);
    EXPECT_EQ(previous_tick(*replay, Unit::kRequest, 58), 56u);
    EXPECT_EQ(previous_tick(*replay, Unit::kRequest, 4), 3u);
    EXPECT_EQ(previous_tick(*replay, Unit::kRequest, 3), 2u);
    EXPECT_EQ(previous_tick(*replay, Unit::kRequest, 0), 0u);
    EXPECT_EQ(next_tick(*replay, Unit::kWavefront, 57), 58u);
    EXPECT_EQ(next_tick(*replay, Unit::kWavefront, 58), 58u);
    EXPECT_EQ(previous_tick(*replay, Unit::kWavefront, 1), 0u);
    EXPECT_EQ(previous_tick(*replay, Unit::kWavefront, 0), 0u);
}

TEST(Navigation, SteppingForwardAndBackVisitsEveryRequest) {
    const Trace trace = trace_of("08", {32, 32, 32, 32, 0});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    Tick tick = 0;
    for (const Step& step : replay->schedule().steps) {
        ASSERT_EQ(tick, step.begin);
        tick = next_tick(*replay, Unit::kRequest, tick);
        ASSERT_EQ(previous_tick(*replay, Unit::kRequest, tick), step.begin);
    }
    EXPECT_EQ(tick, replay->schedule().ticks);
}

TEST(Place, EveryTickIsFoundAgain) {
    for (const auto& [kernel, size] :
         std::vector<std::pair<std::string, ScriptSize>>{{"09", {16, 16, 16, 4, 0}},
                                                         {"09", {16, 16, 16, 8, 1}},
                                                         {"08", {32, 32, 32, 32, 1}},
                                                         {"02", {9, 21, 5, 8, 0}},
                                                         {"01", {16, 16, 16, 8, 0}}}) {
        const Trace trace = trace_of(kernel, size);
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            const Result<Replay> replay = Replay::of_block(trace, block);
            for (Tick tick = 0; tick <= replay->schedule().ticks; ++tick)
                ASSERT_EQ(tick_of(*replay, place_at(*replay, tick)), tick) << kernel << " " << tick;
            ASSERT_EQ(block_at(trace, place_at(*replay, 0)), block) << kernel;
        }
    }
}

TEST(Place, PaddingKeepsTheRequest) {
    const Trace plain = trace_of("08", {32, 32, 32, 32, 0});
    const Trace padded = trace_of("08", {32, 32, 32, 32, 1});
    const Result<Replay> before = Replay::of_block(plain, 0), after = Replay::of_block(padded, 0);
    ASSERT_EQ(before->schedule().steps.size(), after->schedule().steps.size());
    for (std::size_t i = 0; i < before->schedule().steps.size(); ++i) {
        const Tick inside =
            before->schedule().steps[i].begin + before->schedule().steps[i].ticks / 2;
        const Tick found = tick_of(*after, place_at(*before, inside));
        ASSERT_GE(found, after->schedule().steps[i].begin);
        ASSERT_LT(found, after->schedule().steps[i].end());
    }
    EXPECT_EQ(tick_of(*after, place_at(*before, before->schedule().ticks)),
              after->schedule().ticks);
}

TEST(Place, AnotherTileKeepsPhasePartAndFraction) {
    const Trace small = trace_of("09", {16, 16, 16, 4, 0}), large = trace_of("09", {16, 16, 16, 8});
    const Result<Replay> from = Replay::of_block(small, 6), to = Replay::of_block(large, 1);
    for (const Step& step : from->schedule().steps) {
        const Tick tick = tick_of(*to, place_at(*from, step.begin));
        const auto at = std::ranges::find_if(to->schedule().steps,
                                             [&](const Step& other) { return tick < other.end(); });
        ASSERT_EQ(at->part, step.part);
        ASSERT_EQ(at->phase, step.phase / 2);
    }
    // block (2,1) of 4x4 is in the upper right quarter: block (1,0) of 2x2
    EXPECT_EQ(block_at(large, place_at(*from, 0)), 1u);
}

TEST(Place, TheStoreOfCIsFoundFromAnyTile) {
    const Trace small = trace_of("09", {16, 16, 16, 2, 0}), large = trace_of("09", {16, 16, 16, 8});
    const Trace naive = trace_of("02", {16, 16, 16, 8});
    const Result<Replay> from = Replay::of_block(large, 0);
    for (const Trace* trace : {&small, &naive}) {
        const Result<Replay> to = Replay::of_block(*trace, 0);
        const Tick tick = tick_of(*to, place_at(*from, from->schedule().ticks - 1));
        EXPECT_GE(tick, to->schedule().steps.back().begin - to->schedule().steps.back().ticks);
        const auto at = std::ranges::find_if(to->schedule().steps,
                                             [&](const Step& step) { return tick < step.end(); });
        EXPECT_EQ(at->part, Part::kStore);
    }
}

TEST(Place, APartThatTheKernelLacksFindsTheSamePhase) {
    const Trace tiled = trace_of("09", {16, 16, 16, 4, 0}), naive = trace_of("02", {16, 16, 16, 4});
    const Result<Replay> from = Replay::of_block(tiled, 5), to = Replay::of_block(naive, 5);
    const Tick compute = 14 + 7;  // phase 1 of 4, computing
    ASSERT_EQ(place_at(*from, compute).part, Part::kCompute);
    const Tick tick = tick_of(*to, place_at(*from, compute));
    const auto at = std::ranges::find_if(to->schedule().steps,
                                         [&](const Step& step) { return tick < step.end(); });
    EXPECT_EQ(at->phase, 4u);  // the first of the second quarter of 16 phases
}

// Each phase goes to the one that has its first k.
TEST(Place, ASmallerTileFindsThePhaseThatBeginsWithTheSameK) {
    const Trace one = trace_of("08", {32, 32, 32, 32, 0}), many = trace_of("08", {32, 32, 32, 8});
    const Trace two = trace_of("08", {32, 32, 32, 16, 0});
    for (const auto& [from, to, times] :
         {std::tuple(&one, &many, 4u), std::tuple(&one, &two, 2u), std::tuple(&two, &many, 2u)}) {
        const Result<Replay> before = Replay::of_block(*from, 0), after = Replay::of_block(*to, 0);
        for (const Step& step : before->schedule().steps) {
            if (step.part == Part::kStore) continue;  // of C: after the last phase
            const Tick tick = tick_of(*after, place_at(*before, step.begin));
            const auto at = std::ranges::find_if(
                after->schedule().steps, [&](const Step& other) { return tick < other.end(); });
            ASSERT_EQ(at->phase, times * step.phase);
        }
    }
}

// A block's place is its first element of C. A launch of one block covers all of C, and its centre
// would be the middle of a larger grid.
TEST(Place, TheFirstBlockStaysTheFirstWhateverTheSize) {
    for (const std::string kernel : {"01", "02", "09"}) {
        const Trace one = trace_of(kernel, {4, 4, 4, 4, 0});
        const LogicalPlace place = place_at(*Replay::of_block(one, 0), 0);
        for (const ScriptSize& size :
             {ScriptSize{8, 8, 4, 4}, {64, 64, 4, 4}, {4, 64, 4, 4}, {64, 8, 4, 4}, {12, 20, 4, 4}})
            EXPECT_EQ(block_at(trace_of(kernel, size), place), 0u) << kernel << size.m;
    }
    // Block (2,1) begins at half of the columns and a quarter of the rows.
    const Trace small = trace_of("09", {16, 16, 4, 4, 0}), large = trace_of("09", {32, 32, 4, 4});
    EXPECT_EQ(block_at(large, place_at(*Replay::of_block(small, 6), 0)), 2u * 8 + 4);
}

// The block that stores an element is found from the middle of that element, wherever it lies in
// the block.
TEST(Place, EveryElementBelongsToTheBlockThatStoresIt) {
    for (const auto& [kernel, size] : std::vector<std::pair<std::string, ScriptSize>>{
             {"09", {16, 24, 8, 8, 0}}, {"02", {9, 21, 5, 8, 0}}, {"01", {10, 7, 5, 4, 0}}}) {
        const Trace trace = trace_of(kernel, size);
        for (int row = 0; row < size.m; ++row)
            for (int column = 0; column < size.n; ++column) {
                const LogicalPlace place{.block_x = (column + 0.5) / size.n,
                                         .block_y = (row + 0.5) / size.m};
                const CellRect rect = Replay::of_block(trace, block_at(trace, place))->regions().c;
                ASSERT_TRUE(row >= static_cast<int>(rect.row0) &&
                            row < static_cast<int>(rect.row1) &&
                            column >= static_cast<int>(rect.column0) &&
                            column < static_cast<int>(rect.column1))
                    << kernel << " C[" << row << "][" << column << "]";
            }
    }
}

TEST(Place, BlocksOfTheKernelWithATransposedGrid) {
    const Trace turned = trace_of("01", {16, 32, 4, 8, 0});    // grid (2, 4): x along rows
    const Trace straight = trace_of("02", {16, 32, 4, 8, 0});  // grid (4, 2)
    for (std::uint32_t block = 0; block < 8; ++block) {
        const Result<Replay> replay = Replay::of_block(straight, block);
        const std::uint32_t found = block_at(turned, place_at(*replay, 0));
        EXPECT_EQ(Replay::of_block(turned, found)->regions().c, replay->regions().c);
    }
}

}  // namespace
}  // namespace tilereel::navigation_test
