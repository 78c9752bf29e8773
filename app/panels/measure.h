#pragma once
// Sizes that grow with the user's text size. A text size of 14 + e pixels adds e pixels to every
// size of type, so that headings stay headings without taking the whole screen.
#include <algorithm>

#include "app/ui/theme.h"

namespace tilereel {

inline constexpr float kBodyUnits = 14;

// Pixels that the user's text size adds to each line of type.
[[nodiscard]] inline float extra_px(const Look& look) {
    return kBodyUnits * (look.text - 1) * look.scale;
}
// A size of type in pixels: `units` at scale 1 (app/README.md, "The look", Type), plus
// what the user asked for.
[[nodiscard]] inline float type_px(const Look& look, float units) {
    return look.px(units) + extra_px(look);
}
// The height of a row of type that is `units` high at the default text size.
[[nodiscard]] inline float row_px(const Look& look, float units) {
    return look.px(units) + 1.2f * extra_px(look);
}

}  // namespace tilereel
