#pragma once
// Below the counters: how the native build differs from the source as it is written, and where the
// blocks of a GPU's trace ran.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// 0 before there is a recording.
[[nodiscard]] float compiled_height(const Look& look, float width, const Workbench& workbench);
void draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench);

}  // namespace tilereel
