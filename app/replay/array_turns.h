#pragma once
// More arrays than there are places to show them large: which of them has a place at each step. The
// array that a step accesses always has one. The choice depends on the step alone, and changes as
// seldom as it can: the array that is not accessed for the longest time to come makes room.
#include <cstdint>
#include <span>
#include <vector>

namespace tilereel {

class ArrayTurns {
  public:
    ArrayTurns() = default;
    // `steps`: of each array, those that access it, ascending. `places`: at least one. `kept`: the
    // arrays that always have a place, fewer than `places`, or the only one.
    ArrayTurns(std::span<const std::vector<std::uint32_t>* const> steps, std::size_t places,
               std::span<const std::size_t> kept);

    // By array: its place. From `places` on: it has none, and stands in the row of the others.
    [[nodiscard]] const std::vector<std::size_t>& at(std::uint32_t step) const;
    [[nodiscard]] std::size_t changes() const { return changes_.size(); }

  private:
    struct Change {
        std::uint32_t step = 0;  // from this one on
        std::vector<std::size_t> places;
    };
    std::vector<Change> changes_;  // ascending; the first is the beginning
};

}  // namespace tilereel
