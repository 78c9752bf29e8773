#pragma once
// The part of each global array that a block works on.
#include <span>

#include "app/replay/schedule/lifetimes.h"
#include "app/replay/state/flights.h"

namespace tilereel {

// All rectangles are empty if the launch is not a product.
struct Regions {
    CellRect c;                   // elements of C that the block stores
    std::vector<CellRect> bands;  // by array: see band()
    // By phase, then array.
    std::vector<CellRect> touched_in_phase, tiles, prefetches;

    // Elements of the array that the block accesses.
    [[nodiscard]] CellRect band(ArrayId array) const;
    // Elements that the block accesses in a phase.
    [[nodiscard]] CellRect touched(ArrayId array, std::uint32_t phase) const;
    // Elements that the block works on in a phase: it accesses the elements or reads their copies
    // in shared memory. Prefetched elements are left out.
    [[nodiscard]] CellRect tile(ArrayId array, std::uint32_t phase) const;
    // Elements that a phase copies to shared memory for later phases only.
    [[nodiscard]] CellRect prefetched(ArrayId array, std::uint32_t phase) const;

  private:
    [[nodiscard]] CellRect in_phase(const std::vector<CellRect>& all, ArrayId array,
                                    std::uint32_t phase) const;
};
[[nodiscard]] Regions find_regions(const Trace& trace, const Schedule& schedule,
                                   const Lifetimes& lifetimes, std::span<const Flight> flights,
                                   const CellRect& c);

// The smallest rectangle that contains all elements that a record accesses.
[[nodiscard]] CellRect touched(const Trace& trace, SiteId site, std::uint64_t record);

}  // namespace tilereel
