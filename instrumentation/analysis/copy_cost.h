#pragma once
// What one asynchronous copy costs where the GPU has them (compute capability 8.0 on). Not what a
// load and a store would: both sides of a copy are served at once.
//
// Nobody documents it. The rules were found from measurements on an H100, of which
// tests/hardware/h100_copies.csv keeps one a row, with
// smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts and
// smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.
//
// 16 bytes, past the L1 cache (cp.async.cg): a wavefront takes from one 128-byte line to one
// 128-byte row of shared memory all pieces of 16 bytes whose place within the row differs from that
// within the line by the same exclusive or. A sector is fetched once for each sector of shared
// memory that it goes to, and twice if its halves go there both straight and crossed. Lanes that
// write the same place write it once. Every row agrees but one: 32 pieces in a run that begins 16
// bytes into a line take 12 wavefronts, not 16.
//
// 4 and 8 bytes, through the L1 cache (cp.async.ca): lanes served together, as many as by a store,
// need a bank of their own on either side; who does not get one keeps its banks from those behind.
// Sectors are those of a load. Rows agree where only one side has conflicts; where both have, the
// hardware takes up to 8 wavefronts more or less.
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct CopyCost {
    std::uint32_t wavefronts = 0;
    // Wavefronts that the hardware does not count as conflicts: past the L1 cache all of them, else
    // one for each group of lanes served together.
    std::uint32_t ideal_wavefronts = 0;
    std::uint32_t sectors = 0;
};
// `to`: where the lanes write, from the block's shared memory; `from`: where they read.
[[nodiscard]] CopyCost cost_of_copy(const LaneOffsets& to, const LaneOffsets& from,
                                    std::uint32_t width_bytes);

}  // namespace tilereel
