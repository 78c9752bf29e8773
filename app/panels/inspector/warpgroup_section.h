#pragma once
// What the chosen lane holds of a warpgroup's product: the registers of D in the shown columns.
#include "app/replay/tensor/warpgroup_moment.h"
#include "app/ui/draw/draw.h"

namespace tilereel {

// Draws from the top left corner of `rect`; returns the height in pixels. `part`: columns 8 part to
// 8 part + 7 of D; while sums are stored, those are shown.
float draw_warpgroup_section(const Look& look, const Rect& rect, const Replay& replay,
                             const WarpgroupMoment& moment, int lane, int part);

}  // namespace tilereel
