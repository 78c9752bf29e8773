// The elements of A, B and C that a warp uses, and the sums that belong to a lane.
#include <algorithm>

#include "app/replay/elements.h"
#include "app/stage/matrix_parts.h"

namespace tilereel::stage {
namespace {

// Draws an outline around each rectangle, or fills rectangles that are too small for that.
void outline(Scene& scene, const MatrixView& m, const std::vector<CellRect>& cells, ImU32 color,
             float width) {
    const float line = std::max(1.0f, scene.look.px(width));
    const Clip clip(m.window);
    for (const CellRect& rect : cells) {
        const Rect at = m.cells(cut(rect, m.visible()));
        if (at.w <= 0 || at.h <= 0) continue;
        if (std::min(at.w, at.h) < 3 * line)
            fill_rect(at.at_least(1), color);
        else
            stroke_rect(at, color, line, scene.look.px(2));
    }
}

}  // namespace

void draw_warp_parts(Scene& scene) {
    const bool chosen = scene.view.lanes.chosen_warp().has_value();
    if (!chosen && scene.plan.fragments().rows == 0) return;
    const std::uint32_t warp = scene.view.lanes.warp(scene.state, scene.replay);
    const LaneView::Parts& parts = scene.view.lanes.parts(scene.replay, warp, scene.state.phase);
    const Palette& colors = scene.colors();
    const ImU32 faint = mix(colors.panel, colors.accent, chosen ? 1.0f : 0.6f);
    outline(scene, scene.layout.a, parts.a, faint, 1.5f);
    outline(scene, scene.layout.b, parts.b, faint, 1.5f);
    outline(scene, scene.layout.c, parts.c, faint, 1.5f);
    const LaneWork& work = scene.view.lanes.work(scene.replay, warp, scene.view.lanes.lane());
    outline(scene, scene.layout.c, work.cells, colors.accent, 2);
    if (scene.lit_sum == kNoIndex) return;
    const Clip clip(scene.layout.c.window);
    fill_rect(scene.layout.c.cell(scene.element_of_sum(scene.lit_sum)).at_least(2), colors.accent,
              scene.look.hair());
}

}  // namespace tilereel::stage
