#include "app/stage/layout/cell_window.h"

#include <algorithm>
#include <cmath>

namespace tilereel::stage {

CellWindow CellWindow::filling(const Rect& rect, std::uint32_t rows, std::uint32_t columns) {
    CellWindow grid{.rows = rows, .columns = columns};
    grid.show_all(rect.min(),
                  {rect.w / static_cast<float>(columns), rect.h / static_cast<float>(rows)});
    return grid;
}

void CellWindow::show_all(ImVec2 at, ImVec2 pitch) {
    pitch_x = pitch.x, pitch_y = pitch.y;
    window = {at.x, at.y, pitch.x * static_cast<float>(columns),
              pitch.y * static_cast<float>(rows)};
}

Rect CellWindow::cells(const CellRect& part) const {
    return {window.x + (static_cast<float>(part.column0) - column0) * pitch_x,
            window.y + (static_cast<float>(part.row0) - row0) * pitch_y,
            static_cast<float>(part.columns()) * pitch_x,
            static_cast<float>(part.rows()) * pitch_y};
}

Rect CellWindow::slot(std::uint32_t index, ImVec2 gap, std::uint32_t joined) const {
    const Rect first = cell({index / columns, index % columns});
    return {std::round(first.x), first.y, std::floor(pitch_x * static_cast<float>(joined) - gap.x),
            pitch_y - gap.y};
}

Rect CellWindow::mark(const CellRect& part) const {
    constexpr float kThinnest = 2;  // pixels
    Rect rect = cells(part).at_least(kThinnest);
    rect.x = std::min(rect.x, window.right() - rect.w);
    rect.y = std::min(rect.y, window.bottom() - rect.h);
    return rect;
}

void CellWindow::scroll_to(ImVec2 first_cell) {
    const auto within = [](float first, float shown, std::uint32_t count) {
        return std::clamp(first, 0.0f, std::max(0.0f, static_cast<float>(count) - shown));
    };
    column0 = within(first_cell.x, visible_columns(), columns);
    row0 = within(first_cell.y, visible_rows(), rows);
}

CellRect CellWindow::visible() const {
    const auto end = [](float last, std::uint32_t count) {
        return std::min(count, static_cast<std::uint32_t>(std::max(0.0f, std::ceil(last - 1e-3f))));
    };
    return {static_cast<std::uint32_t>(row0), static_cast<std::uint32_t>(column0),
            end(row0 + visible_rows(), rows), end(column0 + visible_columns(), columns)};
}

std::optional<Element> CellWindow::at(ImVec2 point) const {
    if (!window.contains(point)) return std::nullopt;
    const Element here{static_cast<std::uint32_t>((point.y - window.y) / pitch_y + row0),
                       static_cast<std::uint32_t>((point.x - window.x) / pitch_x + column0)};
    return here.row < rows && here.column < columns ? std::optional(here) : std::nullopt;
}

bool CellWindow::flat(const Look& look) const { return std::min(pitch_x, pitch_y) < look.snug(); }

CellGrid CellWindow::grid(const Look& look, const CellRect& part, float radius,
                          const Cell& fill) const {
    CellGrid grid{cells(part).min(), pitch_x, pitch_y};
    if (part.empty()) return grid;
    grid.rows = part.rows();
    grid.columns = part.columns();
    grid.gap = flat(look) ? 0 : std::round(look.hair());
    grid.radius = look.px(radius);
    grid.cells.assign(std::size_t{grid.rows} * grid.columns, fill);
    return grid;
}

CellRect cut(const CellRect& rect, const CellRect& to) {
    return {std::max(rect.row0, to.row0), std::max(rect.column0, to.column0),
            std::min(rect.row1, to.row1), std::min(rect.column1, to.column1)};
}

}  // namespace tilereel::stage
