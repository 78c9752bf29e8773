#pragma once
// The part of each array that a block touches.
#include "app/replay/schedule.h"

namespace tilereel {

struct Regions {
    std::vector<CellRect> band;  // per global array: touched in all
    std::vector<CellRect> tile;  // [phase * arrays + array]: touched in that phase
    // [phase * arrays + array]: distinct cells of a shared array that are written in that phase.
    std::vector<std::uint32_t> expected;
};
[[nodiscard]] Regions find_regions(const Trace& trace, const Schedule& schedule);

// The smallest rectangle that holds every element a record touches.
[[nodiscard]] CellRect touched(const Trace& trace, SiteId site, std::uint64_t record);

}  // namespace tilereel
