#pragma once
// Makes the schedule of a block.
#include <optional>

#include "app/replay/schedule.h"

namespace tilereel {

// Measured time where the trace has a GPU's clocks: requests in the order in which they were
// issued, each of which lasts until the block's next one (schedule_by_clocks.h).
//
// Modelled time otherwise: within an epoch warps go in the order that the launch names
// (Launch::order): in turn, one request each; or one warp after another, first to last or last to
// first. Lanes that ran one by one have records of their own, warp after warp. A request lasts as
// many ticks as it costs wavefronts or lines.
//
// An asynchronous copy is two steps: its read where it begins, its write where its warp waits for
// it, in measured and in modelled time. A copy that no warp waits for never arrives.
[[nodiscard]] Schedule schedule_block(const Trace& trace, const BlockRecords& records,
                                      const BlockPhases& phases, const Generation& generation);

// How long a block takes; nullopt: its time is measured.
[[nodiscard]] std::optional<Tick> modelled_ticks(const Trace& trace, std::uint32_t block,
                                                 const Generation& generation);

}  // namespace tilereel
