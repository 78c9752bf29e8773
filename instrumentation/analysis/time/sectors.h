#pragma once
// The sectors of global memory that a request accesses.
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// Array number << 40 | number of the sector in the array; ascending, each once.
[[nodiscard]] std::vector<std::uint64_t> sectors_of(const Trace& trace, std::uint64_t record);

}  // namespace tilereel
