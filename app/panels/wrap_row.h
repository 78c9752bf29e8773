#pragma once
// Places controls in a row. A control that does not fit goes to the next line.

#include "app/ui/rect.h"

namespace tilereel {

class WrapRow {
  public:
    // Starts at the top left corner of `room` and has its width. `line`: height of a line,
    // `between`: space between two lines, `gap`: space between two controls; pixels.
    WrapRow(const Rect& room, float line, float between, float gap)
        : room_(room), x_(room.x), y_(room.y), line_(line), between_(between), gap_(gap) {}

    // The place of the next control.
    Rect next(float width) {
        if (x_ > room_.x && x_ + width > room_.right()) break_line();
        const Rect place{x_, y_, width, line_};
        x_ += width + gap_;
        return place;
    }
    void skip(float pixels) { x_ += pixels; }
    void break_line() {
        x_ = room_.x;
        y_ += line_ + between_;
    }
    [[nodiscard]] float bottom() const { return y_ + line_; }

  private:
    Rect room_;
    float x_, y_, line_, between_, gap_;
};

}  // namespace tilereel
