// Compares every figure of the facts with the arithmetic that it follows from, or with the number
// in its source.
#include "kernels/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "kernels/catalog.h"

namespace tilereel::facts_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

Fact fact(std::string_view id, int tile, std::string_view kernel = {}) {
    for (const Fact& each : all_facts(tile))
        if (each.id == id && (kernel.empty() || each.kernels.front() == kernel)) return each;
    ADD_FAILURE() << "no fact " << id;
    return {};
}

double figure(const Fact& of, std::string_view name) {
    for (const FactFigure& each : of.figures)
        if (each.name == name) return each.value;
    ADD_FAILURE() << of.id << " has no figure " << name;
    return 0;
}

// A product takes 2MNK FLOP. The words that it reads are counted here for a small product, tile by
// tile.
TEST(Facts, ArithmeticIntensityFollowsFromTheWordsRead) {
    for (const int tile : {1, 2, 4, 8, 16, 32}) {
        const int m = 32, n = 64, k = 96;
        double words = 0;  // a tile of C needs a row of tiles of A and a column of tiles of B
        for (int row = 0; row < m; row += tile)
            for (int column = 0; column < n; column += tile) words += 2.0 * tile * k;
        EXPECT_DOUBLE_EQ(classical_flop_per_byte(tile), 2.0 * m * n * k / (4 * words)) << tile;
    }
    EXPECT_DOUBLE_EQ(figure(fact("flop_per_byte_untiled", 16), "arithmetic intensity"), 0.25);
    EXPECT_DOUBLE_EQ(figure(fact("flop_per_byte_tiled", 8), "arithmetic intensity at TILE 8"), 2);
    EXPECT_THAT(fact("flop_per_byte_tiled", 16).text, HasSubstr("with TILE 16: 4."));
}

TEST(Facts, TheBoundsOfAnRtx3090) {
    const Fact untiled = fact("bound_untiled", 16), tiled = fact("bound_tile_32", 16);
    EXPECT_NEAR(figure(untiled, "bound"), 234.05, 1e-9);
    EXPECT_NEAR(figure(untiled, "share of peak"), 0.658, 0.001);
    EXPECT_NEAR(figure(tiled, "bound"), 7489.6, 1e-9);
    EXPECT_NEAR(figure(tiled, "share of peak"), 21, 0.1);
    EXPECT_THAT(untiled.text, HasSubstr("no more than 234 GFLOPS, 0.66 % of its 35,580"));
    EXPECT_THAT(tiled.text, HasSubstr("no more than 7,490 GFLOPS, 21.05 % of its 35,580"));
    EXPECT_NEAR(figure(fact("bound_tiled", 4), "bound"), 936.2, 1e-9);  // 1 FLOP a byte
}

TEST(Facts, TheTileLimitIsTheLargestThatFits) {
    int by_bytes = 0, by_threads = 0;
    while (2 * (by_bytes + 1) * (by_bytes + 1) * 4 <= 48 * 1024) ++by_bytes;
    while ((by_threads + 1) * (by_threads + 1) <= 1024) ++by_threads;
    const Fact limit = fact("tile_limit", 16);
    EXPECT_EQ(figure(limit, "by 48 KB of shared memory"), by_bytes);
    EXPECT_EQ(figure(limit, "by 1,024 threads"), by_threads);
    EXPECT_EQ(figure(limit, "largest TILE"), std::min(by_bytes, by_threads));
}

// With TILE 32 one fact says the bound, and only it is compared with a recording of that TILE.
TEST(Facts, TheBoundOfAnRtx3090IsStatedOnce) {
    const auto bounds = [](int tile) {
        std::vector<std::pair<std::string_view, bool>> said;
        for (const Fact& each : facts_about("09_tiled", tile))
            if (each.id.starts_with("bound_"))
                said.emplace_back(each.id, each.recorded != RecordedFigure::kNone);
        return said;
    };
    EXPECT_THAT(bounds(32), ElementsAre(Pair("bound_tile_32", true)));
    EXPECT_THAT(bounds(8), ElementsAre(Pair("bound_tiled", true), Pair("bound_tile_32", false)));
}

TEST(Facts, TheMeasurementsOfTheGuide) {
    const auto bandwidth = [](std::string_view kernel, std::string_view gpu) {
        return figure(fact("effective_bandwidth", 16, kernel), gpu);
    };
    EXPECT_EQ(bandwidth("03_guide_simple", "GTX 280"), 8.7);
    EXPECT_EQ(bandwidth("04_guide_a_shared", "GTX 280"), 14.3);
    EXPECT_EQ(bandwidth("05_guide_ab_shared", "GTX 280"), 29.7);
    EXPECT_EQ(bandwidth("03_guide_simple", "8800 GTX"), 0.7);
    EXPECT_EQ(bandwidth("04_guide_a_shared", "8800 GTX"), 8.2);
    EXPECT_EQ(bandwidth("05_guide_ab_shared", "8800 GTX"), 15.7);
    EXPECT_THAT(fact("effective_bandwidth_definition", 16).text,
                HasSubstr("bytes a kernel reads plus the bytes it writes, over its time"));
}

