#pragma once
// A list that opens below a chip, scrolled so that the current row is visible. Up, Down, Page Up,
// Page Down, Home and End move; typed text selects the matching row ("1" "8": 18 warp_tiled); Enter
// chooses; Escape closes. Tab, Left and Right go to the next or previous control of
// set_tab_order().
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/menu_row.h"

namespace tilereel {

struct MenuChoice {
    int row = -1;
    int action = -1;   // index of the clicked button of the row; -1: the row itself
    char32_t key = 0;  // the key that chose the row: Enter, or one of MenuKeys; 0: the mouse
};

struct MenuKeys {
    std::u32string_view keys{};  // characters that choose the row instead of being searched for
    bool stays = false;          // the menu stays open after a choice
};

// Begins the popup that ImGui::OpenPopup(id) opened, at `rect`. If it returns true, draw the
// contents and call ImGui::EndPopup(). `scrolls`: Dear ImGui scrolls it if its contents are higher.
bool begin_popup(const char* id, const Rect& rect, bool scrolls = false);

// Draws a chip ("TILE 4") that opens the menu `name`. Returns true while that menu is open: then
// make its rows and call draw_open_menu(). So rows that take long to make are made only when
// needed.
bool menu_is_open(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                  std::string_view value, std::string_view tip);
MenuChoice draw_open_menu(const Look& look, std::string_view name, const Rect& chip,
                          std::span<const MenuRow> rows, const MenuKeys& keys = {});
// Opens the menu `name` without a chip; draw_open_menu() then draws it in the same window.
void open_menu(std::string_view name);
[[nodiscard]] bool menu_shows(std::string_view name);
// Draws the chip and, while it is open, the menu.
MenuChoice menu_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, std::span<const MenuRow> rows,
                     std::string_view tip);

// A chip with a label ("TILE 4") that opens a list of `choices`. Returns the chosen
// index, or -1.
int choice_chip(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                std::span<const std::string> choices, int current, std::string_view tip);

// What the user has typed into the menu `name` since the last pause. Empty if this menu is not
// open.
[[nodiscard]] std::string typed_in_menu(std::string_view name);

// The row that typed text selects: the first whose title begins with it, ignoring case and leading
// zeros; if there is none, the first with a word that begins with it.
[[nodiscard]] std::optional<std::size_t> row_typed(std::span<const MenuRow> rows,
                                                   std::string_view typed);

}  // namespace tilereel
