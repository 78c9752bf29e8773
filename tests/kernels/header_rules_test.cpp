#include "kernels/header_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "kernels/ladder_file.h"
#include "kernels/variants.h"

namespace tilereel::header_rules_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string refusal(std::string_view needs, const KernelParameters& p) {
    const Status sizes = check_sizes("99_mine", read_needs(needs), p);
    return sizes ? "accepted" : sizes.error().message;
}

TEST(HeaderRules, AnySizesHaveNoRule) {
    for (const char* needs : {"", "any M, N, K", "any M, N; K of 13"})
        EXPECT_EQ(refusal(needs, {.m = 7, .n = 1, .k = 13, .tile = 16}), "accepted");
}

TEST(HeaderRules, MultiplesOfTileAndOfNumbers) {
    constexpr const char* kNeeds = "M, K multiples of TILE, N of 64";
    EXPECT_EQ(refusal(kNeeds, {.m = 24, .n = 128, .k = 12, .tile = 12}), "accepted");
    EXPECT_EQ(refusal(kNeeds, {.m = 25, .n = 100, .k = 12, .tile = 12}),
              "M is 25: 99_mine needs a multiple of TILE 12; use 36");
    EXPECT_EQ(refusal(kNeeds, {.m = 24, .n = 100, .k = 12, .tile = 12}),
              "N is 100: 99_mine needs a multiple of 64; use 128");
    EXPECT_EQ(refusal("K a multiple of 4", {.m = 1, .n = 1, .k = 5}),
              "K is 5: 99_mine needs a multiple of 4; use 8");
}

TEST(HeaderRules, AMultipleThatHoldsForSomeTiles) {
    constexpr const char* kNeeds = "M, N multiples of TILE, K of 8; TILE 64 or 128: K of 16";
    EXPECT_EQ(refusal(kNeeds, {.m = 32, .n = 32, .k = 24, .tile = 32}), "accepted");
    EXPECT_EQ(refusal(kNeeds, {.m = 64, .n = 64, .k = 24, .tile = 64}),
              "K is 24: 99_mine needs a multiple of 16 with TILE 64; use 32");
    EXPECT_EQ(refusal(kNeeds, {.m = 32, .n = 32, .k = 20, .tile = 32}),
              "K is 20: 99_mine needs a multiple of 8 with TILE 32; use 24");
}

TEST(HeaderRules, KEqualToTileAndLimitedC) {
    EXPECT_EQ(refusal("K = TILE; M, N multiples of TILE", {.m = 8, .n = 8, .k = 16, .tile = 8}),
              "K is 16: 99_mine needs K = TILE 8; use 8");
    constexpr const char* kOneBlock = "M x N at most 256, a thread each; K at most M and N";
    EXPECT_EQ(refusal(kOneBlock, {.m = 64, .n = 8, .k = 1}),
              "M is 64: 99_mine needs M x N of at most 256, a thread each; use 32");
    EXPECT_EQ(refusal(kOneBlock, {.m = 16, .n = 8, .k = 9}),
              "K is 9: 99_mine needs K at most M and N; use 8");
}

