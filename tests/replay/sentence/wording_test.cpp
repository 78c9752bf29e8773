#include "app/replay/sentence/wording.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilereel::wording_test {
namespace {

TEST(Wording, Numbers) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(1234567), "1,234,567");
    EXPECT_EQ(counted(1, "lane", "lanes"), "1 lane");
    EXPECT_EQ(counted(0, "lane", "lanes"), "0 lanes");
}

TEST(Wording, Ranges) {
    EXPECT_EQ(range_of("row", 4, 5), "row 4");
    EXPECT_EQ(range_of("row", 4, 6), "rows 4 and 5");
    EXPECT_EQ(range_of("row", 4, 8), "rows 4 to 7");
    EXPECT_EQ(range_of("column", 0, 2048), "columns 0 to 2,047");
}

TEST(Wording, Shares) {
    EXPECT_EQ(fraction_text(64, 128), "half");
    EXPECT_EQ(fraction_text(896, 1024), "seven eighths");
    EXPECT_EQ(fraction_text(3, 4), "three quarters");
    EXPECT_EQ(fraction_text(1, 3), "a third");
    EXPECT_EQ(fraction_text(1, 8), "an eighth");
    EXPECT_EQ(fraction_text(5, 7), "");
    EXPECT_EQ(fraction_text(0, 8), "");
    EXPECT_EQ(fraction_text(8, 8), "");
    EXPECT_EQ(fraction_text(0, 0), "");
}

TEST(Wording, WarpLists) {
    using Warps = std::vector<std::uint16_t>;
    EXPECT_EQ(warps_listed(Warps{3}), "warp 3");
    EXPECT_EQ(warps_listed(Warps{0, 1}), "warps 0 and 1");
    EXPECT_EQ(warps_listed(Warps{0, 2}), "warps 0 and 2");
    EXPECT_EQ(warps_listed(Warps{0, 1, 2}), "warps 0 to 2");
    EXPECT_EQ(warps_listed(Warps{0, 1, 2, 5}), "4 warps");
    EXPECT_EQ(capitalised("warps 0 to 2"), "Warps 0 to 2");
    EXPECT_EQ(capitalised("9 warps"), "9 warps");
}

}  // namespace
}  // namespace tilereel::wording_test
