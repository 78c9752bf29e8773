#pragma once
// What is longer than its place scrolls, by the wheel and by Dear ImGui's own scroll bar.
#include <string_view>

#include "app/ui/rect.h"
#include "app/ui/theme.h"

namespace tilereel {

// Moves `offset` (pixels) by the wheel and by the bar at the right edge of `place`, and keeps it in
// range. Returns whole pixels. The bar is registered under `name`. Call it before the contents are
// drawn: where they reach below the bar, the mouse belongs to the bar.
float scroll_in(const Look& look, const Rect& place, float length, float& offset,
                std::string_view name = "scrolls");
// The same, and clips what is drawn to `place` while it lives.
class ScrollArea {
  public:
    ScrollArea(const Look& look, const Rect& place, float length, float& offset,
               std::string_view name = "scrolls");
    ~ScrollArea();
    ScrollArea(const ScrollArea&) = delete;
    ScrollArea& operator=(const ScrollArea&) = delete;
    [[nodiscard]] float top() const { return top_; }  // where the contents begin
    [[nodiscard]] bool shows(float y, float height) const {
        return y + height > place_.y && y < place_.bottom();
    }

  private:
    Rect place_;
    float top_;
};
// The bar alone; sideways at the lower edge, as "scrolls.sideways". True while it is dragged.
bool scroll_bar(const Look& look, const Rect& place, float length, float& offset, bool sideways,
                std::string_view name);

}  // namespace tilereel
