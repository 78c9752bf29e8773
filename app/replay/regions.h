#pragma once
// The part of each global array that a block works on.
#include <span>

#include "app/replay/flights.h"
#include "app/replay/lifetimes.h"

namespace tilereel {

// Of a product; of another launch, everything but `touched` is empty.
struct Regions {
    CellRect c;                   // elements of C that the block stores
    std::vector<CellRect> bands;  // by array
    // By phase, then array.
    std::vector<CellRect> touched_in_phase, tiles, prefetches;

    // Elements of the array that the block touches.
    [[nodiscard]] CellRect band(ArrayId array) const;
    // Elements that it touches in a phase.
    [[nodiscard]] CellRect touched(ArrayId array, std::uint32_t phase) const;
    // Elements that a phase computes with, loaded in that phase or, into shared memory, in an
    // earlier one. Where it computes with none: what it touches.
    [[nodiscard]] CellRect tile(ArrayId array, std::uint32_t phase) const;
    // Elements loaded in a phase into shared memory, for later phases only.
    [[nodiscard]] CellRect prefetched(ArrayId array, std::uint32_t phase) const;

  private:
    [[nodiscard]] CellRect in_phase(const std::vector<CellRect>& all, ArrayId array,
                                    std::uint32_t phase) const;
};
[[nodiscard]] Regions find_regions(const Trace& trace, const Schedule& schedule,
                                   const Lifetimes& lifetimes, std::span<const Flight> flights,
                                   const CellRect& c);

// The smallest rectangle that holds every element a record touches.
[[nodiscard]] CellRect touched(const Trace& trace, SiteId site, std::uint64_t record);

}  // namespace tilereel
