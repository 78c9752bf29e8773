#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "instrumentation/plain/runtime/warp_rows.h"

namespace tilereel::plain {

// Whether lanes of a warp touched the same memory in one turn, one of them with a store, other than
// by storing at once. Their order matters then. `events`: the turn's.
[[nodiscard]] bool lanes_communicate(const std::vector<WarpEvent>& events);

inline std::uint32_t count_lanes(std::uint32_t mask) {  // nearly always all
    return mask == 0xffffffff ? kLanes : static_cast<std::uint32_t>(std::popcount(mask));
}
inline bool is_access(const Row& row) { return row.array != nullptr; }

}  // namespace tilereel::plain
