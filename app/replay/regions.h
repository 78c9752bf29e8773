#pragma once
// The part of each global array that a block works on.
#include <span>

#include "app/replay/lifetimes.h"

namespace tilereel {

struct Regions {
    std::vector<CellRect> band;     // per array: touched in all
    std::vector<CellRect> touched;  // [phase * arrays + array]: touched in that phase
    // Likewise: what the phase computes with, be it loaded in that phase or, into
    // shared memory, in an earlier one; where it computes with none, what it touches.
    std::vector<CellRect> tile;
    // Likewise: loaded in that phase, but into shared memory for later ones only.
    std::vector<CellRect> prefetched;
};
[[nodiscard]] Regions find_regions(const Trace& trace, const Schedule& schedule,
                                   const Lifetimes& lifetimes, std::span<const Flight> flights);

// The smallest rectangle that holds every element a record touches.
[[nodiscard]] CellRect touched(const Trace& trace, SiteId site, std::uint64_t record);

}  // namespace tilereel
