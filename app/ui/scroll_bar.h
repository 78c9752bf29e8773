#pragma once
// Scrolls contents that are longer than their area, by mouse wheel and by Dear ImGui's scroll bar.
#include <string_view>

#include "app/ui/rect.h"
#include "app/ui/theme.h"

namespace tilereel {

// Moves `offset` (pixels) by the wheel and by the bar at the right edge of `place`, and clamps it.
// `length`: height of the contents in pixels. Returns `offset` rounded to whole pixels. The bar is
// registered under `name`. Call it before the contents are drawn, so that the bar gets the mouse
// where both overlap.
float scroll_in(const Look& look, const Rect& place, float length, float& offset,
                std::string_view name = "scrolls");
// Calls scroll_in() and clips what is drawn during its life to `place`.
class ScrollArea {
  public:
    ScrollArea(const Look& look, const Rect& place, float length, float& offset,
               std::string_view name = "scrolls");
    ~ScrollArea();
    ScrollArea(const ScrollArea&) = delete;
    ScrollArea& operator=(const ScrollArea&) = delete;
    [[nodiscard]] float top() const { return top_; }  // y of the top of the contents
    [[nodiscard]] bool shows(float y, float height) const {
        return y + height > place_.y && y < place_.bottom();
    }

  private:
    Rect place_;
    float top_;
};
// Only the bar. If `sideways`, it is at the lower edge. Returns true while it is dragged.
bool scroll_bar(const Look& look, const Rect& place, float length, float& offset, bool sideways,
                std::string_view name);

}  // namespace tilereel
