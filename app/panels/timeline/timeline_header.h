#pragma once
// The row above the tracks: transport controls, step unit, speed and tick.
#include "app/panels/panels.h"

namespace tilereel {

Commands draw_timeline_header(const Look& look, const Rect& header, const Workbench& workbench,
                              PanelMemory& memory);

}  // namespace tilereel
