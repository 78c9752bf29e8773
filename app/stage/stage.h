#pragma once
// The picture: A, B and C in the classical arrangement, shared tiles, the 32 banks, warps and gate.
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// What the eye has done to the picture: zoom and pan, and motion that trails the model.
struct StageView {
    float zoom = 1.0f;
    ImVec2 pan{};
    double shown_position = 0;   // ticks; trails Workbench::position() by what is left of a flight
    double settled_seconds = 0;  // since pause or step, for the 300 ms run-out of flights
};

// Draws the stage into `rect` of the current ImGui window and returns what the user asked for
// (a block chosen on the map or on C). Reads models only.
Commands draw_stage(const Look& look, const Rect& rect, const Workbench& workbench,
                    StageView& view);

}  // namespace tilereel
