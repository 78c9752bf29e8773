#pragma once
// Tabs in a row above a panel's body.
#include <span>

#include "app/panels/panels.h"

namespace tilereel {

struct PanelTab {
    const char *name, *widget, *tip;
    SideTab tab = SideTab::kSource;
};

// The height of the row, pixels.
[[nodiscard]] float tab_row_height(const Look& look);
// Draws the tabs at the top of `rect` and returns what is left of it.
Rect draw_tab_row(const Look& look, const Rect& rect, std::span<const PanelTab> tabs,
                  SideTab chosen, Commands& commands);

}  // namespace tilereel
