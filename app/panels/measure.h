#pragma once
// Sizes that grow with the user's text size. A text size of 14 + e pixels adds e pixels to every
// font size, so that headings stay larger than body text without filling the screen.
#include "app/ui/draw/draw_target.h"
#include "app/ui/theme.h"

namespace tilereel {

inline constexpr float kBodyUnits = 14;

// Pixels that the user's text size adds to every font size.
[[nodiscard]] inline float extra_px(const Look& look) {
    return kBodyUnits * (look.text - 1) * look.scale;
}
// The font size in pixels: `units` at scale 1 (app/README.md, "The look", Type), plus what the
// user's text size adds.
[[nodiscard]] inline float type_px(const Look& look, float units) {
    return look.px(units) + extra_px(look);
}
// The height in pixels of a row that is `units` high at the default text size.
[[nodiscard]] inline float row_px(const Look& look, float units) {
    return look.px(units) + 1.2f * extra_px(look);
}
// The largest font size, up to `px`, at which what height_of(px) draws is no higher than `height`.
// Not below about 8 pixels, at which it may still be too high. Tries sizes in steps of 6 %.
template <class HeightOf>
[[nodiscard]] float fitting_px(float px, float height, HeightOf&& height_of) {
    constexpr float kLeast = 8;
    while (px > kLeast && measured([&] { return height_of(px); }) > height) px *= 0.94f;
    return px;
}

}  // namespace tilereel
