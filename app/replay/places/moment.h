#pragma once
// Finds the tick of the replay at which a hazard or an error happens.
#include <optional>

#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {

// The begin of the later one of the finding's two accesses. For barrier divergence: the last tick
// before the barrier is released. nullopt if the finding belongs to another block, or if the replay
// has no such access.
[[nodiscard]] std::optional<Tick> moment_of(const Replay& replay, const Finding& finding);

// The begin of the request that contains the access that the recorder suppressed: the first request
// of the finding's line by its warp in which its lane is not active. If there is none, the begin of
// the first request of that line.
[[nodiscard]] std::optional<Tick> moment_of(const Replay& replay, const RecordedFinding& finding);

// The first tick at which C contains the element; nullopt if this block does not store it.
[[nodiscard]] std::optional<Tick> stored_at(const Replay& replay, std::uint32_t row,
                                            std::uint32_t column);

}  // namespace tilereel
