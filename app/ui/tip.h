#pragma once
// The words that appear beside a control on which the mouse rests.
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"

namespace tilereel {

// Below `rect`; in the lower half of the screen above it, so that what is read there (the timeline,
// the sentence) stays in sight. Registered as "tip".
void draw_tip(const Look& look, const Rect& rect, std::string_view tip);

// A title and lines about what is pointed at, over everything else. `px`: type of the lines.
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
