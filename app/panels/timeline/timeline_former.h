#pragma once
// Marks where the former replay of an edited program ended, on the time scale of the shown replay.
#include "app/panels/panels.h"

namespace tilereel {

struct FormerEnd {
    Tick ticks = 0, now = 0;  // ticks of the former replay (0: there is none) and of the shown one
    float track = 0;          // width of the shown replay's time, pixels
    float at = 0;             // distance from its begin to the mark, pixels
    bool to_scale = true;     // false: the former replay ended after the mark
    [[nodiscard]] bool any() const { return ticks > 0; }
};
// Both replays share `width` pixels. The shown one gets at least a quarter of them.
[[nodiscard]] FormerEnd former_end(const Workbench& workbench, float width);

// Positions in the timeline, in pixels.
struct FormerPlace {
    float left = 0, right = 0;  // left and right end of both replays
    float top = 0, bottom = 0;  // of the rows
    float labels = 0;           // middle of the phase labels
    float px = 0;               // font size
};
// Draws a dashed line, registered as timeline.former, and "before: 104 ticks". Returns the
// rectangle of the text if it is in the row of labels, which must not use it; otherwise an empty
// one.
Rect draw_former_end(const Look& look, const FormerEnd& end, const FormerPlace& place);

}  // namespace tilereel
