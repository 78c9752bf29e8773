#include "app/ui/plot_labels.h"

#include <gtest/gtest.h>

#include <array>

namespace tilereel::plot_labels_test {
namespace {

constexpr Rect kRoom{0, 0, 100, 50};

bool apart(const Rect& a, const Rect& b) {
    return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

TEST(PlotLabels, TakesTheFirstPlaceThatIsFree) {
    LabelPlacer placer(kRoom);
    placer.keep_free({10, 10, 20, 10});
    const Rect places[] = {{-1, 0, 10, 10}, {25, 15, 10, 10}, {30, 10, 10, 10}, {60, 10, 10, 10}};
    const auto placed = placer.place(places);
    ASSERT_TRUE(placed);
    // The first place lies beyond the edge, the second over the part that is kept free.
    EXPECT_EQ(placed->x, 30);
    const auto second = placer.place(places);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->x, 60);
    EXPECT_FALSE(placer.place(places));
}

TEST(PlotLabels, CrossesALineOnlyWhereNothingElseIsFree) {
    LabelPlacer placer(kRoom);
    placer.avoid_line({0, 0}, {100, 50});
    const Rect over{45, 20, 10, 10}, beside{60, 0, 10, 10};
    const Rect both[] = {over, beside};
    EXPECT_EQ(placer.place(both)->x, beside.x);
    EXPECT_EQ(placer.place(both)->x, over.x);
    EXPECT_FALSE(placer.place(both));
}

TEST(PlotLabels, ALeaderPassesThroughNoOtherLabel) {
    LabelPlacer placer(kRoom);
    const Rect near{20, 20, 10, 10}, behind{40, 20, 10, 10}, above{40, 0, 10, 10};
    const ImVec2 point{10, 25};
    EXPECT_EQ(leader_end(near, point).x, 20);
    EXPECT_EQ(leader_end(near, {90, 25}).x, 30);
    ASSERT_TRUE(placer.place(std::array{near}));
    EXPECT_FALSE(placer.place_beside(point, std::array{behind}));
    ASSERT_TRUE(placer.place_beside(point, std::array{behind, above}));
    // A label does not cover the leader of another label, either.
    const Rect over{32, 5, 6, 6};
    EXPECT_TRUE(line_meets(over, point, leader_end(above, point)));
    EXPECT_FALSE(placer.place_beside({80, 10}, std::array{over}));
}

TEST(PlotLabels, ALineMeetsWhatItPassesThrough) {
    const Rect rect{10, 10, 10, 10};
    EXPECT_TRUE(line_meets(rect, {0, 15}, {100, 15}));  // through
    EXPECT_TRUE(line_meets(rect, {12, 12}, {13, 13}));  // within
    EXPECT_TRUE(line_meets(rect, {15, 0}, {15, 11}));   // ends within
    EXPECT_TRUE(line_meets(rect, {8, 13}, {13, 8}));    // cuts the corner at 10, 10
    EXPECT_FALSE(line_meets(rect, {6, 13}, {13, 6}));   // misses it
    EXPECT_FALSE(line_meets(rect, {0, 15}, {9, 15}));   // ends before
    EXPECT_FALSE(line_meets(rect, {0, 21}, {100, 21}));
}

TEST(PlotLabels, ManyPointsInOnePlaceGetLabelsApart) {
    const Rect room{0, 0, 600, 400};
    LabelPlacer placer(room);
    std::vector<Rect> placed;
    for (int i = 0; i < 12; ++i) {
        const auto one = placer.place(places_beside({300, 200}, {150, 16}, 12, 130));
        ASSERT_TRUE(one) << i;
        for (const Rect& other : placed) EXPECT_TRUE(apart(*one, other)) << i;
        placed.push_back(*one);
    }
    // The first stands right of its point, at its height.
    EXPECT_EQ(placed[0].x, 312);
    EXPECT_EQ(placed[0].center().y, 200);
}

}  // namespace
}  // namespace tilereel::plot_labels_test
