#pragma once
// Measured time: from a GPU's clocks to ticks.
#include "app/replay/schedule.h"

namespace tilereel {

// Measured time: no wait lasts longer on the screen, or a block would be watched standing still.
inline constexpr std::uint32_t kLongestGapTicks = 16;

// Gives a schedule of one tick a request, in the order of their clocks, its ticks: the cycles until
// the block's next request is issued, in units of Schedule::cycles_per_tick, at least one tick and
// at most kLongestGapTicks. The warps of a block run on one multiprocessor and share its clock.
void stretch_by_clocks(const Trace& trace, const BlockRecords& records, Schedule& schedule);

}  // namespace tilereel
