// C of every rung, over shapes, TILE and PAD.
#include <gtest/gtest.h>

#include <array>

#include "app/ladder/ladder.h"
#include "tests/record/tally.h"

namespace tilereel::rung_products_test {
namespace {

// `multiply_adds`: of all threads.
void expect_product(std::string_view kernel, const KernelParameters& p,
                    std::uint64_t multiply_adds) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    request.workers = 1;
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << kernel << ": " << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u) << kernel;
    EXPECT_EQ(tally(*trace)[kMultiplyAdd].accesses, multiply_adds)
        << kernel << ' ' << p.m << 'x' << p.n << 'x' << p.k << " TILE " << p.tile;
}
void expect_product(std::string_view kernel, const KernelParameters& p) {
    expect_product(kernel, p, std::uint64_t(p.m) * unsigned(p.n) * unsigned(p.k));
}

TEST(RungProducts, OfOneTileDepth) {
    for (const char* kernel : {"03_guide_simple", "04_guide_a_shared", "05_guide_ab_shared"})
        for (const int tile : find_kernel(kernel)->tiles)
            for (const int pad : find_kernel(kernel)->pads)
                for (const auto& [down, across] :
                     std::vector<std::array<int, 2>>{{1, 1}, {1, 3}, {3, 2}})
                    expect_product(kernel, {down * tile, across * tile, tile, tile, pad});
}

TEST(RungProducts, OfWholeTiles) {
    for (const char* kernel : {"07_tiled_b_uncoalesced", "11_tiled_dynamic"})
        for (const int tile : find_kernel(kernel)->tiles)
            for (const int pad : find_kernel(kernel)->pads)
                for (const auto& [m, n, k] :
                     std::vector<std::array<int, 3>>{{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 2, 1}})
                    expect_product(kernel, {m * tile, n * tile, k * tile, tile, pad});
}

TEST(RungProducts, OfASingleBlock) {
    for (const int pad : {0, 1, 2})
        for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{{1, 1, 1},
                                                                     {1, 1024, 1},
                                                                     {1024, 1, 1},
                                                                     {3, 5, 3},
                                                                     {7, 33, 2},
                                                                     {40, 25, 25},
                                                                     {16, 64, 9},
                                                                     {32, 32, 32}})
            expect_product("06_single_block", {m, n, k, 16, pad});
}

TEST(RungProducts, OfOuterProducts) {
    for (const char* kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"})
        for (const int pad : {0, 1, 2})
            for (const auto& [m, n, k] :
                 std::vector<std::array<int, 3>>{{16, 64, 16}, {48, 128, 16}, {32, 64, 80}})
                expect_product(kernel, {m, n, k, 16, pad});
}

TEST(RungProducts, OfRegisterTiles) {
    for (const char* kernel : {"15_register_tile", "16_vectorized", "17_swizzled", "18_warp_tiled"})
        for (const int tile : find_kernel(kernel)->tiles)
            for (const int pad : find_kernel(kernel)->pads) {
                const int depth = tile < 128 ? 8 : 16;
                for (const auto& [m, n, k] :
                     std::vector<std::array<int, 3>>{{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 2, 1}})
                    if (tile < 128 || m * n < 4)
                        expect_product(kernel, {m * tile, n * tile, k * depth, tile, pad});
            }
}

// All threads of all blocks compute in all phases, inside C or not.
void expect_any_size(const KernelParameters& p) {
    const auto up = [&](int extent) {
        return std::uint64_t(extent + p.tile - 1) / p.tile * p.tile;
    };
    expect_product("10_tiled_any_size", p, up(p.m) * up(p.n) * up(p.k));
}

TEST(RungProducts, OfAnySizeOddShapes) {
    for (const int tile : {2, 4, 8, 16, 32})
        for (const int pad : {0, 1, 2})
            for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{
                     {1, 1, 1}, {1, 1, 40}, {1, 40, 1}, {40, 1, 1}, {3, 3, 3}, {100, 37, 65}})
                expect_any_size({m, n, k, tile, pad});
}

// M, N and K around the edges of tiles; any_size_test.cpp has all of them for TILE 2 and 4.
TEST(RungProducts, OfAnySizeAroundTheEdges) {
    for (const int tile : {2, 4, 8})
        for (const int m : {1, tile, tile + 1})
            for (const int n : {tile - 1, tile, tile + 2})
                for (const int k : {tile - 1, tile + 1, 2 * tile})
                    expect_any_size({m, n, k, tile, 0});
}

}  // namespace
}  // namespace tilereel::rung_products_test
