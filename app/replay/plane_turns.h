#pragma once
// What each plane of a shared array of several holds, from one fill to the next.
#include "app/replay/schedule.h"

namespace tilereel {

struct PlaneTurns {
    // Planes are numbered through, array by array; those of array a are from first[a] on. An array
    // of one plane has no turns.
    std::vector<std::uint32_t> first;
    std::vector<std::vector<PlaneTurn>> of_plane;  // in the order in which they begin
};
[[nodiscard]] PlaneTurns find_plane_turns(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
