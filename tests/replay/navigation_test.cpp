// Steps by phase, request and wavefront, and places that outlive TILE, PAD and kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/replay/replay.h"
#include "tests/replay/kernel_script.h"

namespace tilereel {
namespace {

using Unit = Replay::Unit;

TEST(Navigation, ByPhase) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});  // phases begin at 0, 14, 28, 42
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->next(Unit::kPhase, 0), 14u);
    EXPECT_EQ(replay->next(Unit::kPhase, 13), 14u);
    EXPECT_EQ(replay->next(Unit::kPhase, 14), 28u);
    EXPECT_EQ(replay->next(Unit::kPhase, 45), 58u);
    EXPECT_EQ(replay->next(Unit::kPhase, 58), 58u);
    EXPECT_EQ(replay->previous(Unit::kPhase, 58), 42u);
    EXPECT_EQ(replay->previous(Unit::kPhase, 42), 28u);
    EXPECT_EQ(replay->previous(Unit::kPhase, 41), 28u);
    EXPECT_EQ(replay->previous(Unit::kPhase, 5), 0u);
    EXPECT_EQ(replay->previous(Unit::kPhase, 0), 0u);
}

TEST(Navigation, ByRequestAndWavefront) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});  // requests begin at 0, 2, 3, 5, 6, ...
    const Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->next(Unit::kRequest, 0), 2u);
    EXPECT_EQ(replay->next(Unit::kRequest, 1), 2u);
    EXPECT_EQ(replay->next(Unit::kRequest, 57), 58u);
    EXPECT_EQ(replay->previous(Unit::kRequest, 58), 56u);
    EXPECT_EQ(replay->previous(Unit::kRequest, 4), 3u);
    EXPECT_EQ(replay->previous(Unit::kRequest, 3), 2u);
    EXPECT_EQ(replay->previous(Unit::kRequest, 0), 0u);
    EXPECT_EQ(replay->next(Unit::kWavefront, 57), 58u);
    EXPECT_EQ(replay->next(Unit::kWavefront, 58), 58u);
    EXPECT_EQ(replay->previous(Unit::kWavefront, 1), 0u);
    EXPECT_EQ(replay->previous(Unit::kWavefront, 0), 0u);
}

TEST(Navigation, ForwardAndBackMeetEveryRequest) {
    const Trace trace = trace_of("08", {32, 32, 32, 32, 0});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    Tick tick = 0;
    for (const Step& step : replay->steps()) {
        ASSERT_EQ(tick, step.begin);
        tick = replay->next(Unit::kRequest, tick);
        ASSERT_EQ(replay->previous(Unit::kRequest, tick), step.begin);
    }
    EXPECT_EQ(tick, replay->ticks());
}

TEST(Place, EveryTickComesBack) {
    for (const auto& [kernel, size] :
         std::vector<std::pair<std::string, ScriptSize>>{{"09", {16, 16, 16, 4, 0}},
                                                         {"09", {16, 16, 16, 8, 1}},
                                                         {"08", {32, 32, 32, 32, 1}},
                                                         {"02", {9, 21, 5, 8, 0}},
                                                         {"01", {16, 16, 16, 8, 0}}}) {
        const Trace trace = trace_of(kernel, size);
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            const Result<Replay> replay = Replay::of_block(trace, block);
            for (Tick tick = 0; tick <= replay->ticks(); ++tick)
                ASSERT_EQ(replay->find(replay->place(tick)), tick) << kernel << " " << tick;
            ASSERT_EQ(Replay::block_at(trace, replay->place(0)), block) << kernel;
        }
    }
}

TEST(Place, PaddingKeepsTheRequest) {
    const Trace plain = trace_of("08", {32, 32, 32, 32, 0});
    const Trace padded = trace_of("08", {32, 32, 32, 32, 1});
    const Result<Replay> before = Replay::of_block(plain, 0), after = Replay::of_block(padded, 0);
    ASSERT_EQ(before->steps().size(), after->steps().size());
    for (std::size_t i = 0; i < before->steps().size(); ++i) {
        const Tick inside = before->steps()[i].begin + before->steps()[i].ticks / 2;
        const Tick found = after->find(before->place(inside));
        ASSERT_GE(found, after->steps()[i].begin);
        ASSERT_LT(found, after->steps()[i].end());
    }
    EXPECT_EQ(after->find(before->place(before->ticks())), after->ticks());
}

