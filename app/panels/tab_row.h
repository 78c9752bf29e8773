#pragma once
// Dear ImGui's tabs as a row of words. The chosen one is underlined.
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/panels.h"

namespace tilereel {

struct TabWord {  // its widget is named <bar>.<name>; without a name, <bar>.<word>
    const char* word;
    std::string_view name{}, tip{};
};
struct TabType {
    float px = 0, gap = 0;  // font size, and largest gap between two words; pixels
};

// Ctrl+Tab: the first tab bar of a panel or page that is drawn next shows its next (1) or previous
// (-1) tab. The modes and the parts of a program have keys of their own.
void ask_for_tab(int direction);

// The width of the words with the largest gaps, in pixels.
[[nodiscard]] float tabs_width(std::span<const TabWord> tabs, const TabType& type);
// Draws the words from the left edge of `rect`, closer and smaller if they do not fit. Returns the
// index of the clicked word, or -1. `bar`: the name of the tab bar.
int draw_tabs(const Look& look, const std::string& bar, const Rect& rect,
              std::span<const TabWord> tabs, std::size_t chosen, const TabType& type);
// Draws a card with tabs. Returns the room below them, and calls chosen(index) when one is clicked.
Rect draw_tabbed_card(const Look& look, const std::string& bar, const Rect& card,
                      std::span<const TabWord> tabs, std::size_t current,
                      const std::function<void(int)>& chosen);

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
