#include "app/stage/matrix_parts.h"

#include <algorithm>
#include <cmath>

#include "app/replay/elements.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {

void frame(Scene& scene, const MatrixView& m, const CellRect& cells, ImU32 color, float width,
           bool dashed) {
    if (cells.empty()) return;
    const float out = dashed ? -1.0f : scene.u(3);  // a dashed frame is inside, a solid one outside
    const float line = std::max(1.0f, scene.look.px(width));
    Rect rect = m.cells(cells).inset(-out);
    // A frame edge outside the window is not drawn.
    const Rect seen = m.window.inset(-std::max(out, 0.0f) - 1);
    const Clip clip(seen);
    if (dashed)
        dashed_rect(rect, color, line, scene.u(6));
    else
        stroke_rect(rect, color, line, scene.look.px(5));
}

void register_part(const char* widget, const MatrixView& m, const CellRect& cells) {
    const Rect seen = m.cells(cells).cut(m.window);
    if (seen.w > 1 && seen.h > 1) register_widget(widget, seen);
}

namespace {

// Calls visit(element) for what the current request accesses of this array, if it is not drawn by
// flying cells.
template <class Visit>
void for_each_touched(const Scene& scene, ArrayId array, Visit&& visit) {
    const Site* site = scene.site();
    if (site == nullptr || site->array != array || scene.state.step == kNoStep) return;
    if (scene.plan.flies(scene.state.step)) return;
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t, std::uint32_t, Element at) { visit(at); });
}

}  // namespace

void mark_request(Scene& scene, ArrayId array, ColorRole role, Patch& patch) {
    for_each_touched(scene, array, [&](Element at) {
        if (Cell* cell = patch.at(at)) *cell = {CellLook::kInFlight, role, 0, 0};
    });
}

void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m, ColorRole role) {
    const float least = scene.u(3);
    if (m.pitch_x >= least) return;
    for_each_touched(scene, array, [&](Element at) {
        fill_rect(m.cell(at).at_least(least), scene.colors().solid(role));
    });
}

std::string size_of(const MatrixView& m) {
    return with_commas(m.rows) + " \xc3\x97 " + with_commas(m.columns);
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

}  // namespace tilereel::stage
