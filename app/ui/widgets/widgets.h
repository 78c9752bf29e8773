#pragma once
// The basic controls. Each registers its rectangle under a name, so that tests can find it, and
// shows `tip` (which names the key) on hover.
#include <imgui.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/widget_registry.h"

namespace tilereel {

bool icon_button(const Look& look, std::string_view name, const Rect& rect, Icon icon, bool pressed,
                 std::string_view tip);
bool text_button(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                 bool pressed, std::string_view tip);
// A less prominent button with font size `px`, reduced if the label does not fit. It is tinted
// while `on`.
bool toggle_button(const Look& look, std::string_view name, const Rect& rect,
                   std::string_view label, float px, bool on, std::string_view tip);
// The width of a text_button with `sides` units of space beside its label, left and right together.
[[nodiscard]] float button_width(const Look& look, std::string_view label, float sides = 28);

// Places text buttons in a row, from its left end and from its right end.
class ButtonRow {
  public:
    ButtonRow(const Look& look, const Rect& row) : look_(look), room_(row) {}
    bool from_left(std::string_view name, std::string_view label, bool pressed,
                   std::string_view tip);
    bool from_right(std::string_view name, std::string_view label, bool pressed,
                    std::string_view tip);
    [[nodiscard]] const Rect& room() const { return room_; }  // left without buttons

  private:
    const Look& look_;
    Rect room_;
};

// The result of an edit in an extents_chip. An edit ends with Enter, Tab or a click outside.
struct TypedExtents {
    bool committed = false;  // the edit changed at least one of `values`
    std::string refused{};   // text that is not a whole number; then no value has changed
    std::size_t field = 0;   // index of the field with the refused text
};
// A chip with three integer fields ("M N K 16 16 16"). The three numbers are committed together.
TypedExtents extents_chip(const Look& look, std::string_view name, const Rect& rect, int values[3],
                          std::string_view tip);
// Dear ImGui's slider in the theme's colours, for an integer from `least` to `most`. Returns true
// when the value was changed.
bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip);
enum class WindowFocus {
    kTake,   // when the window appears, open menus close and a text field stops being edited
    kLeave,  // for windows that appear without the user's doing
};
// Begins a window without decoration at `place`. Always call ImGui::End().
void begin_plain_window(const char* id, const Rect& place, WindowFocus focus = WindowFocus::kTake);
// A row of joined buttons, one of them pressed. Returns the clicked index, or -1.
int segmented(const Look& look, std::string_view name, const Rect& rect,
              std::span<const std::string_view> labels, int current, std::string_view tip);

// The base of all controls; panels use it for controls that they draw themselves. Registers `name`
// with the visible part of `rect` (if larger than a pixel each way), shows `tip` after a moment of
// hovering, and returns the state of the mouse. `submit` calls the control of Dear ImGui at the
// cursor and returns whether it was clicked; without it, the control is an invisible button.
struct Interaction {
    bool hovered = false;
    bool held = false;     // the button was pressed here and not released yet (a drag)
    bool clicked = false;  // the button was released over it
};
using SubmitItem = std::function<bool(ImVec2 size)>;
// The part of `rect` inside the window's clip rectangle.
[[nodiscard]] Rect seen_part(const Rect& rect);
// Registers the seen part of `rect`, if it is larger than a pixel.
void register_seen(std::string_view name, const Rect& rect);
Interaction interact(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view tip, const SubmitItem& submit = {});

}  // namespace tilereel
