#include "app/workbench/launch/fit_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>

namespace tilereel::fit_parameters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

KernelParameters parameters(int m, int n, int k, int tile, int pad = 0) {
    return {.m = m, .n = n, .k = k, .tile = tile, .pad = pad};
}

FittedParameters fitted(std::string_view kernel, const KernelParameters& wanted) {
    const Result<FittedParameters> result = fit_parameters(*find_kernel(kernel), wanted);
    EXPECT_TRUE(result.has_value());
    return result ? *result : FittedParameters{};
}

// The kernels that do not run 64 x 64 x 64 with TILE 16: 03 to 05 need K = TILE, 06 at most 1,024
// elements of C, and 18 a larger TILE.
TEST(FitParameters, SizesThatRunStay) {
    std::vector<std::string_view> others;
    for (const KernelInfo& kernel : catalog()) {
        const KernelParameters wanted = parameters(64, 64, 64, 16);
        if (!validate(kernel, wanted)) {
            others.push_back(kernel.id);
            continue;
        }
        EXPECT_EQ(fitted(kernel.id, wanted).parameters, wanted);
        EXPECT_EQ(fitted(kernel.id, wanted).message, "");
    }
    EXPECT_THAT(others, ElementsAre("03_guide_simple", "04_guide_a_shared", "05_guide_ab_shared",
                                    "06_single_block", "18_warp_tiled", "22_mma_ldmatrix",
                                    "23_mma_pipeline", "24_wgmma", "25_warp_specialised"));
    EXPECT_EQ(fitted("02_naive", parameters(3, 5, 7, 4)).parameters, parameters(3, 5, 7, 4));
}

TEST(FitParameters, SizesAreRoundedUpToTheTile) {
    const FittedParameters k = fitted("09_tiled", parameters(64, 64, 60, 16));
    EXPECT_EQ(k.parameters, parameters(64, 64, 64, 16));
    EXPECT_EQ(k.message, "K rounded up from 60 to 64: 09 tiled needs multiples of TILE 16");
    const FittedParameters two = fitted("09_tiled", parameters(1, 33, 64, 32));
    EXPECT_EQ(two.parameters, parameters(32, 64, 64, 32));
    EXPECT_EQ(two.message,
              "M rounded up from 1 to 32, N rounded up from 33 to 64: 09 tiled needs multiples of "
              "TILE 32");
}

// The text of a button.
TEST(FitParameters, TheChangeIsAlsoSaidAsAnAction) {
    EXPECT_EQ(fitted("09_tiled", parameters(64, 64, 64, 16)).action, "");
    EXPECT_EQ(fitted("09_tiled", parameters(64, 64, 60, 16)).action, "Round K up to 64");
    EXPECT_EQ(fitted("09_tiled", parameters(60, 60, 60, 16)).action, "Round M, N, K up to 64");
    EXPECT_EQ(fitted("09_tiled", parameters(1, 33, 64, 32)).action,
              "Round M up to 32, round N up to 64");
    EXPECT_EQ(fitted("03_guide_simple", parameters(64, 60, 64, 16)).action,
              "Round N up to 64, lower K to 16");
    EXPECT_EQ(fitted("12_outer_product", parameters(16, 16, 16, 4)).action,
              "Use TILE 16, round N up to 64");
    EXPECT_EQ(fitted("02_naive", parameters(8, 8, 8, 35)).action, "Use TILE 32");
}

TEST(FitParameters, SizesAreLoweredWhereNothingLargerRuns) {
    const FittedParameters deep = fitted("03_guide_simple", parameters(64, 60, 64, 16));
    EXPECT_EQ(deep.parameters, parameters(64, 64, 16, 16));
    EXPECT_THAT(deep.message, HasSubstr("K lowered from 64 to 16"));
    EXPECT_THAT(deep.message, HasSubstr("03 guide_simple takes no more with TILE 16"));
    const FittedParameters block = fitted("06_single_block", parameters(64, 64, 64, 16));
    EXPECT_EQ(block.parameters, parameters(64, 16, 16, 16));  // 1024 threads, two extents lowered
    EXPECT_THAT(block.message, HasSubstr("06 single_block takes no more"));
    EXPECT_EQ(fitted("06_single_block", parameters(8, 100, 8, 16)).parameters,
              parameters(8, 100, 8, 16));
    // Extents that run stay, even if others must be lowered.
    EXPECT_EQ(fitted("03_guide_simple", parameters(32, 32, 32, 8)).parameters,
              parameters(32, 32, 8, 8));
    EXPECT_EQ(fitted("12_outer_product", parameters(20, 65, 30, 9)).parameters,
              parameters(32, 128, 32, 16));
}

// From sizes that run on one rung, sizes are found for every other rung.
TEST(FitParameters, EveryRungCanBeChosenFromAnyOther) {
    for (const KernelInfo& kernel : catalog())
        for (const KernelParameters& wanted :
             {parameters(64, 64, 64, 16, 1), parameters(3, 3, 3, 2), parameters(32, 32, 32, 32),
              parameters(1000, 77, 300, 8, 2), parameters(1, 1024, 1, 16)}) {
            const Result<FittedParameters> result = fit_parameters(kernel, wanted);
            ASSERT_TRUE(result) << kernel.id << ' ' << wanted.m;
            EXPECT_TRUE(validate(kernel, result->parameters));
        }
}

TEST(FitParameters, ATileAndAPadThatTheKernelCanHaveStay) {
    EXPECT_EQ(fitted("02_naive", parameters(8, 8, 8, 25)).parameters, parameters(8, 8, 8, 25));
    const FittedParameters tiled = fitted("09_tiled", parameters(8, 16, 16, 13, 3));
    EXPECT_EQ(tiled.parameters, parameters(13, 26, 26, 13, 3));
    EXPECT_EQ(tiled.action, "Round M up to 13, round N, K up to 26");
}

