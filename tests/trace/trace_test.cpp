#include "instrumentation/trace/trace.h"

#include <gtest/gtest.h>

#include "instrumentation/trace/launch_names.h"
#include "tests/trace/sample_trace.h"

namespace tilereel::trace_test {
namespace {

TEST(Expand, RegularPatternCountsFromTheLowestActiveLane) {
    // Lane = 4 tx bits and 1 ty bit of a 16-wide block: 4 bytes a column, 260 bytes a row.
    const Pattern pattern{0xfffffff8, {4, 8, 16, 32, 260}, Pattern::kRegular};
    const LaneOffsets lanes = expand(pattern, 1000, {});
    EXPECT_EQ(lanes.mask, 0xfffffff8u);
    EXPECT_EQ(lanes.bytes[0], 0u);
    EXPECT_EQ(lanes.bytes[3], 1000u);
    EXPECT_EQ(lanes.bytes[4], 1004u);
    EXPECT_EQ(lanes.bytes[15], 1000u + 12 * 4);
    EXPECT_EQ(lanes.bytes[16], 1000u + 260 - 3 * 4);
    EXPECT_EQ(lanes.bytes[31], 1000u + 260 + 12 * 4);
}

TEST(Expand, NegativeDeltasGoDown) {
    const Pattern pattern{0x3, {-4, 0, 0, 0, 0}, Pattern::kRegular};
    const LaneOffsets lanes = expand(pattern, 100, {});
    EXPECT_EQ(lanes.bytes[0], 100u);
    EXPECT_EQ(lanes.bytes[1], 96u);
}

TEST(Expand, AnIrregularPatternHasTheOffsetsOfItsRow) {
    IrregularOffsets offsets{};
    offsets[2] = 0;
    offsets[7] = -12;
    offsets[31] = 4096;
    const Pattern pattern{1u << 2 | 1u << 7 | 1u << 31, {1, 2, 3, 4, 5}, 1};
    const std::vector<IrregularOffsets> rows{IrregularOffsets{}, offsets};
    const LaneOffsets lanes = expand(pattern, 500, rows);
    EXPECT_EQ(lanes.bytes[2], 500u);
    EXPECT_EQ(lanes.bytes[7], 488u);
    EXPECT_EQ(lanes.bytes[31], 4596u);
    EXPECT_EQ(lanes.bytes[3], 0u);
}

TEST(ElementName, IsWrittenAsInTheKernel) {
    const Array matrix{.name = "A", .rows = 1, .columns = 8, .leading_dimension = 8};
    EXPECT_EQ(element_name(matrix, 0, 5), "A[0][5]");
    Array tile{.name = "As", .space = Space::kShared, .rows = 32, .columns = 16};
    EXPECT_EQ(tile.planes(), 1u);
    EXPECT_EQ(element_name(tile, 19, 5), "As[19][5]");
    tile.outer_extents = {2};
    EXPECT_EQ(tile.planes(), 2u);
    EXPECT_EQ(tile.rows_of_plane(), 16u);
    EXPECT_EQ(element_name(tile, 19, 5), "As[1][3][5]");
    EXPECT_EQ(plane_name(tile, 0), "As[0]");
    tile.outer_extents = {2, 4};  // As[2][4][4][...]
    EXPECT_EQ(element_name(tile, 27, 16), "As[1][2][3][16]");
    const Array bytes{.name = "bytes", .space = Space::kShared, .rows = 1, .columns = 64};
    EXPECT_EQ(element_name(bytes, 0, 40), "bytes[40]");
}

TEST(SegmentsOfBlock, FindsEachBlockAndNoOther) {
    Trace trace;
    trace.segments.block = {0, 0, 2, 2, 2, 5};
    EXPECT_EQ(segments_of_block(trace, 0).first, 0u);
    EXPECT_EQ(segments_of_block(trace, 0).last, 2u);
    EXPECT_EQ(segments_of_block(trace, 2).first, 2u);
    EXPECT_EQ(segments_of_block(trace, 2).last, 5u);
    EXPECT_EQ(segments_of_block(trace, 5).last, 6u);
    const SegmentRange none = segments_of_block(trace, 1);
    EXPECT_EQ(none.first, none.last);
}

TEST(AccessCount, CountsLanesOfLoadsAndStoresOnly) {
    // Each of 2 blocks: loads 32 + 8, shared stores 32 + 8, C's stores 32 + 8.
    EXPECT_EQ(access_count(tests::sample_trace()), 2u * 3 * 40);
}

TEST(LaunchNames, HaveAsManyNumbersAsTheLaunchHasExtents) {
    EXPECT_EQ(block_name({100, 1, 1}, 70), "70");
    EXPECT_EQ(block_name({8, 4, 1}, 10), "2,1");
    EXPECT_EQ(block_name({8, 1, 3}, 10), "2,0,1");
    EXPECT_EQ(thread_name({64, 1, 1}, 3), "3");
    EXPECT_EQ(thread_name({16, 16, 1}, 19), "(3,1)");
    EXPECT_EQ(thread_name({4, 2, 2}, 13), "(1,1,1)");
}

TEST(MemoryBytes, GrowsByWhatAColumnHolds) {
    Trace trace = tests::sample_trace();
    const std::uint64_t before = memory_bytes(trace);
    trace.words.resize(trace.words.size() + 10);
    EXPECT_EQ(memory_bytes(trace), before + 40);
    trace.records.clock.clear();
    EXPECT_EQ(memory_bytes(trace), before + 40 - 8 * trace.records.size());
}

}  // namespace
}  // namespace tilereel::trace_test
