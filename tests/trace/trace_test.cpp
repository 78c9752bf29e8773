#include "instrumentation/trace/trace.h"

#include <gtest/gtest.h>

#include "tests/trace/sample_trace.h"

namespace tilereel {
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

TEST(Expand, IrregularPatternTakesItsRow) {
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
    EXPECT_EQ(access_count(testing::sample_trace()), 2u * 3 * 40);
}

TEST(MemoryBytes, GrowsByWhatAColumnHolds) {
    Trace trace = testing::sample_trace();
    const std::uint64_t before = memory_bytes(trace);
    trace.values.resize(trace.values.size() + 10);
    EXPECT_EQ(memory_bytes(trace), before + 40);
    trace.records.clock.clear();
    EXPECT_EQ(memory_bytes(trace), before + 40 - 8 * trace.records.size());
}

}  // namespace
}  // namespace tilereel
