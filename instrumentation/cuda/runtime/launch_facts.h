#pragma once
#include <cstdint>
#include <string>

#include "instrumentation/contract/messages.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

// A launch as the host requests it.
struct LaunchFacts {
    std::uint32_t number = 0;  // in the program, from 0
    std::string kernel, file;  // "multiply<16>"; source file of the launch
    std::uint32_t line = 0;
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;  // blocks may wait for each other
    Index3 cluster;            // blocks of a cluster

    // For messages.
    [[nodiscard]] contract::LaunchCall call() const {
        return {.kernel = kernel,
                .file = file,
                .line = line,
                .grid = {grid.x, grid.y, grid.z},
                .block = {block.x, block.y, block.z},
                .shared_bytes = dynamic_shared_bytes};
    }
};

}  // namespace tilereel::runtime
