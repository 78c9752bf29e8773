#include "kernels/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilereel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Catalog, ListsTheLadderInTeachingOrder) {
    std::vector<std::string_view> ids;
    for (const KernelInfo& kernel : catalog()) ids.push_back(kernel.id);
    EXPECT_THAT(ids,
                ElementsAre("01_naive_by_column", "02_naive", "08_tiled_b_transposed", "09_tiled"));
}

TEST(Catalog, EmbedsEachFileWordForWord) {
    for (const KernelInfo& kernel : catalog()) {
        std::ifstream file(std::string(TILEREEL_SOURCE_DIR "/kernels/") +
                           std::string(kernel.file_name));
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(kernel.source, text.str()) << kernel.id;
    }
}

TEST(Catalog, ReadsTheHeaderOfEachKernel) {
    for (const KernelInfo& kernel : catalog()) {
        EXPECT_FALSE(kernel.idea.empty()) << kernel.id;
        EXPECT_FALSE(kernel.watch.empty()) << kernel.id;
        EXPECT_FALSE(kernel.next.empty()) << kernel.id;
        EXPECT_THAT(std::string(kernel.from), HasSubstr("Matrix")) << kernel.id;
        EXPECT_THAT(std::string(kernel.idea), Not(HasSubstr("//"))) << kernel.id;
    }
    const KernelInfo* tiled = find_kernel("09_tiled");
    ASSERT_NE(tiled, nullptr);
    EXPECT_EQ(tiled->title, "09 tiled");
    EXPECT_EQ(tiled->next, "10 tiled_any_size takes any M, N, K");
    EXPECT_EQ(tiled->from,  // two lines of the file
              "\"Memory Coalescing and Tiled Matrix Multiplication\", Tiled Version");
}

// The window shows a kernel file whole, at its smallest size too.
TEST(Catalog, EachFileFitsTheSourcePanel) {
    for (const KernelInfo& kernel : catalog()) {
        std::istringstream text{std::string(kernel.source)};
        int lines = 0;
        for (std::string line; std::getline(text, line); ++lines)
            EXPECT_LE(line.size(), 62u) << kernel.id << ": " << line;
        EXPECT_LE(lines, 32) << kernel.id;
    }
}

TEST(Catalog, OffersTilesAndPads) {
    EXPECT_THAT(find_kernel("01_naive_by_column")->pads, ElementsAre(0));
    EXPECT_THAT(find_kernel("02_naive")->tiles, ElementsAre(2, 4, 8, 16, 32));
    EXPECT_THAT(find_kernel("08_tiled_b_transposed")->pads, ElementsAre(0, 1, 2));
    EXPECT_THAT(find_kernel("09_tiled")->tiles, ElementsAre(2, 4, 8, 16, 32));
}

TEST(Catalog, KnowsNoOtherKernel) {
    EXPECT_EQ(find_kernel("09"), nullptr);
    EXPECT_EQ(find_kernel(""), nullptr);
    EXPECT_EQ(find_kernel("tiled"), nullptr);
}

LaunchShape launch(std::string_view id, const KernelParameters& p) {
    const Result<LaunchShape> shape = validate(*find_kernel(id), p);
    EXPECT_TRUE(shape.has_value()) << shape.error().message;
    return shape ? *shape : LaunchShape{};
}

TEST(Catalog, LaunchesBlocksOverC) {
    const LaunchShape wide = launch("02_naive", {.m = 33, .n = 70, .k = 5, .tile = 32, .pad = 0});
    EXPECT_EQ(wide.grid_x, 3u);  // columns, ceil(70 / 32)
    EXPECT_EQ(wide.grid_y, 2u);  // rows, ceil(33 / 32)
    EXPECT_EQ(wide.block_x, 32u);
    EXPECT_EQ(wide.block_y, 32u);
    const LaunchShape turned =
        launch("01_naive_by_column", {.m = 33, .n = 70, .k = 5, .tile = 32, .pad = 0});
    EXPECT_EQ(turned.grid_x, 2u);  // x runs over rows
    EXPECT_EQ(turned.grid_y, 3u);
}

std::string refusal(std::string_view id, const KernelParameters& p) {
    const Result<LaunchShape> shape = validate(*find_kernel(id), p);
    if (shape) return "accepted";
    EXPECT_EQ(shape.error().kind, ErrorKind::kWrongCall);
    return shape.error().message;
}

TEST(Catalog, RefusalsSayWhatToUse) {
    EXPECT_EQ(refusal("09_tiled", {.m = 64, .n = 64, .k = 60, .tile = 16, .pad = 0}),
              "K is 60: 09_tiled needs a multiple of TILE 16; use 64");
    EXPECT_EQ(refusal("08_tiled_b_transposed", {.m = 1, .n = 64, .k = 64, .tile = 8, .pad = 1}),
              "M is 1: 08_tiled_b_transposed needs a multiple of TILE 8; use 8");
    EXPECT_THAT(refusal("02_naive", {.m = 0, .n = 1, .k = 1, .tile = 16, .pad = 0}),
                HasSubstr("M is 0"));
    EXPECT_THAT(refusal("02_naive", {.m = 1, .n = -5, .k = 1, .tile = 16, .pad = 0}),
                HasSubstr("N is -5"));
    EXPECT_THAT(refusal("02_naive", {.m = 1, .n = 1, .k = kLargestExtent + 1, .tile = 16}),
                HasSubstr("use a size from 1 to 1048576"));
    EXPECT_THAT(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 12, .pad = 0}),
                HasSubstr("takes 2, 4, 8, 16 or 32"));
    EXPECT_THAT(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 0, .pad = 0}),
                HasSubstr("TILE is 0"));
    EXPECT_THAT(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 3}),
                HasSubstr("takes 0, 1 or 2"));
    EXPECT_EQ(refusal("02_naive", {.m = 7, .n = 5, .k = 3, .tile = 2, .pad = 1}),
              "PAD is 1: 02_naive takes 0");
    // The suggestion itself must be acceptable where there is one within the largest extent.
    EXPECT_EQ(refusal("09_tiled", {.m = kLargestExtent - 1, .n = 64, .k = 64, .tile = 32}),
              "M is 1048575: 09_tiled needs a multiple of TILE 32; use 1048576");
}

}  // namespace
}  // namespace tilereel
