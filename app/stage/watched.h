#pragma once
// The part of A, B and C that is shown if not all cells fit with their values.
#include "app/stage/lane_view.h"
#include "app/stage/layout.h"

namespace tilereel::stage {

// The watched block's part of C, and the k of this phase. The lane is the chosen one, in warp 0 if
// no warp is chosen, because the warp of the request in flight changes too often for the eye to
// follow.
[[nodiscard]] Watched watched_part(const Replay& replay, const StagePlan& plan, LaneView& lanes);

}  // namespace tilereel::stage