TEST(Place, AnotherTileKeepsPhasePartAndFraction) {
    const Trace small = trace_of("09", {16, 16, 16, 4, 0}), large = trace_of("09", {16, 16, 16, 8});
    const Result<Replay> from = Replay::of_block(small, 6), to = Replay::of_block(large, 1);
    for (const Step& step : from->steps()) {
        const Tick tick = to->find(from->place(step.begin));
        const auto at = std::ranges::find_if(to->steps(),
                                             [&](const Step& other) { return tick < other.end(); });
        ASSERT_EQ(at->part, step.part);
        ASSERT_EQ(at->phase, step.phase / 2);
    }
    // block (2,1) of 4x4 is in the upper right quarter: block (1,0) of 2x2
    EXPECT_EQ(Replay::block_at(large, from->place(0)), 1u);
}

TEST(Place, TheStoreOfCIsFoundFromAnyTile) {
    const Trace small = trace_of("09", {16, 16, 16, 2, 0}), large = trace_of("09", {16, 16, 16, 8});
    const Trace naive = trace_of("02", {16, 16, 16, 8});
    const Result<Replay> from = Replay::of_block(large, 0);
    for (const Trace* trace : {&small, &naive}) {
        const Result<Replay> to = Replay::of_block(*trace, 0);
        const Tick tick = to->find(from->place(from->ticks() - 1));
        EXPECT_GE(tick, to->steps().back().begin - to->steps().back().ticks);
        const auto at =
            std::ranges::find_if(to->steps(), [&](const Step& step) { return tick < step.end(); });
        EXPECT_EQ(at->part, Part::kStore);
    }
}

TEST(Place, APartThatTheKernelLacksFindsTheSamePhase) {
    const Trace tiled = trace_of("09", {16, 16, 16, 4, 0}), naive = trace_of("02", {16, 16, 16, 4});
    const Result<Replay> from = Replay::of_block(tiled, 5), to = Replay::of_block(naive, 5);
    const Tick compute = 14 + 7;  // phase 1 of 4, computing
    ASSERT_EQ(from->place(compute).part, Part::kCompute);
    const Tick tick = to->find(from->place(compute));
    const auto at =
        std::ranges::find_if(to->steps(), [&](const Step& step) { return tick < step.end(); });
    EXPECT_EQ(at->phase, 6u);  // the middle of the second quarter of 16 phases
}

// A block's place is its first element of C. A launch of one block covers all of C, and its centre
// would be the middle of a larger grid.
TEST(Place, TheFirstBlockStaysTheFirstWhateverTheSize) {
    for (const std::string kernel : {"01", "02", "09"}) {
        const Trace one = trace_of(kernel, {4, 4, 4, 4, 0});
        const LogicalPlace place = Replay::of_block(one, 0)->place(0);
        for (const ScriptSize& size :
             {ScriptSize{8, 8, 4, 4}, {64, 64, 4, 4}, {4, 64, 4, 4}, {64, 8, 4, 4}, {12, 20, 4, 4}})
            EXPECT_EQ(Replay::block_at(trace_of(kernel, size), place), 0u) << kernel << size.m;
    }
    // Block (2,1) begins at half of the columns and a quarter of the rows.
    const Trace small = trace_of("09", {16, 16, 4, 4, 0}), large = trace_of("09", {32, 32, 4, 4});
    EXPECT_EQ(Replay::block_at(large, Replay::of_block(small, 6)->place(0)), 2u * 8 + 4);
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
                const CellRect rect =
                    Replay::of_block(trace, Replay::block_at(trace, place))->c_rect();
                ASSERT_TRUE(row >= static_cast<int>(rect.row0) &&
                            row < static_cast<int>(rect.row1) &&
                            column >= static_cast<int>(rect.column0) &&
                            column < static_cast<int>(rect.column1))
                    << kernel << " C[" << row << "][" << column << "]";
            }
    }
}

TEST(Place, BlocksOfTheKernelThatTurnsTheGrid) {
    const Trace turned = trace_of("01", {16, 32, 4, 8, 0});    // grid (2, 4): x along rows
    const Trace straight = trace_of("02", {16, 32, 4, 8, 0});  // grid (4, 2)
    for (std::uint32_t block = 0; block < 8; ++block) {
        const Result<Replay> replay = Replay::of_block(straight, block);
        const std::uint32_t found = Replay::block_at(turned, replay->place(0));
        EXPECT_EQ(Replay::of_block(turned, found)->c_rect(), replay->c_rect());
    }
}

}  // namespace
}  // namespace tilereel
