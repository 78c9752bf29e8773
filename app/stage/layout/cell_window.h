#pragma once
// A window onto a grid of cells. The pictures of all arrays are windows.
#include <optional>

#include "app/replay/elements.h"
#include "app/ui/cells/cell_grid.h"
#include "app/ui/draw/draw.h"

namespace tilereel::stage {

// Lengths in pixels.
struct CellWindow {
    Rect window{};
    float pitch_x = 1, pitch_y = 1;
    float row0 = 0, column0 = 0;          // first visible cell; fractional while it moves
    std::uint32_t rows = 0, columns = 0;  // of the grid
    // A grid whose cells fill a rectangle.
    [[nodiscard]] static CellWindow filling(const Rect& rect, std::uint32_t rows,
                                            std::uint32_t columns);
    // The whole grid, scaled to a rectangle.
    [[nodiscard]] CellWindow scaled_to(const Rect& rect) const {
        return filling(rect, rows, columns);
    }
    // Shows the whole grid with cells of this pitch. `at`: its top left corner.
    void show_all(ImVec2 at, ImVec2 pitch);
    [[nodiscard]] CellRect all() const { return {0, 0, rows, columns}; }
    [[nodiscard]] Rect cells(const CellRect& part) const;  // may extend beyond the window
    [[nodiscard]] Rect cell(Element at) const {
        return {window.x + (static_cast<float>(at.column) - column0) * pitch_x,
                window.y + (static_cast<float>(at.row) - row0) * pitch_y, pitch_x, pitch_y};
    }
    // Cell number `index`, counted row by row, without the gap after it. Its left edge and its
    // width are whole pixels. `joined`: number of cells that are drawn as one.
    [[nodiscard]] Rect slot(std::uint32_t index, ImVec2 gap, std::uint32_t joined = 1) const;
    // As cells(), but inside the window and large enough to be seen on a map.
    [[nodiscard]] Rect mark(const CellRect& part) const;
    [[nodiscard]] float visible_rows() const { return window.h / pitch_y; }
    [[nodiscard]] float visible_columns() const { return window.w / pitch_x; }
    [[nodiscard]] ImVec2 first() const { return {column0, row0}; }
    // A distance in cells.
    [[nodiscard]] ImVec2 in_cells(ImVec2 px) const { return {px.x / pitch_x, px.y / pitch_y}; }
    // Sets the first visible cell, clamped so that there is no empty room after the last one.
    void scroll_to(ImVec2 first_cell);
    [[nodiscard]] CellRect visible() const;                       // at least partly
    [[nodiscard]] std::optional<Element> at(ImVec2 point) const;  // nullopt: no cell
    [[nodiscard]] bool flat(const Look& look) const;              // no room for gaps between cells
    // A part of the grid to be drawn. `radius`: units.
    [[nodiscard]] CellGrid grid(const Look& look, const CellRect& part, float radius,
                                const Cell& fill = {}) const;
};

[[nodiscard]] inline CellRect one_cell(Element at) {
    return {at.row, at.column, at.row + 1, at.column + 1};
}
// The part of `rect` inside `to`; empty if there is none.
[[nodiscard]] CellRect cut(const CellRect& rect, const CellRect& to);

}  // namespace tilereel::stage
