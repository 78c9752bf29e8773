#pragma once
// Places the parts of a panel one below the other, at any width and size of text. The same calls
// measure and draw: without a draw list a column only measures, so that a height and its picture
// always agree.
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/widgets.h"

namespace tilereel {

class Column {
  public:
    // Begins at the top left corner of `rect` and is as wide as it is. `list`: nullptr to measure
    // only.
    Column(const Look& look, ImDrawList* list, const Rect& rect)
        : look_(look), list_(list), rect_(rect), y_(rect.y) {}

    [[nodiscard]] bool draws() const { return list_ != nullptr; }
    [[nodiscard]] float y() const { return y_; }
    [[nodiscard]] float height() const { return y_ - rect_.y; }

    void space(float pixels) { y_ += pixels; }
    // Calls draw(row) with the next `height` pixels.
    template <class Draw>
    void row(float height, Draw&& draw) {
        if (draws()) draw(Rect{rect_.x, y_, rect_.w, height});
        y_ += height;
    }
    // Words in several lines, `indent` pixels from the left.
    void paragraph(std::string_view text, const TextStyle& style, float indent = 0);
    // A thin line over the whole width; takes no height.
    void rule();
    // Draws a button at the present height and at `x`; takes no height. True when clicked. A button
    // that is not available has a dashed border, and its tip says why.
    bool button(std::string_view name, std::string_view label, float px, float x, float width,
                bool pressed, std::string_view tip, bool available = true);
    [[nodiscard]] float button_width(std::string_view label, float px) const;

  protected:
    const Look& look_;
    ImDrawList* list_;  // nullptr: only measuring
    const Rect rect_;
    float y_;
};
[[nodiscard]] constexpr float column_button_height(float px) { return 1.75f * px; }

}  // namespace tilereel
