#include "app/stage/matrices/matrix_parts.h"

#include <algorithm>
#include <cmath>

#include "app/replay/elements.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// Calls visit(element) for what the current request accesses of this array, if it is not drawn by
// flying cells.
template <class Visit>
void for_each_touched(const Scene& scene, ArrayId array, Visit&& visit) {
    if (scene.running_on(array) == nullptr || scene.plan.flies(scene.state.step)) return;
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t, std::uint32_t, Element at) { visit(at); });
}

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

void frame(Scene& scene, const MatrixView& m, const CellRect& cells, ImU32 color, float width,
           bool dashed) {
    if (cells.empty()) return;
    const float out = dashed ? -1.0f : scene.u(3);  // a dashed frame is inside, a solid one outside
    const float line = std::max(1.0f, scene.look.px(width));
    Rect rect = m.cells(cells).inset(-out);
    // A frame edge outside the window is not drawn.
    const Clip clip(m.window.inset(-std::max(out, 0.0f) - 1));
    if (dashed)
        dashed_rect(rect, color, line, scene.u(6));
    else
        stroke_rect(rect, color, line, scene.look.px(5));
}

void register_part(const char* widget, const MatrixView& m, const CellRect& cells) {
    const Rect seen = m.cells(cells).cut(m.window);
    if (seen.w > 1 && seen.h > 1) register_widget(widget, seen);
}

void mark_request(Scene& scene, ArrayId array, Patch& patch) {
    for_each_touched(scene, array, [&](Element at) { patch.mark(at, CellLook::kInFlight); });
}

void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m) {
    const float least = scene.u(3);
    if (m.pitch_x >= least) return;
    for_each_touched(scene, array, [&](Element at) {
        fill_rect(m.cell(at).at_least(least), scene.colors().solid(scene.plan.role(array)));
    });
}

std::string size_of(const MatrixView& m) {
    return with_commas(m.rows) + " \xc3\x97 " + with_commas(m.columns);
}

std::string extent_of(const MatrixView& m) {
    const bool whole = m.row0 < 0.5f && m.column0 < 0.5f &&
                       m.window.h > (static_cast<float>(m.rows) - 0.5f) * m.pitch_y &&
                       m.window.w > (static_cast<float>(m.columns) - 0.5f) * m.pitch_x;
    return (whole ? "" : "of ") + size_of(m);
}

std::string part_of(const MatrixView& m) {
    const auto range = [](float first, float px, float pitch, std::uint32_t count) {
        const auto begin = static_cast<std::uint32_t>(std::lround(first));
        const auto cells = static_cast<std::uint32_t>(std::lround(px / pitch));
        return "[" + std::to_string(begin) + ".." +
               std::to_string(std::min(begin + cells, count) - 1) + "]";
    };
    return range(m.row0, m.window.h, m.pitch_y, m.rows) +
           range(m.column0, m.window.w, m.pitch_x, m.columns) + " of " + size_of(m);
}

void draw_warp_parts(Scene& scene) {
    const bool chosen = scene.thread().chosen_warp().has_value();
    if (!chosen && scene.plan.fragments().rows == 0) return;
    const std::uint32_t warp = scene.thread().warp(scene.state, scene.replay);
    const LaneView::Parts& parts = scene.view.lanes.parts(scene.replay, warp, scene.state.phase);
    const Palette& colors = scene.colors();
    const ImU32 faint = mix(colors.panel, colors.accent, chosen ? 1.0f : 0.6f);
    outline(scene, scene.layout.a, parts.a, faint, 1.5f);
    outline(scene, scene.layout.b, parts.b, faint, 1.5f);
    outline(scene, scene.layout.c, parts.c, faint, 1.5f);
    const LaneWork& work = scene.view.lanes.work(scene.replay, warp, scene.thread().lane());
    outline(scene, scene.layout.c, work.cells, colors.accent, 2);
    if (scene.lit_sum == kNoIndex) return;
    const Clip clip(scene.layout.c.window);
    const Element lit = scene.element_of_sum(scene.lit_sum);
    const Rect cell = scene.layout.c.cell(lit);
    fill_rect(cell.at_least(2), colors.accent, scene.look.hair());
    const PartialSum* const sum = scene.sum_of(lit);
    if (sum != nullptr && (sum->multiply_adds > 0 || sum->stored))
        draw_in_cell(scene, cell, text_of(sum->value).view(), {CellLook::kSolid, ColorRole::kC},
                     type_of_sums(scene));
}

}  // namespace tilereel::stage
