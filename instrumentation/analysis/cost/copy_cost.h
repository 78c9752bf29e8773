#pragma once
// The cost of one asynchronous copy (cp.async, compute capability 8.0 and up). It differs from the
// cost of a load and a store, because both sides of a copy are served at once.
//
// NVIDIA does not document it. The rules were derived from measurements on an H100, which are the
// rows of tests/hardware/h100_copies.csv:
// smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts and
// smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.
//
// 16 bytes, bypassing the L1 cache (cp.async.cg): a wavefront moves 16-byte pieces from one
// 128-byte line to one 128-byte row of shared memory. It moves all pieces for which the XOR of the
// position in the line and the position in the row is the same. A sector is fetched once for each
// sector of shared memory to which it goes, and twice if its halves go there both straight and
// swapped. Lanes that write the same place write it once. One row of the table disagrees: 32 pieces
// in a run that begins 16 bytes into a line take 12 wavefronts, not 16.
//
// 4 and 8 bytes, through the L1 cache (cp.async.ca): the lanes served together are those of a
// store. Each needs a bank of its own on both sides. A lane that does not get one still blocks its
// banks for the lanes after it. Sectors are those of a load. The table agrees if only one side has
// conflicts; if both have, the hardware takes up to 8 wavefronts more or fewer.
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct CopyCost {
    std::uint32_t wavefronts = 0;
    // Wavefronts that the hardware does not count as conflicts: all of them if the copy bypasses
    // the L1 cache, else one for each group of lanes served together.
    std::uint32_t ideal_wavefronts = 0;
    std::uint32_t sectors = 0;
};
// `to`: offsets that the lanes write in shared memory. `from`: offsets that they read.
[[nodiscard]] CopyCost cost_of_copy(const LaneOffsets& to, const LaneOffsets& from,
                                    std::uint32_t width_bytes);

}  // namespace tilereel
