#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/runtime/warp/warp_rows.h"

namespace tilereel::runtime {

// Whether the order of the lanes mattered in a time slice: two lanes accessed the same memory, at
// least one of them by a store or an atomic. Two atomics, or two stores of one event, do not count.
[[nodiscard]] bool lanes_communicate(const std::vector<WarpEvent>& events);

inline std::uint32_t count_lanes(std::uint32_t mask) {  // fast for the usual full mask
    return mask == 0xffffffff ? kLanes : static_cast<std::uint32_t>(std::popcount(mask));
}
inline bool is_access(const Row& row) { return row.array != nullptr; }

}  // namespace tilereel::runtime