TEST(HeaderRules, DynamicSharedMemoryHoldsTheDeclaredTiles) {
    const SharedRules rules = read_shared("As M x K, Bs TILE x 8");
    ASSERT_EQ(rules.tiles.size(), 2u);
    EXPECT_EQ(rules.unknown, "");
    EXPECT_EQ(rules.tiles[0].name, "As");
    const KernelParameters p{.m = 5, .n = 1, .k = 7, .tile = 3, .pad = 1};
    EXPECT_EQ(extent_of(rules.tiles[0].rows, p), 5);
    EXPECT_EQ(extent_of(rules.tiles[0].columns, p), 7);
    EXPECT_EQ(extent_of(rules.tiles[1].rows, p), 3);
    EXPECT_EQ(extent_of(rules.tiles[1].columns, p), 8);
    // 5 rows of 7 + 1 and 3 of 8 + 1, 4 bytes each.
    EXPECT_TRUE(check_shared("99_mine", rules, p, 4 * (5 * 8 + 3 * 9)));
    EXPECT_EQ(check_shared("99_mine", rules, p, 256).error().message,
              "99_mine declares dynamic shared memory of 268 bytes in its header, but its launch "
              "requests 256; correct Shared in its header");
    EXPECT_TRUE(check_shared("99_mine", read_shared(""), p, 256));
    for (const char* wrong : {"As", "As M", "As M x L", "M x K", "As 0 x K"})
        EXPECT_EQ(check_shared("99_mine", read_shared(wrong), p, 256).error().message,
                  std::string("99_mine says that it shares \"") + wrong +
                      "\", which Tilereel cannot check; write it as kernels/README.md says");
}

TEST(HeaderRules, TilesAndPadsCanBeRestricted) {
    const VariantRules rules =
        read_takes("TILE 8, 16 or 32: its threads share out each tile; PAD of 4");
    EXPECT_THAT(rules.tiles, ElementsAre(8, 16, 32));
    EXPECT_EQ(rules.why_tiles, "its threads share out each tile");
    EXPECT_EQ(rules.pad_unit, 4);
    EXPECT_EQ(rules.why_pad, "");
    EXPECT_EQ(rules.unknown, "");
    EXPECT_THAT(read_takes("").tiles, IsEmpty());
}

TEST(HeaderRules, AComputeCapabilityIsRequiredOfTheGpu) {
    const SizeRules rules = read_needs("compute capability 9.0; M multiples of 4");
    EXPECT_EQ(rules.unknown, "");
    EXPECT_EQ(rules.compute_capability, 90);
    EXPECT_EQ(rules.multiples.size(), 1u);
    EXPECT_EQ(read_needs("compute capability 12.0").compute_capability, 120);
    EXPECT_EQ(read_needs("any M").compute_capability, 0);
    EXPECT_EQ(read_needs("compute capability 9").unknown, "compute capability 9");
    EXPECT_EQ(read_needs("compute capability 9.x").unknown, "compute capability 9.x");
}

TEST(HeaderRules, ARuleThatCannotBeCheckedIsAnError) {
    EXPECT_EQ(read_needs("M, N multiples of TILE; K prime").unknown, "K prime");
    EXPECT_EQ(read_needs("M, N").unknown, "M, N");
    EXPECT_EQ(read_needs("M multiples of many").unknown, "M multiples of many");
    EXPECT_EQ(read_takes("TILE 8 and more").unknown, "TILE 8 and more");
    EXPECT_EQ(refusal("K prime", {}),
              "99_mine says that it needs \"K prime\", which Tilereel cannot check; write it as "
              "kernels/README.md says");
}

TEST(HeaderRules, AllRulesOfTheLadderAreKnown) {
    for (const KernelInfo& kernel : catalog()) {
        if (kernel.file == nullptr) continue;
        EXPECT_EQ(read_needs(kernel.needs).unknown, "") << kernel.id;
        EXPECT_EQ(kernel.variant_rules->unknown, "") << kernel.id;
    }
}

// The stages of 19_async_pipeline are 16 deep from TILE 64 on.
TEST(HeaderRules, ThePipelineTakesWholeStagesOnly) {
    const Result<LaunchShape> shape =
        validate(*find_kernel("19_async_pipeline"), {.m = 64, .n = 64, .k = 24, .tile = 64});
    ASSERT_FALSE(shape);
    EXPECT_EQ(shape.error().message,
              "K is 24: 19_async_pipeline needs a multiple of 16 with TILE 64; use 32");
}

// Computed by hand from the extents of the arrays.
TEST(PlainKernels, SharedBytesAreThoseOfTheDeclaredArrays) {
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
}  // namespace tilereel::header_rules_test
