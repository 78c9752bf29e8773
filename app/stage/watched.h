#pragma once
// The part of A, B and C that is looked at where not all of them fit with their values.
#include "app/stage/lane_view.h"
#include "app/stage/layout.h"

namespace tilereel::stage {

// The watched block's part of C and this phase's k. The lane that is looked at is the chosen one,
// of warp 0 where no warp is chosen: the warp of the request in flight changes too often for the
// eye to follow.
[[nodiscard]] Watched watched_part(const Replay& replay, const StagePlan& plan, LaneView& lanes);

}  // namespace tilereel::stage
