#pragma once
// The section below the counters: how the compiled code differs from the source code, and on which
// SMs the blocks of a trace recorded on a GPU ran.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The height in pixels. 0 while there is no recording.
[[nodiscard]] float compiled_height(const Look& look, float width, const Workbench& workbench);
void draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench);

}  // namespace tilereel
