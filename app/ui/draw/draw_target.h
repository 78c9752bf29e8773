#pragma once
// Where the drawing functions of app/ui draw, and whether they draw or only measure.
#include <imgui.h>

#include "app/ui/rect.h"

namespace tilereel {

[[nodiscard]] ImDrawList* draw_list();  // of the current window: where everything draws

// Clips everything that is drawn during its life to `rect`, and to the clips around it.
class Clip {
  public:
    explicit Clip(const Rect& rect);
    ~Clip();
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;
};

// While an instance exists, the drawing functions draw nothing, and controls neither register nor
// react. So the code that draws a part also measures it.
class Measuring {
  public:
    Measuring();
    ~Measuring();
    Measuring(const Measuring&) = delete;
    Measuring& operator=(const Measuring&) = delete;
};
[[nodiscard]] bool measures();  // a Measuring exists
// What run() returns while everything only measures.
template <class Run>
[[nodiscard]] auto measured(Run&& run) {
    const Measuring measuring;
    return run();
}

}  // namespace tilereel
