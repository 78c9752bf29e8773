#pragma once
// Draws text centred on its capital letters, rounded rectangles, dashes, hatches, icons. All
// lengths are in pixels of the screen; multiply units by Look::px() first.
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw/draw_target.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/fonts/text_style.h"
#include "app/ui/rect.h"
#include "app/ui/theme.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

[[nodiscard]] float text_width(std::string_view text, Face face, float px);
[[nodiscard]] inline float text_width(std::string_view text, const TextStyle& style) {
    return text_width(text, style.face, style.px);
}
// The width of the widest text in pixels. `text_of(item)` is the text of an item of `items`.
template <class Items, class TextOf = std::identity>
[[nodiscard]] float widest(const Items& items, Face face, float px, TextOf&& text_of = {}) {
    float width = 0;
    for (const auto& item : items)
        width = std::max(width, text_width(std::invoke(text_of, item), face, px));
    return width;
}
// The first of `texts` that is no wider than `width`; empty if none is.
template <class Texts>
[[nodiscard]] std::string_view first_that_fits(const Texts& texts, float width, Face face,
                                               float px) {
    for (const auto& text : texts)
        if (text_width(text, face, px) <= width) return text;
    return {};
}
// As first_that_fits(), but if none fits, the last.
[[nodiscard]] std::string longest_that_fits(std::span<const std::string> texts, float width,
                                            const TextStyle& style);
[[nodiscard]] inline std::string longest_that_fits(std::initializer_list<std::string> texts,
                                                   float width, const TextStyle& style) {
    return longest_that_fits(std::span(texts.begin(), texts.end()), width, style);
}
// `at.x` is the left edge, centre or right edge, depending on the style's alignment. `at.y` is the
// middle of the capital letters. Returns the width.
float draw_text(ImVec2 at, std::string_view text, const TextStyle& style);
// As draw_text, but cut with an ellipsis to fit `width`.
float draw_text_fit(ImVec2 at, float width, std::string_view text, const TextStyle& style);
// Lines one below the other, `leading` pixels apart. `at.y` is the middle of the first.
void draw_lines(ImVec2 at, std::span<const std::string_view> lines, const TextStyle& style,
                float leading);

// Returns the style with a smaller font if the text is wider than `width`.
[[nodiscard]] TextStyle shrunk(TextStyle style, std::string_view text, float width);
// The same in whole pixels, but not smaller than `least` pixels.
[[nodiscard]] TextStyle shrunk(TextStyle style, std::string_view text, float width, float least);

void fill_rect(const Rect& rect, ImU32 color, float radius = 0);
void stroke_rect(const Rect& rect, ImU32 color, float width, float radius = 0);
// A filled rectangle with an edge inside it.
void draw_box(const Rect& rect, ImU32 fill, ImU32 edge, float width, float radius);
// A bar of which a share from 0 to 1 is filled.
void draw_share(const Rect& bar, float share, ImU32 ground, ImU32 color, float radius);
void draw_card(const Look& look, const Rect& rect);  // the background of a panel
void dashed_rect(const Rect& rect, ImU32 color, float width, float dash);
void hatch_rect(const Rect& rect, ImU32 color, float spacing);  // 45 degrees
// A thin horizontal line from `from` to the right.
void draw_rule(const Look& look, ImVec2 from, float width);
// The background of a row in a list. The chosen row is tinted and has a border; the hovered row is
// lighter.
void draw_row_mark(const Look& look, const Rect& row, bool chosen, bool hovered);

// Marks for errors differ in shape; the accent colour sets them apart from the array colours.
// A filled diamond is an error, an outlined one a warning. `size`: distance between opposite
// corners in pixels.
void draw_hazard_mark(const Palette& colors, ImVec2 center, float size, bool error);
// A cross from corner to corner of `rect` on a wrong element. Its strokes have an outline, so that
// it is visible on any cell.
void draw_wrong_mark(const Palette& colors, const Rect& rect, float width);

enum class Icon {
    kLoad,
    kWait,
    kCompute,
    kDone,
    kPlay,
    kPause,
    kStart,
    kEnd,
    kBack,
    kForward,
    kTheme,
    kFullScreen,
    kClose
};
void draw_icon(Icon icon, ImVec2 center, float size, ImU32 color, float stroke);

}  // namespace tilereel
