#include "kernels/launch_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "kernels/declaration.h"
#include "kernels/variants.h"

namespace tilereel::launch_rules_test {
namespace {

using testing::ElementsAre;

KernelDeclaration declared(const std::string& line) {
    return read_declaration("// [launch]\n// " + line + "\n");
}

std::string refusal(const std::string& line, const KernelParameters& p) {
    const KernelDeclaration declaration = declared(line);
    EXPECT_EQ(declaration.mistake, "");
    const Status sizes = check_sizes("99_mine", declaration.sizes, p);
    return sizes ? "accepted" : sizes.error().message;
}

TEST(LaunchRules, AnySizesHaveNoRule) {
    for (const char* line : {"", "built = {TILE = [8]}", "multiples = {K = 13}"})
        EXPECT_EQ(refusal(line, {.m = 7, .n = 1, .k = 13, .tile = 16}), "accepted");
}

TEST(LaunchRules, MultiplesOfTileAndOfNumbers) {
    constexpr const char* kMultiples = "multiples = {M = \"TILE\", N = 64, K = \"TILE\"}";
    EXPECT_EQ(refusal(kMultiples, {.m = 24, .n = 128, .k = 12, .tile = 12}), "accepted");
    EXPECT_EQ(refusal(kMultiples, {.m = 25, .n = 100, .k = 12, .tile = 12}),
              "M is 25: 99_mine needs a multiple of TILE 12; use 36");
    EXPECT_EQ(refusal(kMultiples, {.m = 24, .n = 100, .k = 12, .tile = 12}),
              "N is 100: 99_mine needs a multiple of 64; use 128");
    EXPECT_EQ(refusal("multiples = {K = 4}", {.m = 1, .n = 1, .k = 5}),
              "K is 5: 99_mine needs a multiple of 4; use 8");
}

TEST(LaunchRules, AMultipleThatHoldsForSomeTiles) {
    constexpr const char* kMultiples =
        "multiples = {M = \"TILE\", N = \"TILE\", K = 8}\n"
        "// multiples_with_TILE = {64 = {K = 16}, 128 = {K = 16}}";
    EXPECT_EQ(refusal(kMultiples, {.m = 32, .n = 32, .k = 24, .tile = 32}), "accepted");
    EXPECT_EQ(refusal(kMultiples, {.m = 64, .n = 64, .k = 24, .tile = 64}),
              "K is 24: 99_mine needs a multiple of 16 with TILE 64; use 32");
    EXPECT_EQ(refusal(kMultiples, {.m = 32, .n = 32, .k = 20, .tile = 32}),
              "K is 20: 99_mine needs a multiple of 8 with TILE 32; use 24");
}

TEST(LaunchRules, KEqualToTileAndLimitedC) {
    EXPECT_EQ(refusal("K_is_TILE = true", {.m = 8, .n = 8, .k = 16, .tile = 8}),
              "K is 16: 99_mine needs K = TILE 8; use 8");
    constexpr const char* kOneBlock =
        "most_elements_of_C = 256\n// why_most_elements_of_C = \"a thread each\"\n"
        "// K_at_most_M_and_N = true";
    EXPECT_EQ(refusal(kOneBlock, {.m = 64, .n = 8, .k = 1}),
              "M is 64: 99_mine needs M x N of at most 256, a thread each; use 32");
    EXPECT_EQ(refusal(kOneBlock, {.m = 16, .n = 8, .k = 9}),
              "K is 9: 99_mine needs K at most M and N; use 8");
}

TEST(LaunchRules, DynamicSharedMemoryHoldsTheDeclaredTiles) {
    const DeclaredShared rules =
        declared("shared = [[\"Bs\", \"M\", \"K\"], [\"As\", \"TILE\", 8]]").shared;
    ASSERT_EQ(rules.tiles.size(), 2u);
    EXPECT_EQ(rules.tiles[0].name, "Bs");  // in the order of the declaration
    const KernelParameters p{.m = 5, .n = 1, .k = 7, .tile = 3, .pad = 1};
    const auto extents = [&](const DeclaredShared::Tile& tile) {
        std::vector<int> all;
        for (const DeclaredExtent& extent : tile.extents) all.push_back(extent_of(extent, p));
        return all;
    };
    EXPECT_THAT(extents(rules.tiles[0]), ElementsAre(5, 7));
    EXPECT_THAT(extents(rules.tiles[1]), ElementsAre(3, 8));
    // 5 rows of 7 + 1 and 3 of 8 + 1, 4 bytes each.
    const auto check = [&](const DeclaredShared& of, InputType inputs, std::int64_t bytes) {
        return check_shared("99_mine", of, inputs, p, bytes);
    };
    EXPECT_TRUE(check(rules, InputType::kFloat32, 4 * (5 * 8 + 3 * 9)));
    EXPECT_TRUE(check(rules, InputType::kBfloat16, 2 * (5 * 8 + 3 * 9)));
    EXPECT_EQ(check(rules, InputType::kFloat32, 256).error().message,
              "99_mine declares dynamic shared memory of 268 bytes, but its launch requests 256; "
              "correct shared in its [launch]");
    EXPECT_TRUE(check(declared("").shared, InputType::kFloat32, 256));
    // Stages, an extent by TILE, and a type of its own.
    const DeclaredShared staged =
        declared("shared = [[\"As\", 2, {3 = 4, 6 = 8}, 5], [\"Cs\", 2, 2, 3, \"float\"]]").shared;
    ASSERT_EQ(staged.tiles.size(), 2u);
    EXPECT_THAT(extents(staged.tiles[0]), ElementsAre(2, 4, 5));
    EXPECT_THAT(extents(staged.tiles[1]), ElementsAre(2, 2, 3));
    // 2 x 4 rows of 5 + 1 elements of 2 bytes, and 2 x 2 of 3 + 1 floats.
    EXPECT_TRUE(check(staged, InputType::kBfloat16, 2 * (2 * 4 * 6) + 4 * (2 * 2 * 4)));
}

// The stages of 19_async_pipeline are 16 deep from TILE 64 on.
TEST(LaunchRules, ThePipelineTakesWholeStagesOnly) {
    const Result<LaunchShape> shape =
        validate(*find_kernel("19_async_pipeline"), {.m = 64, .n = 64, .k = 24, .tile = 64});
    ASSERT_FALSE(shape);
    EXPECT_EQ(shape.error().message,
              "K is 24: 19_async_pipeline needs a multiple of 16 with TILE 64; use 32");
}

// Computed by hand from the extents of the arrays.
TEST(LaunchRules, SharedBytesAreThoseOfTheDeclaredArrays) {
    const auto bytes = [](std::string_view id, int tile, int pad) {
        return static_shared_bytes(*find_kernel(id), tile, pad);
    };
    EXPECT_EQ(bytes("02_naive", 16, 0), 0);
    EXPECT_EQ(bytes("04_guide_a_shared", 16, 3), 4 * 16 * 19);
    EXPECT_EQ(bytes("08_tiled_b_transposed", 13, 1), 4 * 13 * (13 + 14));
    EXPECT_EQ(bytes("11_tiled_dynamic", 32, 1), 0);  // all of it is dynamic
    EXPECT_EQ(bytes("14_outer_product_prefetch", 16, 1), 4 * 2 * 16 * 17);
    EXPECT_EQ(bytes("16_vectorized", 64, 4), 4 * 8 * (68 + 64));
    EXPECT_EQ(bytes("16_vectorized", 128, 0), 4 * 16 * (128 + 128));
    EXPECT_EQ(bytes("19_async_pipeline", 128, 0), 4 * 3 * 2 * 128 * 16);
}

}  // namespace
}  // namespace tilereel::launch_rules_test
