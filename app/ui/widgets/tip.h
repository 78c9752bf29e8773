#pragma once
// Tooltips.
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw/draw.h"

namespace tilereel {

// A pointer that nobody moves hides nothing: no tooltip is drawn until the pointer has moved since
// the window opened, nor after a key until it moves again. Called by begin_ui_frame().
void follow_pointer_for_tips();
// No tooltip is drawn now: the pointer rests, or somebody presents.
[[nodiscard]] bool tips_rest(const Look& look);

// The font size of a tooltip, for one of `px` pixels: in a low window with large text it is
// smaller, so that a tooltip leaves free most of what it is about.
[[nodiscard]] float tip_type(float px);

// Draws the tooltip below `rect`, or above it in the lower half of the screen. So it does not hide
// the timeline and the sentence. Registered as "tip".
void draw_tip(const Look& look, const Rect& rect, std::string_view tip);

// A title and lines about the item under the mouse, in Dear ImGui's tooltip. Registered as "card".
struct HoverCard {
    const Look& look;
    std::string_view title;
    TextStyle style;  // of the title
    std::span<const std::string> lines;
    float px;  // font size of the lines

    [[nodiscard]] ImVec2 size() const;
    void draw(Rect box) const;  // inside the window

  private:
    [[nodiscard]] float leading() const { return 1.5f * px; }
    [[nodiscard]] float foot() const { return leading() + 1.5f * look.wide(); }
};

}  // namespace tilereel
