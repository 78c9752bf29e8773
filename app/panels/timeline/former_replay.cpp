#include "app/panels/timeline/former_replay.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panel_memory.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr float kDim = 0.33f;  // opacity of the overlay: what is dimmed keeps 67 % of its strength
constexpr double kFadeSeconds = 0.16;  // duration of the dimming animation

// Whether the last run of the program failed, so that the shown replay is from an earlier run. It
// stays so while the program is run again, until a new run is shown.
bool is_former(const Workbench& workbench, FormerReplayMemory& former) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || !program->run || !workbench.shows_program()) return false;
    const void* const run = program->run->folder.get();
    if (!program->compile_errors.empty() || !program->error.empty()) {
        former.failed_after = run;
        return true;
    }
    if (run != nullptr && former.failed_after == run) return true;
    former.failed_after = nullptr;
    if (former.started.empty() || former.run != run) former.started = program->started;
    former.run = run;
    return false;
}

// Draws a badge on the upper edge of the stage, where there is no other text.
void draw_badge(const Look& look, const Rect& stage, const std::string& started) {
    const Palette& colors = look.colors();
    const float above = look.gap(), below = look.px(look.text > 1.5f ? 12 : 10);
    const float h = above + below, px = h / 1.3f;
    const std::string words = "former replay" + (started.empty() ? "" : ", of " + started);
    const float w = text_width(words, Face::kSemiBold, px) + 1.4f * px;
    const Rect badge{std::round(stage.center().x - w / 2), stage.y - above, w, h};
    draw_box(badge, colors.panel, colors.ink2, std::max(1.0f, look.frame()), h / 2);
    draw_text(badge.center(), words, {Face::kSemiBold, px, colors.ink, Align::kCenter});
    register_widget("stage.former", badge);
}

}  // namespace

void draw_former_replay(const Look& look, std::span<const Rect> parts, const Workbench& workbench,
                        PanelMemory& memory) {
    FormerReplayMemory& former = memory.parts().former;
    former.fades = false;
    if (!is_former(workbench, former)) {
        former.since = -1;
        return;
    }
    if (former.since < 0) former.since = look.now_seconds;
    const double share = (look.now_seconds - former.since) / kFadeSeconds;
    former.fades = share < 1;
    const auto alpha = static_cast<ImU32>(255 * kDim * std::min(share, 1.0));
    const ImU32 veil = (look.colors().panel & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, alpha);
    for (const Rect& part : parts) fill_rect(part, veil, look.px(10));
    if (!parts.empty()) draw_badge(look, parts.front(), former.started);
}

}  // namespace tilereel
