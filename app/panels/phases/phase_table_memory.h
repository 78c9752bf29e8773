#pragma once
// What the phase table remembers between frames: the table of the watched block, made once on a
// thread of its own, and how it is scrolled.
#include <future>
#include <optional>

#include "app/panels/phases/phase_rows.h"

namespace tilereel {

struct MadePhaseTable {
    Result<PhaseTable> table;  // an error: too large to read
    PhaseLayout layout;
};

struct PhaseTableMemory {
    std::uint64_t replay = 0;  // Replay::id() of `made`; 0: none
    std::optional<MadePhaseTable> made;
    std::uint64_t coming_replay = 0;
    std::future<MadePhaseTable> coming;  // valid: being made

    std::uint32_t warp = 0;          // the warp whose threads are shown
    float x = 0, y = 0;              // scrolled by so many pixels
    bool moving = false;             // is scrolling to the phase that runs
    double free_until_seconds = -1;  // of Look::now_seconds: scrolled by hand until then
};

}  // namespace tilereel
