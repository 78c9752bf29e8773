#pragma once
// From a hazard found in the trace to the tick of the replay at which it happens.
#include <optional>

#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards.h"

namespace tilereel {

// When the later of the finding's two accesses begins: by then the other has been seen. For
// barriers that not all threads share, while the first of them waits. Nothing if the finding is of
// another block or the replay shows no such access.
[[nodiscard]] std::optional<Tick> moment_of(const Replay& replay, const Finding& finding);

// When the line that the recorder saw go wrong runs: the first request of the finding's warp that
// its lane has no part in, since the access did not take place; else the first one of the line.
[[nodiscard]] std::optional<Tick> moment_of(const Replay& replay, const RecordedFinding& finding);

// The first tick at which C holds the element; nothing if this block does not store it.
[[nodiscard]] std::optional<Tick> stored_at(const Replay& replay, std::uint32_t row,
                                            std::uint32_t column);

}  // namespace tilereel
