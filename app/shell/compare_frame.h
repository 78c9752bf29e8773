#pragma once
// The frame of a comparison: two pictures, their differences, one timeline.
#include "app/panels/panels.h"
#include "app/stage/stage.h"

namespace tilereel {

// The state that the frame of a comparison changes besides the workbench, and its rectangles.
struct CompareFrame {
    StageView &left, &right;
    PanelMemory& panels;
    Rect main, timeline, sentence;
};

// The two pictures, each below a head with its name and the cost of its request.
struct ComparedPictures {
    StageView &left, &right;
    const Look& look;  // of the pictures; the heads use the frame's Look
    Rect left_rect, right_rect;
};
Commands draw_compared_pictures(const Look& look, const Workbench& workbench,
                                const ComparedPictures& pictures);

// Draws the comparison instead of the replay mode's panels, while two replays are in lock-step.
Commands draw_compare_mode(const Look& look, const Workbench& workbench, const CompareFrame& frame);

}  // namespace tilereel
