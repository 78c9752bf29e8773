#pragma once
// One memory instruction of a warp with all its active lanes.
#include <cstdint>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct WarpAccess {
    Space space = Space::kGlobal;
    Operation operation = Operation::kLoad;  // any access
    std::uint32_t width_bytes = 4;           // 1, 2, 4, 8 or 16
    LaneOffsets lanes{};                     // multiples of width_bytes
    LaneOffsets other_side{};        // of a copy: for its load its store's lanes, and vice versa
    bool is_of_other_block = false;  // of the cluster, which pays for it: Site::is_of_other_block()
};

}  // namespace tilereel
