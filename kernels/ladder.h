#pragma once
// The ladder, one row a kernel, in teaching order. A row is all that the catalogue and every build
// need to know of a kernel file; CMake reads the file names out of it.
//
// A build turns it into whatever it needs:
//   #define VARIANT(kernel, tile, pad) {tile, pad, kernel},
//   #define ROW(stem, function, variants, launch) {stem, {variants(VARIANT, function)}},
//   TILEREEL_LADDER(ROW)
// The kernel files themselves come with #include "ladder_kernels.h", which CMake writes.

// Which instantiations a function template has: (VARIANT, function) -> VARIANT(kernel, TILE,
// PAD)...
#define TILEREEL_TILES(VARIANT, function) \
    VARIANT((function<2>), 2, 0)          \
    VARIANT((function<4>), 4, 0)          \
    VARIANT((function<8>), 8, 0) VARIANT((function<16>), 16, 0) VARIANT((function<32>), 32, 0)

#define TILEREEL_PADS_OF_TILE(VARIANT, function, tile) \
    VARIANT((function<tile, 0>), tile, 0)              \
    VARIANT((function<tile, 1>), tile, 1) VARIANT((function<tile, 2>), tile, 2)
#define TILEREEL_PADDED_TILES(VARIANT, function) \
    TILEREEL_PADS_OF_TILE(VARIANT, function, 2)  \
    TILEREEL_PADS_OF_TILE(VARIANT, function, 4)  \
    TILEREEL_PADS_OF_TILE(VARIANT, function, 8)  \
    TILEREEL_PADS_OF_TILE(VARIANT, function, 16) TILEREEL_PADS_OF_TILE(VARIANT, function, 32)

// Whatever TILE is, the function is the same: it learns TILE at launch.
#define TILEREEL_PADS_ALIKE(VARIANT, function, tile) \
    VARIANT((function<0>), tile, 0)                  \
    VARIANT((function<1>), tile, 1) VARIANT((function<2>), tile, 2)
#define TILEREEL_TILES_AT_LAUNCH(VARIANT, function) \
    TILEREEL_PADS_ALIKE(VARIANT, function, 2)       \
    TILEREEL_PADS_ALIKE(VARIANT, function, 4)       \
    TILEREEL_PADS_ALIKE(VARIANT, function, 8)       \
    TILEREEL_PADS_ALIKE(VARIANT, function, 16) TILEREEL_PADS_ALIKE(VARIANT, function, 32)
#define TILEREEL_WITHOUT_TILES(VARIANT, function) TILEREEL_PADS_ALIKE(VARIANT, function, 16)

#define TILEREEL_TILE_16(VARIANT, function) TILEREEL_PADS_OF_TILE(VARIANT, function, 16)

// One launch only: nothing to choose.
#define TILEREEL_AS_IT_IS(VARIANT, function) VARIANT((function<0>), 16, 0)

// Each tile is a task of its own; 4 rows at a time.
#define TILEREEL_TILES_FROM_4(VARIANT, function)                     \
    VARIANT((function<4>), 4, 0)                                     \
    VARIANT((function<8>), 8, 0)                                     \
    VARIANT((function<16>), 16, 0) VARIANT((function<32>), 32, 0) VARIANT((function<64>), 64, 0)

// The edge of a block's tile of C: small ones for the eye, large ones for speed.
#define TILEREEL_WARP_TILES(VARIANT, function) \
    VARIANT((function<32>), 32, 0)             \
    VARIANT((function<64>), 64, 0) VARIANT((function<128>), 128, 0)
#define TILEREEL_THREAD_TILES(VARIANT, function) \
    VARIANT((function<8>), 8, 0)                 \
    VARIANT((function<16>), 16, 0) TILEREEL_WARP_TILES(VARIANT, function)
// Rows of 16-byte pieces can be padded by whole pieces only.
#define TILEREEL_PADS_OF_4(VARIANT, function, tile) \
    VARIANT((function<tile, 0>), tile, 0) VARIANT((function<tile, 4>), tile, 4)
