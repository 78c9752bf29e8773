#pragma once
// A list that opens below a chip. It opens with the current row in view; Up, Down, Page Up, Page
// Down, Home and End move, what is typed goes to the row that begins so ("1" "8": 18 warp_tiled),
// Enter takes, Escape closes. Tab goes on to the next control of set_tab_order().
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/keys.h"

namespace tilereel {

struct MenuRow {
    std::string name;      // its widget is <menu>.<name>
    std::string title;     // what type-ahead searches
    std::string detail{};  // wrapped below the title; or empty
    bool heading = false;  // names the rows below it; cannot be chosen
    bool current = false;
    std::string action{};  // a button at the right, <menu>.<action>.<name>; empty: none
    bool action_on = false;
    std::string action_tip{};
    bool typed = false;  // it is what was typed: Enter takes it
};

struct MenuChoice {
    int row = -1;
    bool action = false;  // its button, not the row itself
};

// The chip that opens the list ("TILE 4"), and the list while it is open.
MenuChoice menu_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, std::span<const MenuRow> rows,
                     std::string_view tip);

// What was typed into the list that is open, up to the last pause; empty where another is open.
[[nodiscard]] std::string typed_in_menu(std::string_view name);

// The row that typed text goes to: one whose title begins with it, without regard to case and
// leading zeros, else one with a word that does. The first such row from `from` on, around.
[[nodiscard]] std::optional<std::size_t> row_typed(std::span<const MenuRow> rows,
                                                   std::string_view typed, std::size_t from);

}  // namespace tilereel
