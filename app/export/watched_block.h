#pragma once
#include <cstdint>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The number of the block at (x, y) of the grid. kWrongCall if there is none.
[[nodiscard]] Result<std::uint32_t> watched_block(const Trace& trace, std::uint32_t x,
                                                  std::uint32_t y);

// The replay of this block. kWrongCall if there is no such block or it was not recorded. The trace
// must outlive the replay.
[[nodiscard]] Result<Replay> replay_of_watched_block(const Trace& trace, std::uint32_t x,
                                                     std::uint32_t y, const Generation& generation);

}  // namespace tilereel
