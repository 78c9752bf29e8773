// Suggestions for sizes that a kernel cannot run. Nothing changes before one is taken.
#include "app/workbench/launch/size_suggestions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workbench/bench.h"

namespace tilereel::size_suggestions_test {
namespace {

using testing::HasSubstr;

KernelParameters parameters(int m, int n, int k, int tile, int pad = 0) {
    return {.m = m, .n = n, .k = k, .tile = tile, .pad = pad};
}

std::vector<std::string> labels(std::string_view kernel, const KernelParameters& wanted) {
    std::vector<std::string> labels;
    for (const SizeSuggestion& suggestion : suggest_sizes(*find_kernel(kernel), wanted))
        labels.push_back(suggestion.label);
    return labels;
}
using Labels = std::vector<std::string>;

TEST(SizeSuggestions, RoundingComesFirstThenAKernelForAnySize) {
    EXPECT_EQ(labels("09_tiled", parameters(64, 64, 60, 16)),
              (Labels{"Round K up to 64", "Use 10 tiled any size"}));
    EXPECT_EQ(labels("12_outer_product", parameters(16, 16, 16, 4)),
              (Labels{"Use TILE 16, round N up to 64", "Use 10 tiled any size"}));
    // 03 has no barrier, so the other kernel offered has none, either.
    EXPECT_EQ(labels("03_guide_simple", parameters(64, 64, 64, 16)),
              (Labels{"Lower K to 16", "Use 02 naive"}));
    EXPECT_EQ(labels("06_single_block", parameters(64, 64, 64, 16)).back(),
              "Use 10 tiled any size");
    EXPECT_EQ(labels("02_naive", parameters(0, 64, 64, 16)), Labels{});  // no kernel takes M = 0
}

// Each suggestion can be launched. One with another kernel keeps the sizes.
TEST(SizeSuggestions, EverySuggestionRuns) {
    for (const KernelInfo& kernel : catalog())
        for (const KernelParameters& wanted :
             {parameters(3, 5, 7, 2), parameters(60, 60, 60, 16, 1), parameters(1, 1024, 33, 32),
              parameters(1000, 77, 300, 8, 2), parameters(100, 37, 65, 16)}) {
            if (validate(kernel, wanted)) continue;
            const std::vector<SizeSuggestion> suggestions = suggest_sizes(kernel, wanted);
            ASSERT_FALSE(suggestions.empty()) << kernel.id;
            for (const SizeSuggestion& suggestion : suggestions) {
                EXPECT_TRUE(validate(*find_kernel(suggestion.kernel), suggestion.parameters))
                    << suggestion.label;
                if (suggestion.kernel == kernel.id) continue;
                EXPECT_EQ(suggestion.parameters.m, wanted.m);
                EXPECT_EQ(suggestion.parameters.n, wanted.n);
                EXPECT_EQ(suggestion.parameters.k, wanted.k);
            }
        }
}

TEST(SizeSuggestions, WhatIsOnTheScreenStaysUntilASuggestionIsTaken) {
    Workbench workbench(paused(request("09_tiled", 64, 16)));
    const Trace* const trace = workbench.recording()->trace.get();
    workbench.apply(SetParameters{parameters(64, 64, 60, 16)});
    ASSERT_NE(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.message(), "K is 60: 09_tiled needs a multiple of TILE 16; use 64");
    EXPECT_EQ(workbench.size_suggestions()->problem, workbench.message());
    EXPECT_EQ(workbench.recording()->trace.get(), trace);
    EXPECT_EQ(workbench.request().parameters, parameters(64, 64, 64, 16));
    workbench.apply(SetParameters{parameters(60, 64, 64, 16)});
    workbench.apply(TakeSuggestion{0});
    EXPECT_EQ(workbench.request().parameters, parameters(64, 64, 64, 16));
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.message(), "");
}

TEST(SizeSuggestions, TheFirstSuggestionRoundsAndTheSecondChangesTheKernel) {
    Workbench workbench(paused(request("09_tiled", 32, 16)));
    workbench.apply(Commands{SetParameters{parameters(32, 32, 60, 16)}, TakeSuggestion{0}});
    EXPECT_EQ(workbench.recording()->request.kernel, "09_tiled");
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(32, 32, 64, 16));
    workbench.apply(Commands{SetParameters{parameters(32, 31, 60, 16)}, TakeSuggestion{1}});
    EXPECT_EQ(workbench.recording()->request.kernel, "10_tiled_any_size");
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(32, 31, 60, 16));
    workbench.apply(TakeSuggestion{0});  // nothing is offered any more
    EXPECT_EQ(workbench.recording()->request.kernel, "10_tiled_any_size");
}

