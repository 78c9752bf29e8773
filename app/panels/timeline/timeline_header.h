#pragma once
// Transport, step unit, speed and the tick: the row above the tracks.
#include "app/panels/panels.h"

namespace tilereel {

Commands draw_timeline_header(const Look& look, const Rect& header, const Workbench& workbench,
                              PanelMemory& memory);

}  // namespace tilereel
