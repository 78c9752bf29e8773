// Where a source text has room for a missing barrier.
#include "app/workbench/finding_scene.h"

#include <gtest/gtest.h>

namespace tilereel::finding_scene_test {
namespace {

// Returns "line:indentation" of the barrier, or "none".
std::string place(std::string_view source, std::uint32_t after, std::uint32_t before,
                  bool next_trip) {
    RaceOrder order;
    order.after_line = after;
    order.before_line = before;
    order.next_trip = next_trip;
    const std::optional<BarrierPlace> found = place_of_barrier(source, order);
    if (!found) return "none";
    return std::to_string(found->after_line) + ":" + std::to_string(found->indentation);
}

TEST(PlaceOfBarrier, FollowsTheWholeStatement) {
    constexpr std::string_view kSource =
        "s[i] =\n"
        "    a[i];  // stored;\n"
        "x = s[j];\n";
    EXPECT_EQ(place(kSource, 1, 3, false), "2:0");
}

TEST(PlaceOfBarrier, AtTheEndOfATripFollowsTheInnerBlocks) {
    constexpr std::string_view kSource =
        "for (;;) {\n"
        "    s[i] = a[i];\n"
        "    __syncthreads();\n"
        "    for (int k = 0; k < T; ++k) {\n"
        "        if (k != i) {\n"
        "            x += s[k];\n"
        "        }\n"
        "    }\n"
        "}\n";
    EXPECT_EQ(place(kSource, 6, 2, true), "8:4");
}

TEST(PlaceOfBarrier, IsNoneWithinOneLineOrOutsideOfTheText) {
    EXPECT_EQ(place("s[i] = s[j];\n", 1, 1, false), "none");
    EXPECT_EQ(place("s[i] = s[j];\n", 0, 0, false), "none");
    EXPECT_EQ(place("s[i] = s[j];\n", 3, 4, false), "none");
    EXPECT_EQ(place("", 1, 2, false), "none");
    EXPECT_EQ(place("for (;;)\n    s[i] = s[j] + 1;\n", 2, 2, true), "2:4");
    EXPECT_EQ(place("s[i] = s[j]", 1, 1, true), "1:0") << "a statement without an end";
}

}  // namespace
}  // namespace tilereel::finding_scene_test
