#pragma once
// The panel of the open CUDA program: its launches, its output, and the state of its run.
//
// Names under which its controls are registered (register_widget):
//   program.launch.<n> (from 0) program.launches program.output program.errors program.again
//   program.cancel program.trust
//   program.open: in a column that is too low for a launch below the tabs, shows and hides them
#include "app/panels/panels.h"

namespace tilereel {

// Draws the panel above the source. Does nothing if no program is open.
Commands draw_program(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory);
// The height of the panel in a column of `width` x `height` pixels. 0 if no program is open.
[[nodiscard]] float program_height(const Look& look, float width, float height,
                                   const Workbench& workbench, PanelMemory& memory);

}  // namespace tilereel
