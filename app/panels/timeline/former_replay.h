#pragma once
// A program that no longer compiles or runs keeps its former replay, which is dimmed and marked.
#include <span>

#include "app/panels/panels.h"

namespace tilereel {

// Dims `parts` and puts a badge on the first one, the stage, while what is shown is not what the
// file says. The badge is registered as stage.former.
void draw_former_replay(const Look& look, std::span<const Rect> parts, const Workbench& workbench,
                        PanelMemory& memory);

}  // namespace tilereel
