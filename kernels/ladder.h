#pragma once
// The kernels that the builds of the dialect are made of, one row a kernel, in teaching order:
//   ROW(file stem, function, VARIANT((instantiation), TILE, PAD)...)
// CMake writes TILEREEL_LADDER: the files of kernels/plain that the dialect has, too. A build turns a
// row into whatever it needs:
//   #define VARIANT(kernel, tile, pad) {tile, pad, kernel},
//   #define ROW(stem, function, variants) {stem, {variants}},
//   TILEREEL_LADDER(ROW)
// The kernel files themselves come with #include "ladder_kernels.h", which CMake writes, too.
#include "ladder_rows.h"

// What the copy engine of a Hopper brings boxes to; raced through kernels/cuda/champion.h, which
// takes any size.
#define TILEREEL_BOX_TILES                                                      \
    VARIANT((champion_of_tile<16>), 16, 0) VARIANT((champion_of_tile<32>), 32, 0) \
    VARIANT((champion_of_tile<256>), 256, 0)

#define TILEREEL_BOX_LADDER(ROW) ROW("20_champion", champion_of_tile, TILEREEL_BOX_TILES)

#define TILEREEL_RECORDED_LADDER(ROW) \
    TILEREEL_LADDER(ROW)              \
    TILEREEL_BOX_LADDER(ROW)
