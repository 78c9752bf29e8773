#pragma once
// Where the former replay of an edited program ended, on the time scale of the replay shown.
#include "app/panels/panels.h"

namespace tilereel {

struct FormerEnd {
    Tick ticks = 0, now = 0;  // of the former replay and of the one shown; ticks 0: there is none
    float track = 0;          // pixels that the time of the replay shown takes
    float at = 0;             // pixels from its begin to the mark
    bool to_scale = true;     // false: the former replay ended beyond the mark
    [[nodiscard]] bool any() const { return ticks > 0; }
};
// Both replays share `width` pixels. The one shown keeps at least a quarter of them.
[[nodiscard]] FormerEnd former_end(const Workbench& workbench, float width);

// Rows of the timeline, in pixels.
struct FormerPlace {
    float left = 0, right = 0;  // of the time of both replays
    float top = 0, bottom = 0;  // of the rows
    float labels = 0;           // middle of the phase labels
    float px = 0;               // size of type
};
// A dashed line and "before: 104 ticks", registered as timeline.former. Returns what the words take
// of the row of labels, if anything: no label has room there.
Rect draw_former_end(const Look& look, const FormerEnd& end, const FormerPlace& place);

}  // namespace tilereel
