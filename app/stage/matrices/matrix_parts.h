#pragma once
// Parts of the drawing of a matrix: patches of cells, frames, and the current request.
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

inline constexpr std::uint8_t kBandDim = 61;  // the band is drawn a quarter weaker than the tile
inline constexpr std::uint8_t kOtherBlockDim = 117;

// The cells of a part of a matrix, addressed by row and column of the matrix. All have the same
// role.
struct Patch {
    CellRect area;
    CellGrid grid;
    ColorRole role;
    bool flat;  // cells without gaps: their shapes would be unreadable
    Patch(const Look& look, const MatrixView& m, const CellRect& shown, const Cell& fill)
        : area(shown), grid(m.grid(look, shown, 3, fill)), role(fill.role), flat(m.flat(look)) {}
    [[nodiscard]] Cell* at(Element element) {  // nullptr outside
        return contains(area, element) ? &grid.cells[area.index_of(element)] : nullptr;
    }
    // `dim`: as in Cell.
    void mark(Element element, CellLook look, std::uint8_t dim = 0) {
        if (Cell* cell = at(element)) *cell = {look, role, 0, dim};
    }
    void fill(const CellRect& rect, std::uint8_t dim) {
        const Cell cell{CellLook::kBand, role, 0, dim};
        for_each_element(cut(rect, area),
                         [&](Element at) { grid.cells[area.index_of(at)] = cell; });
    }
};

// Draws a frame 3 px outside of `cells`, or a dashed one just inside. Edges outside of the window
// are left open.
void frame(Scene& scene, const MatrixView& m, const CellRect& cells, ImU32 color, float width,
           bool dashed = false);
// Registers the visible part of `cells` as a widget.
void register_part(const char* widget, const MatrixView& m, const CellRect& cells);
void mark_request(Scene& scene, ArrayId array, Patch& patch);
// Draws accessed cells enlarged, if cells are too small to be seen.
void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m);
[[nodiscard]] std::string size_of(const MatrixView& m);  // "16 x 16"
[[nodiscard]] std::string extent_of(
    const MatrixView& m);  // the same, or "of 16 x 16": a part is shown
// The visible part, if it is not the whole matrix: "[0..15][16..31] of 64 x 64".
[[nodiscard]] std::string part_of(const MatrixView& m);

void draw_product(Scene& scene);
[[nodiscard]] float type_of_sums(const Scene& scene);  // font size in C; 0: no values are shown
// The text beside "C", in the longest form that fits.
[[nodiscard]] std::string matrix_product_text(const Scene& scene, float width);

}  // namespace tilereel::stage
