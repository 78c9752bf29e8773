#pragma once
// Which rows the timeline of a replay has.
#include "app/panels/timeline/timeline_tracks.h"

namespace tilereel {

// Besides the rows of global and shared memory. `roles`: rows of roles, in place of all others but
// the buffers.
struct TimelineRows {
    bool conflicts = true, buffers = false, tensor = false;
    std::size_t roles = 0;
    // All but the row of buffers.
    [[nodiscard]] std::size_t single() const {
        if (roles > 0) return roles;
        return std::size_t{2} + (conflicts ? 1 : 0) + (tensor ? 1 : 0);
    }
    // How many single rows all of them need: that of buffers is higher, its planes are stacked.
    [[nodiscard]] std::size_t needed() const { return single() + (buffers ? 2 : 0); }
};

struct TimelineRowsMemory {
    std::uint64_t replay = 0;  // Replay::id() of `rows`; 0: none
    TimelineRows rows;
};
// Worked out once for a replay, and kept in `memory`. nullptr: no replay.
[[nodiscard]] TimelineRows rows_of(const Replay* replay, TimelineRowsMemory& memory);

}  // namespace tilereel
