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

// In place of the replay mode's panels, while two replays are in lock-step.
Commands draw_compare_mode(const Look& look, Workbench& workbench, const CompareFrame& frame);

}  // namespace tilereel
