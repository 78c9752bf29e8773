#pragma once
// One frame of the window: layout, keys, panels and stage. Used by the window, by export without a
// window, and by the tests in process. Keys come from app/ui/widgets/keys.h.
#include "app/panels/panels.h"
#include "app/shell/command_log.h"
#include "app/shell/context_menu.h"
#include "app/shell/jumps.h"
#include "app/stage/stage.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel {

struct FrameState {
    StageView stage, other_stage;  // other: of the right side of a comparison
    PanelMemory panels;
    JumpHistory jumps;
    std::optional<ContextMenu> context;  // the menu of a right click, while it is open
    double seconds = 0;                  // since start
    double commands_at = 0;              // the time at which commands are applied now
    CommandLog* log = nullptr;           // notes them; nullptr: none does
    bool race_view_only = false;         // the chosen race view fills the frame, for pictures
    bool for_picture = false;            // the frame is saved: no overlays
};

// The largest Look::text of the stage in a lesson, where it has less room than in the replay: of a
// wide one, and of one that is narrow or one of two. Two that are narrow have Look::text 1.
inline constexpr float kWideLessonStageText = 22.0f / 14, kLessonStageText = 18.0f / 14;
inline constexpr float kWideLessonStage = 900;  // units

// The look of a window of this size: app/README.md, "The look", Layout.
[[nodiscard]] Look look_of(const Workbench& workbench, float width, float height,
                           double now_seconds, double frame_seconds);

// The text size with which a window of this size opens first. `screen_scale`: how much larger than
// at 96 dpi the user wants text on this screen.
[[nodiscard]] int first_text_px(float screen_scale, float width, float height);

// The smallest window in which no text is cut at this text size.
struct WindowLimits {
    int width = 0, height = 0;
};
[[nodiscard]] WindowLimits least_window(int text_px);

// The layout of a window of width x height pixels (app/README.md, "The look", Layout).
struct FrameLayout {
    Rect bar, source, stage, inspector, timeline, sentence;
    Rect side;  // replaces source and inspector if the look is narrow; empty otherwise
};
// `timeline_rows`: TimelineRows::needed().
[[nodiscard]] FrameLayout layout_of(const Look& look, float width, float height,
                                    std::size_t timeline_rows = 3);

// The same while presenting: only the stage and the sentence.
[[nodiscard]] FrameLayout layout_presented(const Look& look, float width, float height);

// Applies commands as those of a frame: they end notices and count as jumps. Returns those that
// only a session can carry out.
Commands apply_in_frame(const Commands& commands, Workbench& workbench, FrameState& state);

// Draws a frame into one full-screen ImGui window, reads keys and mouse, applies the commands to
// the workbench and advances it by Look::frame_seconds. Call it between ImGui::NewFrame() and
// ImGui::Render(). Returns the commands that only a session can carry out.
Commands draw_frame(Workbench& workbench, FrameState& state, const Look& look);

}  // namespace tilereel
