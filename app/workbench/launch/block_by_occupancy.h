#pragma once
// The TILE that the occupancy rule chooses for a kernel whose block size is set at launch.
#include <optional>
#include <string>

#include "app/workbench/tables/registers.h"
#include "kernels/catalog.h"

namespace tilereel {

struct BlockByOccupancy {
    int threads = 0;      // block size with the most active threads on an SM
    int tile = 0;         // edge of the square block within that size
    Registers registers;  // the registers of a thread that the rule was given
    Occupancy of_threads, of_tile;
};

// "Lab 6 - Shared Memory", exercise 2: the best block size, and the largest square within it whose
// edge is a power of two. Default of `registers`: registers_of(). kWrongCall for a kernel whose
// block size is set at compile time, or if no block can run.
[[nodiscard]] Result<BlockByOccupancy> block_by_occupancy(const KernelInfo& kernel, int pad,
                                                          const Generation& generation,
                                                          std::optional<Registers> registers = {});

// "TILE 16 by occupancy on RTX 3090 (8.6): ..."
[[nodiscard]] std::string sentence_of(const BlockByOccupancy& block, const Generation& generation);

}  // namespace tilereel
