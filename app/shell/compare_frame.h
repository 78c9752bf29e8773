#pragma once
// The frame of a comparison: two pictures, their differences, one timeline.
#include "app/panels/panels.h"
#include "app/stage/stage.h"

namespace tilereel {

// What the frame of a comparison changes besides the workbench, and where it lies.
struct CompareFrame {
    StageView &left, &right;
    PanelMemory& panels;
    Rect main, timeline, sentence;
};

// The two pictures alone, each below a head that says what it is and what its request costs.
struct ComparedPictures {
    StageView &left, &right;
    const Look& look;  // of the pictures; their heads use the frame's
    Rect left_rect, right_rect;
};
Commands draw_compared_pictures(const Look& look, Workbench& workbench,
                                const ComparedPictures& pictures);

// Draws the comparison in place of the replay mode's panels, while two replays are in lock-step.
Commands draw_compare_mode(const Look& look, Workbench& workbench, const CompareFrame& frame);

}  // namespace tilereel
