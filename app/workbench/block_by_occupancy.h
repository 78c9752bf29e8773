#pragma once
// The TILE that the occupancy rule chooses for a kernel whose block is set at launch.
#include <string>

#include "instrumentation/analysis/occupancy.h"
#include "kernels/catalog.h"

namespace tilereel {

struct BlockByOccupancy {
    int threads = 0;       // of the block that holds the most threads on an SM
    int tile = 0;          // edge of the square block made of it
    int registers = 0;     // a thread, that this was found with
    bool assumed = false;  // no compiler said so
    Occupancy of_threads, of_tile;
};

// "Lab 6 - Shared Memory", exercise 2: the best block, and of it the square whose edge is a power
// of two. `registers`: a thread; 0: kAssumedRegisters. kWrongCall for a kernel whose block is set
// when it is compiled, and where no block runs.
[[nodiscard]] Result<BlockByOccupancy> block_by_occupancy(const KernelInfo& kernel, int pad,
                                                          const Generation& generation,
                                                          int registers = 0);

// "32 registers a thread assumed", "20 registers a thread"
[[nodiscard]] std::string words_of_registers(int registers, bool assumed);
// "TILE 16 by occupancy on RTX 3090 (8.6): ..."
[[nodiscard]] std::string sentence_of(const BlockByOccupancy& block, const Generation& generation);

}  // namespace tilereel
