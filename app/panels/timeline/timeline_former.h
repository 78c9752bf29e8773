#pragma once
// Marks where the former replay of an edited program ended, on the time scale of the shown replay.
#include "app/panels/panels.h"

namespace tilereel {

struct FormerEnd {
    Tick ticks = 0, now = 0;  // ticks of the former replay (0: there is none) and of the shown one
    float track = 0;          // width of the shown replay's time, pixels
    float at = 0;             // distance from its start to the mark, pixels
    bool to_scale = true;     // false: the former replay ended after the mark
    [[nodiscard]] bool any() const { return ticks > 0; }
};
// Both replays share `width` pixels. The shown one gets at least a quarter of them.
[[nodiscard]] FormerEnd former_end(const Workbench& workbench, float width);

// Draws a dashed line over `rows`, registered as timeline.former, and "before: 104 ticks, now 79"
// in the row of labels, whose middle is `labels`. Returns the rectangle of the text, which labels
// must not use.
Rect draw_former_end(const Look& look, const FormerEnd& end, const Rect& rows, float labels,
                     float px);

}  // namespace tilereel
