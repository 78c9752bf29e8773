#pragma once
// The CUDA program that is open: its launches, what it printed, and what is happening to it.
//
// Names under which its controls are registered (register_widget):
//   program.launch.<n> (from 0) program.launches program.output program.errors program.again
//   program.cancel
#include "app/panels/panels.h"

namespace tilereel {

// Drawn above the source where a program is open. Does nothing otherwise.
Commands draw_program(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory);
// How high the panel is in a column of `height` pixels; 0: no program is open.
[[nodiscard]] float program_height(const Look& look, float height, const Workbench& workbench);

}  // namespace tilereel
