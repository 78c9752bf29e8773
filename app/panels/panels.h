#pragma once
// The panels around the stage. Each reads the workbench and returns commands.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

Commands draw_top_bar(const Look& look, const Rect& rect, const Workbench& workbench);
Commands draw_source(const Look& look, const Rect& rect, const Workbench& workbench);
Commands draw_inspector(const Look& look, const Rect& rect, const Workbench& workbench);
// Source and inspector behind two tabs, for narrow windows and large text.
Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench);
Commands draw_timeline(const Look& look, const Rect& rect, const Workbench& workbench);
Commands draw_sentence(const Look& look, const Rect& rect, const Workbench& workbench);
Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench);
Commands draw_message(const Look& look, const Rect& screen, const Workbench& workbench);

}  // namespace tilereel
