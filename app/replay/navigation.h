#pragma once
// Stepping by phase, request and wavefront, and places that outlive a change of TILE, PAD or
// kernel.
#include <cstdint>

#include "app/replay/step.h"

namespace tilereel {

class Replay;

enum class StepUnit { kPhase, kRequest, kWavefront };
// The tick one unit after `from`, or before it; from 0 to the last tick. Where a block has rounds,
// a phase ends with the rounds of a row of C.
[[nodiscard]] Tick next_tick(const Replay& replay, StepUnit unit, Tick from);
[[nodiscard]] Tick previous_tick(const Replay& replay, StepUnit unit, Tick from);

// What is being watched, independent of TILE, PAD and kernel: kept when a replay is re-recorded.
struct LogicalPlace {
    // The first column and row of C that the block stores, as fractions of N and M: the first block
    // stays the first, whatever the size.
    double block_x = 0, block_y = 0;
    double phase = 0;  // fraction of the phases
    Part part = Part::kLoad;
    double within = 0;  // fraction of that part's steps
    std::uint32_t wavefront = 0;
};
[[nodiscard]] LogicalPlace place_at(const Replay& replay, Tick tick);
[[nodiscard]] Tick tick_of(const Replay& replay, const LogicalPlace& place);
// The block that stores the element of C at a place, or the one nearest to it.
[[nodiscard]] std::uint32_t block_at(const Trace& trace, const LogicalPlace& place);

}  // namespace tilereel
