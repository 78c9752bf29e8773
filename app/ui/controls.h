#pragma once
// What the chips of the top bar have in common: their look, and the order in which Tab goes from
// one to the next.
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/draw.h"

namespace tilereel {

// The box of a chip, in accent while it is open or typed into.
void draw_chip(const Look& look, ImDrawList* list, const Rect& rect, bool hovered, bool open);
// The caption on the left of a chip; returns where the value starts.
float draw_caption(const Look& look, ImDrawList* list, const Rect& rect, std::string_view label);
// Figures in a monospaced face, words in the other.
[[nodiscard]] TextStyle value_style(const Look& look, std::string_view value, ImU32 color);
// The width of a chip with this caption and value, and of an extents_chip for so many digits.
[[nodiscard]] float value_chip_width(const Look& look, std::string_view label,
                                     std::string_view value);
[[nodiscard]] float extents_chip_width(const Look& look, std::size_t digits);
// A chip with its caption and value; true when clicked.
bool draw_value_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, bool open,
                     std::string_view tip);

// The controls that Tab visits, from first to last.
void set_tab_order(std::vector<std::string> controls);
// The next frame gives the control the keyboard: a field is edited, a menu opens.
void focus_control(std::string_view control);
// To the one after or before `control` in the tab order; from the last to nothing.
void move_focus(std::string_view control, int direction);
// Whether some control is still to take it.
[[nodiscard]] bool focus_wanted();
// Whether this control was to have the keyboard: true once.
[[nodiscard]] bool take_focus(std::string_view control);

}  // namespace tilereel
