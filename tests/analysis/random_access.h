#pragma once
// Random warp accesses of many kinds, from a seeded generator.
#include <random>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel {

// Any width, load or store, some lanes inactive, narrow or wide spread of offsets, sometimes equal
// offsets of neighbours (so that wide loads merge).
inline WarpAccess random_access(std::mt19937& random, Space space) {
    const auto below = [&](std::uint32_t limit) {
        return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
    };
    WarpAccess access{.space = space};
    access.width_bytes = 4u << below(3);
    access.operation = below(2) == 0 ? Operation::kLoad : Operation::kStore;
    access.lanes.mask = 0xffffffff;
    if (below(2) == 0)
        access.lanes.mask = static_cast<std::uint32_t>(random() | (below(2) == 0 ? random() : 0));
    const std::uint32_t spread = 4u << below(9);                  // elements
    const std::uint32_t alike = below(2) == 0 ? ~below(4) : ~0u;  // lane bits that are used
    std::array<std::uint32_t, kWarpSize> offset_of{};
    for (std::uint32_t& offset : offset_of) offset = below(spread) * access.width_bytes;
    for (int lane = 0; lane < kWarpSize; ++lane) {
        if ((access.lanes.mask >> lane & 1u) != 0)
            access.lanes.bytes[lane] = offset_of[static_cast<std::uint32_t>(lane) & alike];
    }
    return access;
}

}  // namespace tilereel