// The measured figures are held against the shipped race in tests/race/measured_facts_test.cpp.
TEST(Facts, TheMeasurementOfTheBlogIsListedToo) {
    EXPECT_EQ(figure(fact("by_column_slower", 16), "times the time"), 4.5);
}

TEST(Facts, TheOuterProductAndTheBarriers) {
    EXPECT_EQ(figure(fact("outer_product", 16), "threads a block"), 64);
    EXPECT_EQ(figure(fact("outer_product", 16), "iterations a phase"), 16);
    EXPECT_EQ(figure(fact("two_barriers", 16), "barriers a phase"), 2);
    EXPECT_EQ(figure(fact("prefetch_barriers", 16), "barriers a phase"), 1);
    EXPECT_EQ(figure(fact("phases_untiled", 16), "phases"), 4);
    EXPECT_EQ(figure(fact("phases_tiled", 16), "phases"), 2);
    EXPECT_THAT(fact("comparison", 16).text, HasSubstr("--fmad=false"));
}

// The figures were measured on an H100. The bound must agree with what the reads cost.
TEST(Facts, TheOrderOfMultiplyAddsAndItsLimits) {
    const Fact order = fact("multiply_add_order", 128), issue = fact("shared_read_issue", 128);
    EXPECT_EQ(figure(order, "column by column"), 45.8);
    EXPECT_EQ(figure(order, "in zigzags of 2 x 2"), 51.9);
    EXPECT_EQ(figure(order, "serpentine"), 55.4);
    EXPECT_EQ(figure(issue, "8 bytes"), 1.1);
    EXPECT_EQ(figure(issue, "16 bytes"), 2.4);
    // For each k, a thread reads 24 values: 6 reads of 16 bytes, beside 128 multiply-adds. A read
    // costs 2.4 cycles alone and 3.6 in a group; the bound lies between the shares of these two.
    const double alone = 128 / (128 + 6 * 2.4), grouped = 128 / (128 + 6 * 3.6);
    const double bound = figure(fact("register_tile_bound", 128), "bound") / 100;
    EXPECT_LT(bound, alone);
    EXPECT_GT(bound, grouped);
    for (const Fact& each : facts_about("18_warp_tiled", 128))
        EXPECT_EQ(each.about_registers, each.id != "comparison") << each.id;
}

TEST(Facts, EachNamesItsSourceAndExistingKernels) {
    std::set<std::string_view> documents;
    for (const Fact& each : all_facts(16)) {
        EXPECT_FALSE(each.document.empty()) << each.id;
        EXPECT_FALSE(each.section.empty()) << each.id;
        EXPECT_TRUE(each.text.ends_with('.')) << each.id;
        documents.insert(each.document);
        for (const std::string_view kernel : each.kernels)
            EXPECT_NE(find_kernel(kernel), nullptr) << each.id << ' ' << kernel;
    }
    for (const char* document :
         {"Shared Memory in Matrix Multiplication (C = AB)", "The Matrix Multiplication Example",
          "Improved performance through GPU shared memory",
          "Memory Coalescing and Tiled Matrix Multiplication", "Lab 6 - Shared Memory"})
        EXPECT_THAT(documents, Contains(document));
}

// A fact that names no kernel is about all of them. The kernels without one of their own come from
// documents that are not in facts.toml, or run on the CPU.
TEST(Facts, AllKernelsExceptEightHaveFacts) {
    std::vector<std::string_view> without;
    for (const KernelInfo& kernel : catalog()) {
        bool has_its_own = false;
        for (const Fact& each : facts_about(kernel.id, 16)) {
            if (each.kernels.empty()) continue;
            has_its_own = true;
            EXPECT_THAT(each.kernels, Contains(kernel.id)) << each.id;
        }
        if (!has_its_own) without.push_back(kernel.id);
    }
    EXPECT_THAT(without,
                UnorderedElementsAre("15_register_tile", "16_vectorized", "17_swizzled", "21_wmma",
                                     "22_mma_ldmatrix", "23_mma_pipeline", "24_wgmma",
                                     "25_warp_specialised", "cpu_naive", "cpu_tiled"));
}

TEST(Facts, AFactWithoutKernelsIsAboutAll) {
    for (const KernelInfo& kernel : catalog()) {
        std::vector<std::string_view> of_all;
        for (const Fact& each : facts_about(kernel.id, 16))
            if (each.kernels.empty()) of_all.push_back(each.id);
        EXPECT_THAT(of_all, ElementsAre("comparison")) << kernel.id;
    }
}

}  // namespace
}  // namespace tilereel::facts_test
