#pragma once
// The number of cells that the block stores to each of its shared tiles (an array, or one plane of
// a multi-buffered array).
#include "app/replay/schedule/schedule.h"

namespace tilereel {

struct SharedUses {
    // Planes are numbered consecutively, array by array; those of array a are
    // [first[a], first[a + 1]).
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> expected;  // [phase * planes + plane]: see expected_of()

    [[nodiscard]] std::uint32_t planes() const { return first.back(); }
    // The number of distinct cells of a plane that are written in a phase.
    [[nodiscard]] std::uint32_t expected_of(std::uint32_t phase, ArrayId array,
                                            std::uint32_t plane) const {
        return expected[std::size_t{phase} * planes() + first[array] + plane];
    }
};
[[nodiscard]] SharedUses find_shared_uses(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
