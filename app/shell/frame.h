#pragma once
// One frame of the window: layout, keys, panels and stage. Used by the window, by export without a
// window, and by the tests in process. Keys come from app/ui/keys.h.
#include "app/panels/panels.h"
#include "app/stage/stage.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel {

struct FrameState {
    StageView stage, other_stage;  // other: of the right side of a comparison
    PanelMemory panels;
    double seconds = 0;           // since start
    bool race_view_only = false;  // the view of a race chosen fills the frame: for pictures
    bool for_picture = false;     // nothing lies over the views: a frame that is saved
};

// Look::text of the stage in a lesson, at most: it has less room than in the replay.
inline constexpr float kLessonStageText = 17.0f / 14;
inline constexpr float kWideLessonStage = 1000;  // units; a narrower one has the smallest text

// The look of a window of this size: app/README.md, "The look", Layout.
[[nodiscard]] Look look_of(const Workbench& workbench, float width, float height,
                           double now_seconds, double frame_seconds);

// The least window in which nothing is cut at this size of text.
struct WindowLimits {
    int width = 0, height = 0;
};
[[nodiscard]] WindowLimits least_window(int text_px);

// Where everything lies in a window of width x height pixels; likewise.
struct FrameLayout {
    Rect bar, source, stage, inspector, timeline, sentence;
    Rect side;  // in place of source and inspector where the look is narrow; empty otherwise
};
[[nodiscard]] FrameLayout layout_of(const Look& look, float width, float height);

// The same while presenting: nothing but the stage and the sentence.
[[nodiscard]] FrameLayout layout_presented(const Look& look, float width, float height);

// Between ImGui::NewFrame() and ImGui::Render(): draws everything into one full-screen window,
// reads keys and mouse, applies the commands to the workbench and advances it by `frame_seconds`.
void draw_frame(Workbench& workbench, FrameState& state, const Look& look);

}  // namespace tilereel
