#pragma once
#include <cstdint>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The number of the block at a column and row of the grid. kWrongCall if there is none.
[[nodiscard]] Result<std::uint32_t> watched_block(const Trace& trace, std::uint32_t x,
                                                  std::uint32_t y);

// Its replay. kWrongCall also for a block that ran unrecorded. The trace must outlive it.
[[nodiscard]] Result<Replay> replay_of_watched_block(const Trace& trace, std::uint32_t x,
                                                     std::uint32_t y, const Generation& generation);

}  // namespace tilereel
