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

// The first tick at which C holds the element; nothing if this block does not store it.
[[nodiscard]] std::optional<Tick> stored_at(const Replay& replay, std::uint32_t row,
                                            std::uint32_t column);

}  // namespace tilereel
