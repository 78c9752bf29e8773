#pragma once
// The TILE that the occupancy rule chooses for a kernel whose block is set at launch.
#include <optional>
#include <string>

#include "app/workbench/registers.h"
#include "kernels/catalog.h"

namespace tilereel {

struct BlockByOccupancy {
    int threads = 0;      // of the block that holds the most threads on an SM
    int tile = 0;         // edge of the square block made of it
    Registers registers;  // that this was found with
    Occupancy of_threads, of_tile;
};

// "Lab 6 - Shared Memory", exercise 2: the best block, and of it the square whose edge is a power
// of two. Without `registers`, those of registers_of(). kWrongCall for a kernel whose block is set
// when it is compiled, and where no block runs.
[[nodiscard]] Result<BlockByOccupancy> block_by_occupancy(const KernelInfo& kernel, int pad,
                                                          const Generation& generation,
                                                          std::optional<Registers> registers = {});

// "TILE 16 by occupancy on RTX 3090 (8.6): ..."
[[nodiscard]] std::string sentence_of(const BlockByOccupancy& block, const Generation& generation);

}  // namespace tilereel
