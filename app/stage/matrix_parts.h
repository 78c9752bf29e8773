#pragma once
// Parts of the drawing of a matrix: patches of cells, frames, and the current request.
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

inline constexpr float kGapFrom = 6;          // units: smallest pitch of cells with gaps
inline constexpr std::uint8_t kBandDim = 61;  // the band is drawn a quarter weaker than the tile
inline constexpr std::uint8_t kOtherBlockDim = 117;

[[nodiscard]] CellRect cut(const CellRect& rect, const CellRect& to);
[[nodiscard]] Rect cut(const Rect& rect, const Rect& to);

// The cells of a part of a matrix, addressed by row and column of the matrix.
struct Patch {
    CellRect area;
    CellGrid grid;
    Patch(const Scene& scene, const MatrixView& m, const CellRect& shown, Cell fill);
    [[nodiscard]] Cell* at(std::uint32_t row, std::uint32_t column);  // nullptr outside
    void fill(const CellRect& rect, Cell cell);
};

// Whether cells are drawn without gaps and borders.
[[nodiscard]] bool flat(const Scene& scene, const MatrixView& m);
// Draws a frame 3 px outside of `cells`, or a dashed one just inside. Edges outside of the window
// are left open.
void frame(Scene& scene, const MatrixView& m, const CellRect& cells, ImU32 color, float width,
           bool dashed = false);
// Registers the visible part of `cells` as a widget.
void register_part(const char* widget, const MatrixView& m, const CellRect& cells);
void mark_request(Scene& scene, ArrayId array, ColorRole role, Patch& patch);
// Draws accessed cells enlarged, if cells are too small to be seen.
void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m, ColorRole role);
[[nodiscard]] std::string size_of(const MatrixView& m);  // "16 x 16"
// The visible part, if it is not the whole matrix: "[0..15][16..31] of 64 x 64".
[[nodiscard]] std::string part_of(const MatrixView& m);

void draw_product(Scene& scene);
// The text beside "C", in the longest form that fits.
[[nodiscard]] std::string matrix_product_text(const Scene& scene, float width);

}  // namespace tilereel::stage
