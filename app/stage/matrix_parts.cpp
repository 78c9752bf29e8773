#include "app/stage/matrix_parts.h"

#include <algorithm>
#include <cmath>

#include "app/replay/elements.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {

CellRect cut(const CellRect& rect, const CellRect& to) {
    return {std::max(rect.row0, to.row0), std::max(rect.column0, to.column0),
            std::min(rect.row1, to.row1), std::min(rect.column1, to.column1)};
}

Rect cut(const Rect& rect, const Rect& to) {
    const float x = std::max(rect.x, to.x), y = std::max(rect.y, to.y);
    return {x, y, std::max(0.0f, std::min(rect.right(), to.right()) - x),
            std::max(0.0f, std::min(rect.bottom(), to.bottom()) - y)};
}

Patch::Patch(const Scene& scene, const MatrixView& m, const CellRect& shown, Cell fill)
    : area(shown) {
    const Rect at = m.cells(shown);
    grid.at = at.min();
    grid.pitch_x = m.pitch_x;
    grid.pitch_y = m.pitch_y;
    if (shown.empty()) return;
    grid.rows = shown.row1 - shown.row0;
    grid.columns = shown.column1 - shown.column0;
    grid.gap = flat(scene, m) ? 0 : scene.u(2);
    grid.radius = scene.look.px(3);
    grid.cells.assign(std::size_t{grid.rows} * grid.columns, fill);
}

Cell* Patch::at(std::uint32_t row, std::uint32_t column) {
    if (row < area.row0 || row >= area.row1 || column < area.column0 || column >= area.column1)
        return nullptr;
    return &grid.cells[std::size_t{row - area.row0} * grid.columns + (column - area.column0)];
}

void Patch::fill(const CellRect& rect, Cell cell) {
    const CellRect part = cut(rect, area);
    for (std::uint32_t row = part.row0; row < part.row1; ++row)
        for (std::uint32_t column = part.column0; column < part.column1; ++column)
            *at(row, column) = cell;
}

bool flat(const Scene& scene, const MatrixView& m) {
    return std::min(m.pitch_x, m.pitch_y) < scene.look.px(kGapFrom);
}

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
    const Rect seen = cut(m.cells(cells), m.window);
    if (seen.w > 1 && seen.h > 1) register_widget(widget, seen);
}

namespace {

// Whether the current request accesses this array and is not drawn by flying cells.
bool touches(const Scene& scene, ArrayId array) {
    const Site* site = scene.site();
    if (site == nullptr || site->array != array || scene.state.step == kNoStep) return false;
    return !scene.plan.flies(scene.state.step);
}

}  // namespace

void mark_request(Scene& scene, ArrayId array, ColorRole role, Patch& patch) {
    if (!touches(scene, array)) return;
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t, std::uint32_t, Element at) {
                         if (Cell* cell = patch.at(at.row, at.column))
                             *cell = {CellLook::kInFlight, role, 0, 0};
                     });
}

void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m, ColorRole role) {
    const float least = scene.u(3);
    if (m.pitch_x >= least || !touches(scene, array)) return;
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t, std::uint32_t, Element at) {
                         const Rect cell = m.cell(at.row, at.column);
                         fill_rect(
                             {cell.x, cell.y, std::max(cell.w, least), std::max(cell.h, least)},
                             scene.colors().solid(role));
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
