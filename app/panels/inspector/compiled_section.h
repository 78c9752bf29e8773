#pragma once
// The section below the counters: how the compiled code differs from the source code, and on which
// SMs the blocks of a trace recorded on a GPU ran.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// Returns the height in pixels: 0 while there is no recording.
float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench);

}  // namespace tilereel
