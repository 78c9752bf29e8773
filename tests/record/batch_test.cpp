// Batch::add_access_like_last(), and the merging of batches into a trace.
#include "instrumentation/record/batch.h"

#include <gtest/gtest.h>

#include "instrumentation/record/merge.h"
#include "tests/trace/same_trace.h"

namespace tilereel::batch_test {
namespace {

constexpr std::uint32_t kAll = 0xffffffff, kBegin = 1000, kLast = 400 - 4;  // an array of 400 bytes

LaneWords every(std::uint32_t step, std::uint32_t base) {
    LaneWords offsets{};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) offsets[lane] = base + lane * step;
    return offsets;
}

class BatchTest : public testing::Test {
  protected:
    BatchTest() : site_(batch_.add_site({.line = 1, .array = 0})) {
        batch_.begin_segment(0, 0, 0);
        batch_.add_access(site_, every(4, kBegin).data(), kAll, 0u - kBegin);
    }
    bool adds(const LaneWords& offsets, std::uint32_t mask = kAll) {
        return batch_.add_access_like_last(site_, offsets.data(), mask, 0u - kBegin, kBegin, kLast);
    }
    Trace trace() {
        Trace trace;
        Merger merger(trace, 1);
        merger.add(batch_);
        merger.finish();
        return trace;
    }
    Batch batch_;
    SiteId site_;
};

TEST_F(BatchTest, AnAccessWithTheSameDistancesIsAdded) {
    ASSERT_TRUE(adds(every(4, kBegin + 100)));
    const Trace made = trace();
    ASSERT_EQ(made.records.size(), 2u);
    EXPECT_EQ(made.records.base[1], 100u);
    EXPECT_EQ(made.records.pattern[1], made.records.pattern[0]);
}

TEST_F(BatchTest, AnotherDistanceOrOtherLanesAddNothing) {
    EXPECT_FALSE(adds(every(8, kBegin)));
    LaneWords one_differs = every(4, kBegin);
    one_differs[31] += 4;
    EXPECT_FALSE(adds(one_differs));
    EXPECT_FALSE(adds(every(4, kBegin), 0x7fffffff));
    EXPECT_EQ(batch_.records(), 1u);
}

TEST_F(BatchTest, AnOffsetBeyondTheArrayAddsNothing) {
    EXPECT_TRUE(adds(every(4, kBegin + kLast - 31 * 4)));
    EXPECT_FALSE(adds(every(4, kBegin + kLast - 31 * 4 + 4)));
    EXPECT_FALSE(adds(every(4, kBegin - 4)));
    EXPECT_EQ(batch_.records(), 2u);
}

// The lowest offset is not that of the first lane.
TEST_F(BatchTest, TheLowestOffsetMayBeThatOfAnyLane) {
    const auto down = [](std::uint32_t base) { return every(0u - 4, base); };
    batch_.add_access(site_, down(kBegin + 31 * 4).data(), kAll, 0u - kBegin);
    EXPECT_TRUE(adds(down(kBegin + kLast)));
    EXPECT_FALSE(adds(down(kBegin + 31 * 4 - 4)));
    EXPECT_FALSE(adds(down(kBegin + kLast + 4)));
}

TEST_F(BatchTest, OffsetsOfOtherLanesDoNotCount) {
    batch_.add_access(site_, every(4, kBegin).data(), 0x0000ffff, 0u - kBegin);
    LaneWords offsets = every(4, kBegin + kLast - 15 * 4);  // the upper half lies beyond the array
    offsets[20] = 5;
    EXPECT_TRUE(adds(offsets, 0x0000ffff));
}

// Batches with the same patterns in different orders. The second and third pattern are irregular.
TEST(BatchMerge, PatternsOfLaterBatchesGetTheNumbersOfTheTrace) {
    std::array<LaneWords, 3> shapes = {every(4, 0), every(4, 0), every(4, 0)};
    shapes[1][7] = 500;
    shapes[2][9] = 700;
    Trace trace;
    Merger merger(trace, 4);
    const std::array<std::vector<std::size_t>, 4> orders = {
        {{0, 1, 2}, {0, 2, 1}, {2, 1, 0}, {0, 1}}};
    for (std::uint32_t block = 0; block < orders.size(); ++block) {
        Batch batch;
        const SiteId site = batch.add_site({.line = 1, .array = 0});
        batch.begin_segment(block, 0, 0);
        for (const std::size_t shape : orders[block])
            batch.add_access(site, shapes[shape].data(), kAll);
        merger.populate(block);
        merger.add(batch);
    }
    merger.finish();
    EXPECT_EQ(trace.patterns.size(), 3u);
    EXPECT_EQ(trace.irregular_offsets.size(), 2u);
    std::size_t record = 0;
    for (const std::vector<std::size_t>& order : orders)
        for (const std::size_t shape : order)
            EXPECT_EQ(lane_offsets(trace, record++).bytes, shapes[shape]) << record;
}

// A block's batch, whose sites come in another order in each block.
Batch batch_of_block(std::uint32_t block) {
    Batch batch;
    for (std::uint32_t i = 0; i < 3; ++i) batch.add_site({.line = 1 + (block + i) % 3, .array = 0});
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
        batch.begin_segment(block, 0, static_cast<std::uint16_t>(warp));
        for (SiteId site = 0; site < 3; ++site)
            batch.add_access(site, every(4 << site, 64 * block).data(), kAll);
        batch.add_values(every(1, block).data(), kAll, 1);
        batch.keep_clock(block);
    }
    return batch;
}

template <class Column, class Part>
void append(Column& column, const Part& part) {
    column.insert(column.end(), part.begin(), part.end());
}

// The columns that are handed over are those that add() puts into a trace.
TEST(BatchMerge, NumberedColumnsAreThoseOfTheTrace) {
    Trace added, numbered;
    Merger adder(added, 1), numberer(numbered, 1);
    for (std::uint32_t block = 0; block < 3; ++block) {
        Batch batch = batch_of_block(block);
        adder.add(batch);
        batch = batch_of_block(block);
        const RecordColumns next = numberer.number(batch);
        EXPECT_EQ(numbered.records.size(), block * 6);  // they stay in the batch
        append(numbered.records.site, next.site);
        append(numbered.records.pattern, next.pattern);
        append(numbered.records.base, next.base);
        append(numbered.records.clock, next.clock);
        append(numbered.segments.block, next.block);
        append(numbered.segments.epoch, next.epoch);
        append(numbered.segments.warp, next.warp);
        append(numbered.segments.record_begin, next.record_begin);
        append(numbered.segments.value_begin, next.value_begin);
        append(numbered.words, next.words);
    }
    adder.finish();
    numberer.finish();
    EXPECT_EQ(added.segments.record_begin.back(), 18u);
    EXPECT_EQ(added.segments.value_begin.back(), 6 * kWarpSize);
    EXPECT_EQ(first_difference(added, numbered), "");
}

}  // namespace
}  // namespace tilereel::batch_test
