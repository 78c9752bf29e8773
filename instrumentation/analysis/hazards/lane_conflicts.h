#pragma once
// Lanes of one warp that store different values to the same bytes by one instruction.
//
// CUDA C++ Programming Guide, "SIMT Architecture": which of the lanes makes the final write is
// undefined. Stores of the same value are fine, as is a store by one lane. The order of two
// instructions is another matter: shared_races.h and global_races.h.
#include <functional>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

// Calls `report` for each pair of sites' first lanes at each element. `element`: its number within
// the array.
using ReportLanes = std::function<void(const Finding& found, std::uint64_t element)>;
void find_lane_conflicts(const Trace& trace, const ReportLanes& report);

}  // namespace tilereel
