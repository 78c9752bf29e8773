#pragma once
// The names of blocks and threads in texts.
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// "2", "2,1" or "2,1,0": as many extents as the grid has.
[[nodiscard]] std::string block_name(const Dim3& grid, std::uint32_t block);
// "3", "(3,1)" or "(3,1,0)": as many extents as the block has. `thread`: its number within the
// block.
[[nodiscard]] std::string thread_name(const Dim3& block, std::uint32_t thread);

}  // namespace tilereel
