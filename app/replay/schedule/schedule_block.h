#pragma once
// Makes the schedule of a block.
#include <optional>

#include "app/replay/schedule/schedule.h"

namespace tilereel {

// Measured time if the trace has clocks of a GPU: requests in the order of issue. Each request
// lasts until the block's next request (schedule_by_clocks.h).
//
// Else modelled time: within an epoch the warps run in Launch::order: in turn, one request each, or
// one warp after another in ascending or descending order. With ThreadOrder::kLanes each lane has
// records of its own, warp after warp. A request lasts as many ticks as it has wavefronts or lines.
//
// An asynchronous copy is two steps: its read when it begins, and its write when its warp waits for
// it. A copy for which no warp waits has no write.
[[nodiscard]] Schedule schedule_block(const Trace& trace, const BlockRecords& records,
                                      const BlockPhases& phases, const Generation& generation);

// The duration of a block; nullopt if its time is measured.
[[nodiscard]] std::optional<Tick> modelled_ticks(const Trace& trace, std::uint32_t block,
                                                 const Generation& generation);

}  // namespace tilereel
