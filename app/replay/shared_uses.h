#pragma once
// What the block stores to each of its shared tiles: an array, or one plane of an array of several.
#include "app/replay/schedule.h"

namespace tilereel {

struct SharedUses {
    // Planes are numbered through, array by array; those of array a are [first[a], first[a + 1]).
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> expected;  // [phase * planes + plane]: distinct cells written then

    [[nodiscard]] std::uint32_t planes() const { return first.back(); }
    // Distinct cells of a plane of an array that are written in a phase.
    [[nodiscard]] std::uint32_t expected_of(std::uint32_t phase, ArrayId array,
                                            std::uint32_t plane) const {
        return expected[std::size_t{phase} * planes() + first[array] + plane];
    }
};
[[nodiscard]] SharedUses find_shared_uses(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
