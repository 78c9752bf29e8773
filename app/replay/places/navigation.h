#pragma once
// Steps by phase, request and wavefront, and places that stay meaningful when TILE, PAD or the
// kernel changes.
#include <cstdint>

#include "app/replay/elements.h"
#include "app/replay/schedule/step.h"

namespace tilereel {

class Replay;

enum class StepUnit { kPhase, kRequest, kWavefront };
// The tick one unit after `from`, or before it, limited to 0 and the last tick. If the block has
// rounds, all rounds of a row of C count as one phase.
[[nodiscard]] Tick next_tick(const Replay& replay, StepUnit unit, Tick from);
[[nodiscard]] Tick previous_tick(const Replay& replay, StepUnit unit, Tick from);

// A place in the replay that does not depend on TILE, PAD and kernel. It is kept when the launch is
// recorded again.
struct LogicalPlace {
    // The first column and row of C that the block stores, as fractions of N and M.
    double block_x = 0, block_y = 0;
    double phase = 0;  // its begin, as a fraction of the phases
    Part part = Part::kLoad;
    double within = 0;            // as a fraction of the part's steps
    std::uint32_t wavefront = 0;  // tick of the step, from 0; in modelled time its wavefront
};
[[nodiscard]] LogicalPlace place_at(const Replay& replay, Tick tick);
[[nodiscard]] Tick tick_of(const Replay& replay, const LogicalPlace& place);
// The part of C that a block stores, with all between. Empty: it stores nothing that was recorded.
[[nodiscard]] CellRect stored_rect(const Trace& trace, std::uint32_t block);
// The block that stores the element of C at a place, or the nearest block.
[[nodiscard]] std::uint32_t block_at(const Trace& trace, const LogicalPlace& place);

}  // namespace tilereel