TEST(SizeSuggestions, AMenuChoiceThatDoesNotFitMakesTheSameOffer) {
    Workbench workbench(paused(request("02_naive", 60, 16)));
    workbench.apply(SetKernel{"09_tiled"});
    ASSERT_NE(workbench.size_suggestions(), nullptr);
    EXPECT_THAT(workbench.message(), HasSubstr("M is 60"));
    EXPECT_EQ(workbench.size_suggestions()->choices[0].label, "Round M, N, K up to 64");
    EXPECT_EQ(workbench.recording()->request.kernel, "02_naive");
    workbench.apply(TakeSuggestion{0});
    EXPECT_EQ(workbench.recording()->request.kernel, "09_tiled");
    workbench.apply(SetParameters{parameters(32, 32, 32, 32)});
    workbench.apply(SetKernel{"03_guide_simple"});  // K = TILE: it fits
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.recording()->request.kernel, "03_guide_simple");
    workbench.apply(SetParameters{parameters(32, 32, 32, 8)});
    ASSERT_NE(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.size_suggestions()->choices[0].label, "Lower K to 8");
}

TEST(SizeSuggestions, AnOfferEndsWithADismissalOrTheNextChoice) {
    Workbench workbench(paused(request("09_tiled", 32, 16)));
    const Command odd = SetParameters{parameters(32, 32, 31, 16)};
    workbench.apply(Commands{odd, DismissMessage{}});
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    workbench.apply(Commands{odd, TogglePad{}});
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.request().parameters.pad, 1);
    workbench.apply(Commands{odd, SetGeneration{"9.9"}});  // another message
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    workbench.apply(TakeSuggestion{0});
    EXPECT_EQ(workbench.request().parameters, parameters(32, 32, 32, 16, 1));
}

// While the user has not chosen sizes, a choice in a menu adapts them without asking.
TEST(SizeSuggestions, SizesThatNobodyChoseFollowTheMenus) {
    WorkbenchOptions options = paused(request("09_tiled", 16, 4));
    options.sizes_chosen = false;
    Workbench workbench(std::move(options));
    workbench.apply(SetParameters{parameters(16, 16, 16, 32)});
    EXPECT_EQ(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(32, 32, 32, 32));
    EXPECT_EQ(workbench.message(),
              "M rounded up from 16 to 32, N rounded up from 16 to 32, K rounded up from 16 to 32: "
              "09 tiled needs multiples of TILE 32");
    workbench.apply(SetParameters{parameters(32, 32, 32, 8)});  // the sizes come back
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(16, 16, 16, 8));
    workbench.apply(SetKernel{"12_outer_product"});
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(16, 64, 16, 16));
    workbench.apply(SetParameters{parameters(16, 60, 16, 16)});  // now someone chose
    ASSERT_NE(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.size_suggestions()->choices[0].label, "Round N up to 64");
    workbench.apply(SetKernel{"03_guide_simple"});
    EXPECT_EQ(workbench.recording()->request.kernel, "03_guide_simple");
    workbench.apply(SetParameters{parameters(16, 64, 16, 8)});
    EXPECT_NE(workbench.size_suggestions(), nullptr);
}

}  // namespace
}  // namespace tilereel::size_suggestions_test
