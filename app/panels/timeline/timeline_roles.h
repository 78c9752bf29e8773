#pragma once
// Rows of the timeline for kernels whose warps have roles: producers copy to shared memory and do
// not multiply, consumers multiply and do not copy. They wait for each other at mbarriers.
#include <optional>

#include "app/panels/timeline/timeline_tracks.h"
#include "app/ui/draw/draw.h"

namespace tilereel {

// The rows of the roles from the first warp on; empty if the warps have no roles. `width_px`: width
// of the track.
[[nodiscard]] std::vector<RoleTrack> make_roles(const Replay& replay, float width_px);
// Who waits at a place of the track, for which mbarrier and why; producers first. nullptr: nobody.
[[nodiscard]] const RoleWait* waiting_at(const TimelineTracks& tracks, float x_px);
// `row`: of the role, from the track's left edge on. `head`: the play head, in pixels of the
// screen.
void draw_role(const Look& look, const RoleTrack& role, const Rect& row, float head);

}  // namespace tilereel
