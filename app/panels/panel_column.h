#pragma once
// Stacks the parts of a panel vertically, at any width and text size. The same calls measure (while
// a Measuring exists) and draw. So the measured height always matches the drawing.
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/measure.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

// A large number with a caption below it.
struct Figure {
    std::string value, caption;
    bool conflict = false;  // drawn in the conflict colour
};

class Column {
  public:
    // Starts at the top left corner of `rect` and has its width. `px`: font size.
    Column(const Look& look, const Rect& rect, float px)
        : look_(look), rect_(rect), px_(px), y_(rect.y) {}
    Column(const Look& look, const Rect& rect) : Column(look, rect, type_px(look, kBodyUnits)) {}

    [[nodiscard]] float y() const { return y_; }
    [[nodiscard]] float height() const { return y_ - rect_.y; }

    void space(float pixels) { y_ += pixels; }
    // Calls draw(row) with the next `height` pixels. Does not call it while measuring.
    template <class Draw>
    void row(float height, Draw&& draw) {
        if (!measures()) draw(Rect{rect_.x, y_, rect_.w, height});
        y_ += height;
    }
    // Wrapped text, `indent` pixels from the left.
    void paragraph(std::string_view text, const TextStyle& style, float indent = 0);
    // The same in the font size of the column.
    void paragraph(std::string_view text, Face face, ImU32 color, float indent = 0) {
        paragraph(text, {face, px_, color}, indent);
    }
    // A line of text that stands alone: its middle is `middle` pixels below the position, which
    // moves down by `height`.
    void caption(std::string_view text, const TextStyle& style, float middle, float height) {
        draw_text_fit({rect_.x, y_ + middle}, rect_.w, text, style);
        y_ += height;
    }
    // As a paragraph, of pieces that differ in style. `px`: font size.
    void styled(std::span<const StyledText> pieces, float px, float indent = 0);
    void styled(std::initializer_list<StyledText> pieces, float px, float indent = 0) {
        styled(std::span(pieces.begin(), pieces.end()), px, indent);
    }
    // Large numbers with captions, side by side in as many rows as they need.
    void figures(std::span<const Figure> figures);
    // A thin line over the whole width. It does not move the position down.
    void rule();
    // Draws a button at the current position with its left edge at `x` on the screen; it does not
    // move the position down. Returns true when clicked. A button that is not available has a
    // dashed border, and its tip says why.
    bool button(std::string_view name, std::string_view label, float px, float x, float width,
                bool pressed, std::string_view tip, bool available = true);
    [[nodiscard]] float button_width(std::string_view label, float px) const;

  protected:
    const Look& look_;
    const Rect rect_;
    const float px_;  // font size
    float y_;
};
// The room inside a card, and a card's title with `caption` beside or below it.
[[nodiscard]] Rect inside_card(const Look& look, const Rect& card);
struct CardTitle {
    Rect controls;  // at the right of the title, `controls` pixels wide
    Rect room;      // below the title
};
// `units`: size of the title.
CardTitle draw_title(const Look& look, const Rect& card, std::string_view title,
                     std::string_view caption, float units, float controls);
[[nodiscard]] constexpr float column_button_height(float px) { return 1.75f * px; }

}  // namespace tilereel
