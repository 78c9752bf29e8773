#include "kernels/openings.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

// In a window of 1366 x 768 pixels, values are drawn large enough to read if A and B together have
// at most 24 rows.
constexpr std::array kOpenings = {
    KernelOpening{"cpu_naive", {8, 8, 8, 16, 0}, "64 elements of C, one after another"},
    KernelOpening{"cpu_tiled", {8, 16, 16, 8, 0}, "two tiles deep, two groups of 4 rows a tile"},
    KernelOpening{"01_naive_by_column",
                  {16, 16, 8, 16, 0},
                  "16 rows of A under a warp: 17 sectors a step, where 02 moves 4"},
    KernelOpening{"02_naive", {16, 16, 8, 16, 0}, "a warp over two whole rows of C; as 01"},
    KernelOpening{"03_guide_simple", {16, 16, 8, 8, 0}, "one tile deep, 4 of 32 bytes of A used"},
    KernelOpening{"04_guide_a_shared", {16, 16, 8, 8, 0}, "two warps, each with its rows of As"},
    KernelOpening{"05_guide_ab_shared",
                  {16, 16, 8, 8, 0},
                  "two warps, so that one reads rows of Bs that the other wrote"},
    KernelOpening{"06_single_block", {16, 16, 8, 16, 0}, "a thread an element, in one block"},
    KernelOpening{"07_tiled_b_uncoalesced",
                  {8, 16, 16, 8, 0},
                  "a sector for each lane's word of B: a row of B is 64 bytes long"},
    KernelOpening{"08_tiled_b_transposed",
                  {32, 32, 32, 32, 0},
                  "all 32 lanes want one bank, and PAD 1 avoids all conflicts"},
    KernelOpening{"09_tiled", {8, 16, 16, 8, 0}, "two warps wait for each other at each barrier"},
    KernelOpening{"10_tiled_any_size",
                  {10, 13, 11, 8, 0},
                  "lanes outside the matrices at the edges of M, N and K"},
    KernelOpening{"11_tiled_dynamic", {8, 16, 16, 8, 0}, "the addresses of 09 at its opening"},
    KernelOpening{"12_outer_product", {16, 64, 16, 16, 0}, "the smallest that it takes"},
    KernelOpening{"13_outer_product_unrolled", {16, 64, 16, 16, 0}, "the accesses of 12"},
    KernelOpening{"14_outer_product_prefetch",
                  {16, 64, 48, 16, 0},
                  "three tiles: both buffers are filled while the other is read"},
    KernelOpening{"15_register_tile", {16, 16, 8, 16, 0}, "4 x 4 sums a thread, half a warp"},
    KernelOpening{"16_vectorized",
                  {16, 16, 8, 16, 0},
                  "two rows of k meet in each bank when As is stored; PAD 4 separates them"},
    KernelOpening{"17_swizzled", {16, 16, 8, 16, 0}, "the opening of 16, without bank conflicts"},
    KernelOpening{"18_warp_tiled", {32, 32, 16, 32, 0}, "two warps of 4 x 8 lanes, two phases"},
    KernelOpening{"19_async_pipeline",
                  {16, 16, 32, 16, 0},
                  "four tiles, three buffers: a tile is copied two phases before it is read"},
    KernelOpening{"20_champion", {16, 16, 32, 16, 0}, "four tiles through three stages, a warp"},
    KernelOpening{"21_wmma", {16, 16, 32, 16, 0}, "two products of one warp, one after another"},
    KernelOpening{"22_mma_ldmatrix",
                  {64, 64, 128, 64, 0},
                  "8 rows of a matrix meet in one slot of the banks; PAD 8 separates them"},
    KernelOpening{"23_mma_pipeline", {64, 64, 128, 64, 0}, "two tiles, both copied beforehand"},
    KernelOpening{"24_wgmma", {64, 64, 128, 64, 0}, "two tiles, one warpgroup"},
    KernelOpening{"25_warp_specialised",
                  {256, 64, 384, 64, 0},
                  "six tiles through four stages: the producer waits until a stage has been read"},
};

}  // namespace

std::span<const KernelOpening> openings() { return kOpenings; }

KernelParameters opening_of(const KernelInfo& kernel) {
    const auto row = std::ranges::find(kOpenings, kernel.id, &KernelOpening::kernel);
    if (row != kOpenings.end()) return row->parameters;
    for (const int edge : {16, 32, 64, 128, 256})
        for (const int tile : kernel.tiles)
            for (const int depth : {edge, tile}) {
                const KernelParameters p{
                    .m = edge, .n = edge, .k = depth, .tile = tile, .pad = kernel.pads.front()};
                if (validate(kernel, p)) return p;
            }
    return {.tile = kernel.tiles.front(), .pad = kernel.pads.front()};
}

}  // namespace tilereel
