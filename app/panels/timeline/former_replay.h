#pragma once
// If an edited program no longer compiles or runs, the replay of its last good run stays, dimmed
// and marked.
#include <span>

#include "app/panels/panels.h"

namespace tilereel {

// While the replay does not match the file: dims `parts` and draws a badge on the first one, the
// stage. The badge is registered as stage.former.
void draw_former_replay(const Look& look, std::span<const Rect> parts, const Workbench& workbench,
                        PanelMemory& memory);

}  // namespace tilereel
