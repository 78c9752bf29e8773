#pragma once
// The state that the phase table keeps between frames: the table of the watched block, which is
// made once on another thread, and the scroll position.
#include <future>
#include <optional>

#include "app/panels/phases/phase_rows.h"

namespace tilereel {

struct MadePhaseTable {
    Result<PhaseTable> table;  // an error if the block is too large
    PhaseLayout layout;
};

struct PhaseTableMemory {
    std::uint64_t replay = 0;  // Replay::id() of `made`; 0: none
    std::optional<MadePhaseTable> made;
    std::uint64_t coming_replay = 0;
    std::future<MadePhaseTable> coming;  // valid while the table is being made

    std::uint32_t warp = 0;          // the warp whose threads are shown
    float x = 0, y = 0;              // scroll position, pixels
    bool moving = false;             // the table is scrolling to the current phase
    double free_until_seconds = -1;  // Look::now_seconds; scrolled by hand until then
};

}  // namespace tilereel