#define TILEREEL_THREAD_TILES_PADDED(VARIANT, function) \
    TILEREEL_PADS_OF_4(VARIANT, function, 8)            \
    TILEREEL_PADS_OF_4(VARIANT, function, 16)           \
    TILEREEL_PADS_OF_4(VARIANT, function, 32)           \
    TILEREEL_PADS_OF_4(VARIANT, function, 64) TILEREEL_PADS_OF_4(VARIANT, function, 128)

#define TILEREEL_BOX_TILES(VARIANT, function) \
    VARIANT((function<16>), 16, 0)            \
    VARIANT((function<32>), 32, 0) VARIANT((function<256>), 256, 0)

// ROW(file stem, function template, instantiations, launch rule of catalog.cpp)
// Kernels for the CPU: blocks of one thread. Besides the builds of all others they have a native one
// for the CPU (kernels/cpu/).
#define TILEREEL_CPU_LADDER(ROW) \
    ROW("cpu_naive", cpu_naive, TILEREEL_AS_IT_IS, one_thread) \
    ROW("cpu_tiled", cpu_tiled, TILEREEL_TILES_FROM_4, thread_a_tile)

#define TILEREEL_LADDER(ROW) \
    TILEREEL_CPU_LADDER(ROW) \
    ROW("01_naive_by_column", naive_by_column, TILEREEL_TILES, any_size_by_column) \
    ROW("02_naive", naive, TILEREEL_TILES, any_size) \
    ROW("03_guide_simple", guide_simple, TILEREEL_TILES, one_tile_deep) \
    ROW("04_guide_a_shared", guide_a_shared, TILEREEL_PADDED_TILES, one_tile_deep) \
    ROW("05_guide_ab_shared", guide_ab_shared, TILEREEL_PADDED_TILES, one_tile_deep) \
    ROW("06_single_block", single_block, TILEREEL_WITHOUT_TILES, all_in_one_block) \
    ROW("07_tiled_b_uncoalesced", tiled_b_uncoalesced, TILEREEL_PADDED_TILES, multiple_of_tile) \
    ROW("08_tiled_b_transposed", tiled_b_transposed, TILEREEL_PADDED_TILES, multiple_of_tile) \
    ROW("09_tiled", tiled, TILEREEL_PADDED_TILES, multiple_of_tile) \
    ROW("10_tiled_any_size", tiled_any_size, TILEREEL_PADDED_TILES, any_size) \
    ROW("11_tiled_dynamic", tiled_dynamic, TILEREEL_TILES_AT_LAUNCH, tile_at_launch) \
    ROW("12_outer_product", outer_product, TILEREEL_TILE_16, rows_of_64_threads) \
    ROW("13_outer_product_unrolled", outer_product_unrolled, TILEREEL_TILE_16, rows_of_64_threads) \
    ROW("14_outer_product_prefetch", outer_product_prefetch, TILEREEL_TILE_16, rows_of_64_threads) \
    ROW("15_register_tile", register_tile, TILEREEL_THREAD_TILES, square_blocks_of_thread_tiles) \
    ROW("16_vectorized", vectorized, TILEREEL_THREAD_TILES_PADDED, square_blocks_of_thread_tiles) \
    ROW("17_swizzled", swizzled, TILEREEL_THREAD_TILES, square_blocks_of_thread_tiles) \
    ROW("18_warp_tiled", warp_tiled, TILEREEL_WARP_TILES, warps_of_thread_tiles) \
    ROW("19_async_pipeline", async_pipeline, TILEREEL_THREAD_TILES, warps_of_thread_tiles)

// What the copy engine of a Hopper brings boxes to; raced through kernels/cuda/champion.h, which
// takes any size.
#define TILEREEL_BOX_LADDER(ROW) \
    ROW("20_champion", champion_of_tile, TILEREEL_BOX_TILES, boxes_of_tiles)

#define TILEREEL_RECORDED_LADDER(ROW) \
    TILEREEL_LADDER(ROW) \
    TILEREEL_BOX_LADDER(ROW)