// A TILE that the user did not choose stays built in, so that nothing is compiled.
TEST(FitParameters, WhatIsBuiltInStaysBuiltInOnAnotherKernel) {
    const KernelInfo &tiled = *find_kernel("09_tiled"), &outer = *find_kernel("12_outer_product");
    const FittedParameters carried = carried_over(tiled, outer, parameters(64, 64, 64, 8, 2));
    EXPECT_EQ(carried.parameters, parameters(64, 64, 64, 16, 2));
    EXPECT_THAT(carried.message, HasSubstr("TILE changed from 8 to 16"));
    const KernelParameters other = parameters(64, 64, 64, 13, 3);
    EXPECT_EQ(carried_over(tiled, outer, other).parameters, other);
    EXPECT_EQ(carried_over(tiled, outer, other).message, "");
}

TEST(FitParameters, OtherTilesAndPadsBecomeTheNearestBuiltIn) {
    const FittedParameters tile = fitted("02_naive", parameters(8, 8, 8, 35));
    EXPECT_EQ(tile.parameters.tile, 32);
    EXPECT_THAT(tile.message, HasSubstr("TILE changed from 35 to 32"));
    EXPECT_EQ(fitted("16_vectorized", parameters(16, 16, 16, 16, 3)).parameters.pad, 4);
    EXPECT_EQ(fitted("02_naive", parameters(8, 8, 8, 4, 2)).parameters.pad, 0);
    EXPECT_EQ(fitted("02_naive", parameters(8, 8, 8, INT_MAX, INT_MIN)).parameters,
              parameters(8, 8, 8, 32, 0));
    EXPECT_EQ(fitted("02_naive", parameters(8, 8, 8, INT_MIN, INT_MAX)).parameters,
              parameters(8, 8, 8, 2, 0));
}

TEST(FitParameters, ImpossibleSizesAreRefused) {
    for (const int bad : {0, -1, INT_MIN, INT_MAX, kLargestExtent + 1}) {
        for (const KernelInfo& kernel : catalog()) {
            const auto expect_refused = [&](const char* name, const KernelParameters& wanted) {
                const Result<FittedParameters> fit = fit_parameters(kernel, wanted);
                ASSERT_FALSE(fit) << kernel.id << ' ' << name;
                EXPECT_THAT(fit.error().message,
                            StartsWith(name + (" is " + std::to_string(bad)) + "; use a size"));
            };
            expect_refused("M", parameters(bad, 64, 64, 16));
            expect_refused("N", parameters(64, bad, 64, 16));
            expect_refused("K", parameters(64, 64, bad, 16));
        }
    }
}

// A made-up kernel whose requirements are those of `launch_shape`.
constexpr int kTiles[] = {16};
constexpr int kPads[] = {0};
KernelInfo kernel_that_needs(Result<LaunchShape> (*launch_shape)(const KernelParameters&)) {
    KernelInfo kernel;
    kernel.id = "99_other";
    kernel.title = "99 other";
    kernel.tiles = kTiles;
    kernel.pads = kPads;
    kernel.launch_shape = launch_shape;
    const KernelInfo& listed_only = *find_kernel("20_champion");  // only built-in TILE and PAD
    kernel.file = listed_only.file;
    kernel.variant_rules = listed_only.variant_rules;
    return kernel;
}

TEST(FitParameters, EachExtentIsRoundedToItsOwnMultiple) {
    const KernelInfo kernel =
        kernel_that_needs([](const KernelParameters& p) -> Result<LaunchShape> {
            if (p.m % 16 != 0 || p.n % 64 != 0 || p.k % 16 != 0)
                return wrong_call("use multiples of 16 and 64");
            return LaunchShape{};
        });
    const Result<FittedParameters> fit = fit_parameters(kernel, parameters(20, 20, 20, 16));
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->parameters, parameters(32, 64, 32, 16));
}

TEST(FitParameters, SizesThatAreTooLargeAreLowered) {
    const KernelInfo one_row_of_tiles =
        kernel_that_needs([](const KernelParameters& p) -> Result<LaunchShape> {
            if (p.k != p.tile || p.m % p.tile != 0 || p.n % p.tile != 0)
                return wrong_call("use K = TILE");
            return LaunchShape{};
        });
    const Result<FittedParameters> row =
        fit_parameters(one_row_of_tiles, parameters(64, 60, 64, 16));
    ASSERT_TRUE(row);
    EXPECT_EQ(row->parameters, parameters(64, 64, 16, 16));
    const KernelInfo one_block =
        kernel_that_needs([](const KernelParameters& p) -> Result<LaunchShape> {
            if (p.m * p.n > 1024 || p.k > std::min(p.m, p.n))
                return wrong_call("use at most 1024 elements");
            return LaunchShape{};
        });
    const Result<FittedParameters> block = fit_parameters(one_block, parameters(64, 64, 64, 16));
    ASSERT_TRUE(block);
    EXPECT_EQ(block->parameters, parameters(64, 16, 16, 16));  // the most that fits
}

TEST(FitParameters, SizesWithoutARunnableNeighbourGetTheKernelsMessage) {
    const KernelInfo never = kernel_that_needs(
        [](const KernelParameters&) -> Result<LaunchShape> { return wrong_call("use another"); });
    const Result<FittedParameters> fit = fit_parameters(never, parameters(64, 64, 64, 16));
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().message, "use another");
}

}  // namespace
}  // namespace tilereel::fit_parameters_test
