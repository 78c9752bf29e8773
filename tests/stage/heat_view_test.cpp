// The classes of a heat map.
#include "app/stage/heat_view.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tilereel::stage::heat_view_test {
namespace {

using Classes = std::vector<HeatClass>;

TEST(HeatClasses, EachOfFewCountsIsAClass) {
    EXPECT_EQ(heat_classes({}), Classes{});
    EXPECT_EQ(heat_classes({0, 0}), Classes{});
    EXPECT_EQ(heat_classes({16, 16, 16}), (Classes{{16, 16}}));
    EXPECT_EQ(heat_classes({9, 0, 1, 4, 4, 9}), (Classes{{1, 1}, {4, 4}, {9, 9}}));
}

// Ranges side by side from the least to the most, so that every count has a class.
void expect_whole(const Classes& classes, std::uint32_t least, std::uint32_t most) {
    ASSERT_FALSE(classes.empty());
    EXPECT_LE(classes.size(), kMostHeatSteps);
    EXPECT_EQ(classes.front().least, least);
    EXPECT_EQ(classes.back().most, most);
    for (std::size_t i = 1; i < classes.size(); ++i)
        EXPECT_EQ(classes[i].least, classes[i - 1].most + 1);
}

TEST(HeatClasses, ManyCountsAreRanges) {
    std::vector<std::uint32_t> counts(20);
    std::iota(counts.begin(), counts.end(), 1);
    EXPECT_EQ(heat_classes(counts).size(), 5u);
    expect_whole(heat_classes(counts), 1, 20);
    expect_whole(heat_classes({1, 2, 3, 100, 1000, 1000000}), 1, 1000000);
    expect_whole(heat_classes({7, 8, 9, 10, 11, 12}), 7, 12);
    // Equal ratio: 1 and 2 do not fall into one class with 200,000.
    const Classes far = heat_classes({1, 2, 3, 4, 5, 1000000});
    EXPECT_LT(far.front().most, 100u);
}

TEST(HeatClasses, EachCountIsInItsClass) {
    const std::vector<std::uint32_t> counts = {0, 3, 5, 8, 13, 21, 34};
    const HeatView::OfArray heat{&counts, heat_classes(counts)};
    for (const std::uint32_t count : counts) {
        if (count == 0) continue;
        const HeatClass& its = heat.classes[heat.class_of(count)];
        EXPECT_LE(its.least, count);
        EXPECT_GE(its.most, count);
    }
}

}  // namespace
}  // namespace tilereel::stage::heat_view_test
