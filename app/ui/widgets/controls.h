#pragma once
// What all chips of the top bar share: their look, and the Tab order.
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/draw/draw.h"

namespace tilereel {

// Numbers are drawn in a monospaced face, words in a proportional one.
[[nodiscard]] TextStyle value_style(const Look& look, std::string_view value, ImU32 color);
// Widths in pixels: of a chip with this caption and value, and of an extents_chip with so many
// digits.
[[nodiscard]] float value_chip_width(const Look& look, std::string_view label,
                                     std::string_view value);
[[nodiscard]] float extents_chip_width(const Look& look, std::size_t digits);
// A chip with its caption and value; true when clicked.
bool draw_value_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, bool open,
                     std::string_view tip);

// The names of the controls that Tab visits, from first to last.
void set_tab_order(std::vector<std::string> controls);
// The control gets the keyboard focus when it is drawn next: a number field is edited, a menu
// opens. The request expires if it is not drawn in this or the next frame.
void focus_control(std::string_view control);
// The first control of the Tab order gets the focus.
void focus_first_control();
// The control that a waiting focus request is for; empty if there is none.
[[nodiscard]] const std::string& wanted_control();
// The keyboard's part of a button in the Tab order, which is drawn at `rect`: draws a frame around
// it while it has the focus. Returns true if Enter or Space presses it. Tab and the arrow keys move
// the focus, Escape and the mouse end it; any other key ends it and has its usual meaning.
bool pressed_by_key(const Look& look, std::string_view name, const Rect& rect);
// Moves the focus to the control after (direction 1) or before (-1) `control` in the Tab order.
// Beyond either end of the order nothing happens.
void move_focus(std::string_view control, int direction);
// Whether a focus request is still waiting for its control.
[[nodiscard]] bool focus_wanted();
// Whether the focus was requested for this control. Returns true once for each request.
[[nodiscard]] bool take_focus(std::string_view control);

}  // namespace tilereel
