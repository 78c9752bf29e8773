#pragma once
// A row of words to click. The chosen one is underlined.
#include <span>

#include "app/panels/panels.h"

namespace tilereel {

struct TabWord {
    std::string_view word, widget, tip{};
};
struct TabType {
    float px = 0, gap = 0;  // font size, and largest gap between two words; pixels
};

// The width of the words with the largest gaps, in pixels.
[[nodiscard]] float tabs_width(std::span<const TabWord> tabs, const TabType& type);
// Draws the words from the left edge of `rect`, closer and smaller if they do not fit. Returns the
// index of the clicked word, or -1.
int draw_tabs(const Look& look, const Rect& rect, std::span<const TabWord> tabs, std::size_t chosen,
              const TabType& type);

struct PanelTab {
    TabWord tab;
    SideTab shows = SideTab::kSource;
};

// The height in pixels of the tabs above a panel's contents.
[[nodiscard]] float tab_row_height(const Look& look);
// Draws the tabs at the top of `rect`. Returns the rest of `rect`.
Rect draw_tab_row(const Look& look, const Rect& rect, std::span<const PanelTab> tabs,
                  SideTab chosen, Commands& commands);

}  // namespace tilereel
