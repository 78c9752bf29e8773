#pragma once
#include "app/ui/draw.h"

namespace tilereel {

// Lengths and font sizes of a scene. A scene fills the window, so its units are pixels of a window
// of 1920 x 1080.
struct LessonMeasure {
    float unit = 1;       // pixels
    float more_type = 0;  // units that the user's text size adds
    [[nodiscard]] float u(float units) const { return unit * units; }
    [[nodiscard]] float type(float units) const { return unit * (units + more_type); }
};
[[nodiscard]] LessonMeasure lesson_measure(const Look& look, const Rect& screen);

}  // namespace tilereel
