#pragma once
// The 32 lanes of the current request: element and sector, or element and bank.
#include "app/replay/replay.h"
#include "app/ui/draw/draw.h"

namespace tilereel {

// Draws two columns of 16 lanes from the top left corner of `rect`, or one of 32 if their font
// would be too small. Returns the height in pixels.
float draw_lane_table(const Look& look, const Rect& rect, const Replay& replay,
                      const RequestState& request, const Step& step);

}  // namespace tilereel
