#pragma once
// Measured time: converts a GPU's clocks to ticks.
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// The longest time until the next request. Longer waits are shortened, so that the replay does not
// seem to stop.
inline constexpr std::uint32_t kLongestGapTicks = 16;

// Stretches a schedule with one tick per request, in the order of their clocks. A request gets the
// cycles until the block's next request is issued, in units of Schedule::cycles_per_tick, at least
// one tick and at most kLongestGapTicks. The warps of a block run on one multiprocessor and share
// its clock.
void stretch_by_clocks(const Trace& trace, const BlockRecords& records, Schedule& schedule);

}  // namespace tilereel
