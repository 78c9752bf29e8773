#include "instrumentation/record/device/segment_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilereel {
namespace {

using ::testing::ElementsAre;

TEST(SegmentPlan, EveryWarpHasItsOwnRoom) {
    const std::vector<std::uint32_t> counts = {3, 0, 5, 7};
    const SegmentPlan plan = plan_segments(counts, 2, 15);
    EXPECT_THAT(plan.begin, ElementsAre(0, 3, 3, 8, 15));
    EXPECT_EQ(plan.blocks, 2u);
    EXPECT_EQ(plan.records(), 15u);
}

TEST(SegmentPlan, BlocksAreLeftOutWholeAndFromTheFirstThatDoesNotFit) {
    const std::vector<std::uint32_t> counts = {3, 1, 5, 7, 1, 1};
    const SegmentPlan plan = plan_segments(counts, 2, 15);
    EXPECT_THAT(plan.begin, ElementsAre(0, 3, 4, 4, 4, 4, 4));
    EXPECT_EQ(plan.blocks, 1u);
}

TEST(SegmentPlan, WithoutCapacityNothingHasRoom) {
    const std::vector<std::uint32_t> counts = {3, 1};
    const SegmentPlan plan = plan_segments(counts, 1, 0);
    EXPECT_THAT(plan.begin, ElementsAre(0, 0, 0));
    EXPECT_EQ(plan.blocks, 0u);
}

TEST(SegmentPlan, CountsBeyondThirtyTwoBits) {
    const std::vector<std::uint32_t> counts(3, 0xffffffff);
    const SegmentPlan plan = plan_segments(counts, 1, std::uint64_t{1} << 40);
    EXPECT_EQ(plan.records(), 3 * std::uint64_t{0xffffffff});
}

}  // namespace
}  // namespace tilereel
