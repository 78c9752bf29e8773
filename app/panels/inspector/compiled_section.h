#pragma once
// The section below the counters: how the compiled code differs from the source code, and on which
// SMs the blocks of a trace recorded on a GPU ran.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// Draws from the top left corner of `rect`. Returns the height in pixels.
float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench);

}  // namespace tilereel
