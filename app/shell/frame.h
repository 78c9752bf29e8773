#pragma once
// One frame of the window: layout, keys, panels and stage. Used by the window, by export without a
// window, and by the tests in process.
#include "app/stage/stage.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel {

struct FrameState {
    StageView stage;
    double seconds = 0;  // since start
};

// The look of a window of this size. mockups/README "Layout".
[[nodiscard]] Look look_of(const Workbench& workbench, float width, float height,
                           double now_seconds, double frame_seconds);
// Between ImGui::NewFrame() and ImGui::Render(): draws everything into one full-screen window,
// reads keys and mouse, applies the commands to the workbench and advances it by `frame_seconds`.
void draw_frame(Workbench& workbench, FrameState& state, const Look& look);

}  // namespace tilereel
