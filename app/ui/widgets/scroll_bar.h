#pragma once
// Scrolls contents that are longer than their area, by mouse wheel and by Dear ImGui's scroll bar.
#include "app/ui/draw/draw_target.h"
#include "app/ui/rect.h"
#include "app/ui/theme.h"

namespace tilereel {

// Moves `offset` (pixels) by the wheel and by the bar at the right edge of `place`, and clamps it.
// `length`: height of the contents in pixels. Returns `offset` rounded to whole pixels. Call it
// before the contents are drawn, so that the bar gets the mouse where both overlap.
float scroll_in(const Look& look, const Rect& place, float length, float& offset);
// Calls scroll_in() and clips what is drawn during its life to `place`.
class ScrollArea {
  public:
    ScrollArea(const Look& look, const Rect& place, float length, float& offset);
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
// Draws what draw(place) draws, scrolled where it is higher than `room`. draw() returns its height,
// and is called once more to measure it. Returns the height.
template <class Draw>
float scrolled(const Look& look, const Rect& room, float& offset, Draw&& draw) {
    const float width = room.w - look.gap();  // beside the bar
    const float height = measured([&] { return draw(Rect{room.x, room.y, width, 0}); });
    if (measures()) return height;
    const ScrollArea area(look, room, height, offset);
    draw(Rect{room.x, area.top(), width, 0});
    return height;
}
// Only the bar. If `sideways`, it is at the lower edge. Returns true while it is dragged.
// Registered as "scrolls" or "scrolls.sideways".
bool scroll_bar(const Look& look, const Rect& place, float length, float& offset, bool sideways);

}  // namespace tilereel
