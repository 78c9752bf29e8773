#pragma once
// Tooltips.
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"

namespace tilereel {

// Draws the tooltip below `rect`, or above it in the lower half of the screen. So it does not hide
// the timeline and the sentence. Registered as "tip".
void draw_tip(const Look& look, const Rect& rect, std::string_view tip);

// A box with a title and lines about the item under the mouse, drawn over everything else. `px`:
// font size of the lines.
class HoverCard {
  public:
    HoverCard(const Look& look, std::string_view title, const TextStyle& style,
              std::span<const std::string> lines, float px);
    [[nodiscard]] ImVec2 size() const;
    void draw(const Rect& box) const;

  private:
    const Look& look_;
    std::string_view title_;
    TextStyle style_;
    std::span<const std::string> lines_;
    float px_, line_, pad_;
};

}  // namespace tilereel
