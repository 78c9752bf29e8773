#include "app/panels/timeline/timeline_rows.h"

#include "app/panels/timeline/timeline_roles.h"

namespace tilereel {
namespace {

TimelineRows rows_of(const TimelineTracks& tracks) {
    const bool planes = tracks.planes > 0;
    if (!tracks.roles.empty())
        return {.conflicts = false, .buffers = planes, .roles = tracks.roles.size()};
    // Without conflicts their row is left out where there is something else to show.
    return {.conflicts = tracks.any_conflict || !planes,
            .buffers = planes,
            .tensor = !tracks.tensor.empty()};
}

}  // namespace

TimelineRows rows_of(const Replay* replay, TimelineRowsMemory& memory) {
    constexpr float kAnyWidth = 1000;  // which rows there are does not depend on the width
    if (replay == nullptr) return {};
    if (memory.replay != replay->id()) {
        memory.replay = replay->id();
        TimelineTracks tracks = make_tracks(*replay, kAnyWidth, 1, kAnyWidth);
        tracks.roles = make_roles(*replay, kAnyWidth);
        memory.rows = rows_of(tracks);
    }
    return memory.rows;
}

}  // namespace tilereel
