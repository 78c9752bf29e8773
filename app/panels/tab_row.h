#pragma once
// Words to press in a row; the chosen one is underlined.
#include <span>

#include "app/panels/panels.h"

namespace tilereel {

struct TabWord {
    std::string_view word, widget, tip{};
};
struct TabType {
    float px = 0, gap = 0;  // type, and the largest gap between two words; pixels
};

// How wide the words are with their largest gaps.
[[nodiscard]] float tabs_width(std::span<const TabWord> tabs, const TabType& type);
// Draws the words from the left edge of `rect` on, closer and smaller where they do not fit. The
// one that was clicked, or -1.
int draw_tabs(const Look& look, const Rect& rect, std::span<const TabWord> tabs, std::size_t chosen,
              const TabType& type);

struct PanelTab {
    TabWord tab;
    SideTab shows = SideTab::kSource;
};

// The height of the tabs above a panel's body, pixels.
[[nodiscard]] float tab_row_height(const Look& look);
// Draws the tabs at the top of `rect` and returns what is left of it.
Rect draw_tab_row(const Look& look, const Rect& rect, std::span<const PanelTab> tabs,
                  SideTab chosen, Commands& commands);

}  // namespace tilereel
