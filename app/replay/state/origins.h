#pragma once
// The mapping from cells of a shared tile to elements of a matrix, derived from the tile's copies.
// It tells which element a cell would hold if no lane loaded one.
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "app/replay/elements.h"
#include "app/replay/schedule/lifetimes.h"
#include "app/replay/state/flights.h"

namespace tilereel {

// The mapping that all copies into one tile between two barriers share, if there is one.
struct Origin {
    ArrayId from = kNoArray;
    // Row and column of the element minus row and column (swapped: column and row) of the cell.
    std::int64_t straight_row = 0, straight_column = 0;
    std::int64_t swapped_row = 0, swapped_column = 0;
    bool straight = false, swapped = false;  // holds for every copy
};

class Origins {
  public:
    // Whether a lane stores a value to shared memory that it has not loaded.
    [[nodiscard]] bool any_unloaded() const { return any_unloaded_; }
    // The matrix if the element for this cell lies beyond its edge; kNoArray if not, or if the
    // copies do not tell.
    [[nodiscard]] ArrayId beyond_edge(const Trace& trace, const Step& step, ArrayId shared,
                                      Element cell) const;

  private:
    friend Origins find_origins(const Trace& trace, const Schedule& schedule,
                                const Lifetimes& lifetimes, std::span<const Flight> flights);
    // Epoch, phase, array and plane.
    using Key = std::tuple<std::uint32_t, std::uint32_t, ArrayId, std::uint32_t>;
    std::map<Key, Origin> of_;  // empty if all stored values were loaded
    bool any_unloaded_ = false;
};
[[nodiscard]] Origins find_origins(const Trace& trace, const Schedule& schedule,
                                   const Lifetimes& lifetimes, std::span<const Flight> flights);

}  // namespace tilereel
