#pragma once
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// "2", "2,1" or "2,1,0": as many extents as the grid has.
[[nodiscard]] std::string block_name(const Dim3& grid, std::uint32_t block);

}  // namespace tilereel
