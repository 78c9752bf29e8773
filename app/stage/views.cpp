// The positions of cells of a matrix and of shared memory, and the cell at a point.
#include <algorithm>
#include <cmath>

#include "app/stage/layout.h"

namespace tilereel::stage {

Rect MatrixView::cells(const CellRect& r) const {
    const float x = window.x + (static_cast<float>(r.column0) - column0) * pitch_x;
    const float y = window.y + (static_cast<float>(r.row0) - row0) * pitch_y;
    return {x, y, static_cast<float>(r.column1 - r.column0) * pitch_x,
            static_cast<float>(r.row1 - r.row0) * pitch_y};
}

CellRect MatrixView::visible() const {
    const auto last = [](float first, float px, float pitch, std::uint32_t count) {
        const float end = std::ceil(first + px / pitch - 1e-3f);
        return std::min(count, static_cast<std::uint32_t>(std::max(0.0f, end)));
    };
    return {static_cast<std::uint32_t>(row0), static_cast<std::uint32_t>(column0),
            last(row0, window.h, pitch_y, rows), last(column0, window.w, pitch_x, columns)};
}

bool MatrixView::at(ImVec2 point, std::uint32_t& row, std::uint32_t& column) const {
    if (!window.contains(point)) return false;
    row = static_cast<std::uint32_t>((point.y - window.y) / pitch_y + row0);
    column = static_cast<std::uint32_t>((point.x - window.x) / pitch_x + column0);
    return row < rows && column < columns;
}

void SharedView::place(std::uint32_t row, std::uint32_t column, std::uint32_t& grid_row,
                       std::uint32_t& grid_column) const {
    grid_row = row - first_row;
    grid_column = column;
    if (!by_bank) return;
    const std::uint32_t word = first_cell % banks + grid_row * leading_dimension + column;
    grid_row = word / banks;
    grid_column = word % banks;
}

Rect SharedView::cell(std::uint32_t row, std::uint32_t column) const {
    std::uint32_t r = 0, c = 0;
    place(row, column, r, c);
    return {window.x + (static_cast<float>(c) - column0) * pitch_x,
            window.y + (static_cast<float>(r) - row0) * pitch_y, pitch_x, pitch_y};
}

bool SharedView::zoomed() const {
    return static_cast<float>(columns) * pitch_x > window.w + 0.5f ||
           static_cast<float>(rows) * pitch_y > window.h + 0.5f;
}

bool SharedView::at(ImVec2 point, std::uint32_t& row, std::uint32_t& column) const {
    if (!window.contains(point)) return false;
    row = static_cast<std::uint32_t>((point.y - window.y) / pitch_y + row0);
    column = static_cast<std::uint32_t>((point.x - window.x) / pitch_x + column0);
    if (by_bank) {
        const std::uint32_t from = first_cell % banks, word = row * banks + column;
        if (word < from) return false;
        row = (word - from) / leading_dimension;
        column = (word - from) % leading_dimension;
    }
    if (row >= row_count || column >= leading_dimension) return false;
    row += first_row;
    return true;
}

}  // namespace tilereel::stage
