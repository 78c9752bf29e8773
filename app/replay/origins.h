#pragma once
// Where the values of a shared tile come from, as its copies show: what a cell would hold that
// nobody loaded.
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "app/replay/elements.h"
#include "app/replay/flights.h"
#include "app/replay/lifetimes.h"

namespace tilereel {

// How the copies into one tile between two barriers go: each by the same way from its element of
// global memory, if there is one.
struct Origin {
    ArrayId from = kNoArray;
    // Row and column of the element less those of the cell: as they are, and swapped.
    std::int64_t straight_row = 0, straight_column = 0;
    std::int64_t swapped_row = 0, swapped_column = 0;
    bool straight = false, swapped = false;  // so of every copy
};

class Origins {
  public:
    // Some lane stores to shared memory what it has not loaded.
    [[nodiscard]] bool any_unloaded() const { return any_unloaded_; }
    // The matrix beyond whose edge the element lies that this cell would hold; kNoArray: that does
    // not follow from the copies.
    [[nodiscard]] ArrayId beyond_edge(const Trace& trace, const Step& step, ArrayId shared,
                                      Element cell) const;

  private:
    friend Origins find_origins(const Trace& trace, const Schedule& schedule,
                                const Lifetimes& lifetimes, std::span<const Flight> flights);
    // Epoch, phase, array and plane.
    using Key = std::tuple<std::uint32_t, std::uint32_t, ArrayId, std::uint32_t>;
    std::map<Key, Origin> of_;  // empty where all is loaded
    bool any_unloaded_ = false;
};
[[nodiscard]] Origins find_origins(const Trace& trace, const Schedule& schedule,
                                   const Lifetimes& lifetimes, std::span<const Flight> flights);

}  // namespace tilereel
