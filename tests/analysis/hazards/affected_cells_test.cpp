// The cells of a block that a hazard affects, epoch by epoch.
#include "instrumentation/analysis/hazards/affected_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/analysis/trace_builder.h"

namespace tilereel::affected_cells_test {
namespace {

using ::testing::IsEmpty;

// As has 4 x 16 floats. Blocks 0 and 1 do the same with different cells: in each epoch warp 0
// writes a row and warp 1 reads its first `columns` cells.
struct TwoBlocks {
    TraceBuilder builder{};
    ArrayId as = builder.add_array("As", Space::kShared, 4, 16);

    void epoch(std::uint32_t block, std::uint32_t epoch, std::uint32_t row, std::uint32_t columns) {
        const auto cell = [row](int lane) {
            return 4 * (16 * row + static_cast<std::uint32_t>(lane % 16));
        };
        builder.begin_segment(block, epoch, 0);
        builder.access(Operation::kStore, as, cell, 0x0000ffff);
        builder.barrier();
        builder.begin_segment(block, epoch, 1);
        builder.access(Operation::kLoad, as, cell, (1u << columns) - 1);
        builder.barrier();
    }
    Trace take() {
        Trace trace = builder.take();
        trace.launch.block = {32, 2, 1};
        trace.launch.grid = {2, 1, 1};
        return trace;
    }
};

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // epoch, row, column
std::set<Place> places(const std::vector<AffectedCell>& cells) {
    std::set<Place> places;
    for (const AffectedCell& cell : cells)
        EXPECT_TRUE(places.emplace(cell.epoch, cell.row, cell.column).second) << "listed twice";
    return places;
}

TEST(AffectedCells, AreThoseThatBothWarpsAccessInOneEpoch) {
    TwoBlocks blocks;
    blocks.epoch(0, 0, 1, 3);
    blocks.epoch(0, 1, 2, 2);
    blocks.epoch(1, 0, 3, 1);
    const Trace trace = blocks.take();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(findings.size(), 1u);
    const std::set<Place> first{{0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {1, 2, 0}, {1, 2, 1}};
    EXPECT_EQ(places(affected_cells(trace, findings, 0)), first);
    EXPECT_EQ(places(affected_cells(trace, findings, 1)), (std::set<Place>{{0, 3, 0}}));
    // The finding counts the same cells, over all blocks and without the epochs.
    EXPECT_EQ(findings[0].cells, 3u + 2u + 1u);
}

TEST(AffectedCells, NameTheTwoThreadsThatAccessThem) {
    TwoBlocks blocks;
    blocks.epoch(0, 0, 1, 3);
    const Trace trace = blocks.take();
    const std::vector<Finding> findings = find_hazards(trace);
    for (const AffectedCell& cell : affected_cells(trace, findings, 0)) {
        EXPECT_EQ(cell.finding, 0u);
        EXPECT_EQ(cell.array, blocks.as);
        EXPECT_EQ(cell.first.thread, cell.column);
        EXPECT_EQ(cell.second.thread, 32 + cell.column);
        const std::string sentence = sentence_of(trace, finding_at(findings[0], 0, cell));
        EXPECT_THAT(sentence, testing::HasSubstr("As[1][" + std::to_string(cell.column) + "]"));
    }
}

TEST(AffectedCells, ARepeatedRaceIsListedOnce) {
    TraceBuilder builder;
    const ArrayId as = builder.add_array("As", Space::kShared, 1, 32);
    const auto cell = [](int lane) { return 4 * static_cast<std::uint32_t>(lane); };
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kStore, as, cell);
    builder.begin_segment(0, 0, 1);
    for (int i = 0; i < 5; ++i) builder.access(Operation::kLoad, as, cell);
    Trace trace = builder.take();
    trace.launch.block = {32, 2, 1};
    const std::vector<Finding> findings = find_hazards(trace);
    EXPECT_EQ(affected_cells(trace, findings, 0).size(), 32 * findings.size());
}

TEST(AffectedCells, FollowTheGeneration) {
    TraceBuilder builder;
    const ArrayId as = builder.add_array("As", Space::kShared, 1, 64);
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kStore, as,
                   [](int lane) { return 4u * static_cast<unsigned>(lane); });
    builder.access(
        Operation::kLoad, as, [](int lane) { return 4u * static_cast<unsigned>(lane + 1); },
        0x7fffffff);
    const Trace trace = builder.take();
    for (const char* id : {"9.0", "6.1"}) {
        const Generation& generation = *find_generation(id);
        const std::vector<Finding> findings = find_hazards(trace, generation);
        const auto cells = affected_cells(trace, findings, 0, generation);
        // Lane i reads what lane i + 1 wrote: words 1 to 31.
        EXPECT_EQ(cells.size(), generation.independent_lanes ? 31u : 0u) << id;
    }
}

TEST(AffectedCells, IncludeUnwrittenCellsThatAreRead) {
    TraceBuilder builder;
    const ArrayId as = builder.add_array("As", Space::kShared, 1, 32);
    builder.begin_segment(0, 0, 0);
    builder.access(
        Operation::kLoad, as, [](int lane) { return 4u * static_cast<unsigned>(lane); }, 0x3);
    const Trace trace = builder.take();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kNeverWritten);
    EXPECT_EQ(places(affected_cells(trace, findings, 0)), (std::set<Place>{{0, 0, 0}, {0, 0, 1}}));
}

TEST(AffectedCells, AreEmptyWithoutFindings) {
    TwoBlocks blocks;
    blocks.epoch(0, 0, 1, 3);
    const Trace trace = blocks.take();
    EXPECT_THAT(affected_cells(trace, {}, 0), IsEmpty());
}

}  // namespace
}  // namespace tilereel::affected_cells_test
