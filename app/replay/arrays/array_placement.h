#pragma once
// Chooses at each step which arrays are shown large, if there are more arrays than large places.
// The array that a step accesses is always large, unless kept arrays take all places. An array that
// becomes large replaces the one whose next access is farthest ahead (Belady's rule), so the choice
// changes rarely. It depends on the step alone, not on how the replay got there.
#include <cstdint>
#include <span>
#include <vector>

namespace tilereel {

class ArrayPlacement {
  public:
    ArrayPlacement() = default;
    // `steps`: for each array, the steps that access it, ascending. `places`: the number of large
    // places, at least one. `kept`: arrays that are always large: fewer than `places`, or one.
    ArrayPlacement(std::span<const std::vector<std::uint32_t>* const> steps, std::size_t places,
                   std::span<const std::size_t> kept);

    // The place of each array at a step. Places from `places` on are not large: they are strips.
    [[nodiscard]] const std::vector<std::size_t>& at(std::uint32_t step) const;
    [[nodiscard]] std::size_t changes() const { return changes_.size(); }

  private:
    struct Change {
        std::uint32_t step = 0;  // the first with these places
        std::vector<std::size_t> places;
    };
    std::vector<Change> changes_;  // by ascending step, from step 0
};

}  // namespace tilereel
