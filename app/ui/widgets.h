#pragma once
// The few controls of the window, in the house look. Each registers its rectangle under a name, so
// that tests can find it, and shows `tip` (which names the key) on hover.
#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/widget_registry.h"

namespace tilereel {

bool icon_button(const Look& look, std::string_view name, const Rect& rect, Icon icon, bool pressed,
                 std::string_view tip);
bool text_button(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                 bool pressed, std::string_view tip);
// A quieter one with type of `px`, smaller if the label needs it. It is tinted while it is on.
bool toggle_button(const Look& look, std::string_view name, const Rect& rect,
                   std::string_view label, float px, bool on, std::string_view tip);
// How wide a text_button is, with `sides` units beside its label.
[[nodiscard]] float button_width(const Look& look, std::string_view label, float sides = 28);

// Text buttons in a row, from its left and its right end.
class ButtonRow {
  public:
    ButtonRow(const Look& look, const Rect& row) : look_(look), room_(row) {}
    bool from_left(std::string_view name, std::string_view label, bool pressed,
                   std::string_view tip);
    bool from_right(std::string_view name, std::string_view label, bool pressed,
                    std::string_view tip);
    [[nodiscard]] const Rect& room() const { return room_; }  // between the buttons

  private:
    const Look& look_;
    Rect room_;
};

// A labelled chip ("TILE 4") that opens a list of `choices` (app/ui/menu.h). Returns the chosen
// index or -1.
int choice_chip(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                std::span<const std::string> choices, int current, std::string_view tip);
// What was typed into an extents_chip and left by Enter, Tab or a click beside it.
struct TypedExtents {
    bool committed = false;  // `values` are other numbers than before
    std::string refused{};   // what is no whole number; then no value has changed
    std::size_t field = 0;   // which of the three that was typed into
};
// Three integer fields in one chip ("M N K 16 16 16"); they are committed together.
TypedExtents extents_chip(const Look& look, std::string_view name, const Rect& rect, int values[3],
                          std::string_view tip);
// Joined buttons, one pressed; returns the clicked index or -1.
int segmented(const Look& look, std::string_view name, const Rect& rect,
              std::span<const std::string_view> labels, int current, std::string_view tip);

// What a control is made of: registers `name` with the part of `rect` that is not clipped (if it is
// more than a pixel), shows `tip` after a moment of hovering, and says how the mouse stands to it.
// For panels that draw controls of their own.
struct Touch {
    bool hovered = false;
    bool held = false;     // pressed here and not let go: drag
    bool clicked = false;  // let go over it
};
// What the window's clip rectangle leaves of `rect`: in a list that scrolls, the part in sight.
[[nodiscard]] Rect seen_part(const Rect& rect);
Touch touch_area(const Look& look, std::string_view name, const Rect& rect, std::string_view tip);

}  // namespace tilereel
