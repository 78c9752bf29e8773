#pragma once
// What drawing a matrix is made of: a patch of cells, frames, and the request in flight on it.
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

inline constexpr float kGapFrom = 6;          // units of pitch: below, cells touch
inline constexpr std::uint8_t kBandDim = 61;  // the band is a quarter weaker than the tile
inline constexpr std::uint8_t kOtherBlockDim = 117;

[[nodiscard]] CellRect cut(const CellRect& rect, const CellRect& to);
[[nodiscard]] Rect cut(const Rect& rect, const Rect& to);

// The cells of a part of a matrix, addressed as in the matrix.
struct Patch {
    CellRect area;
    CellGrid grid;
    Patch(const Scene& scene, const MatrixView& m, const CellRect& shown, Cell fill);
    [[nodiscard]] Cell* at(std::uint32_t row, std::uint32_t column);  // nullptr outside
    void fill(const CellRect& rect, Cell cell);
};

// Cells touch: no gaps, no borders.
[[nodiscard]] bool flat(const Scene& scene, const MatrixView& m);
// A frame 3 px outside `cells`, or a dashed one just inside, open where an edge is out of sight.
void frame(Scene& scene, const MatrixView& m, const CellRect& cells, ImU32 color, float width,
           bool dashed = false);
// Registers where `cells` lie, as far as they are in sight.
void register_part(const char* widget, const MatrixView& m, const CellRect& cells);
void mark_request(Scene& scene, ArrayId array, Role role, Patch& patch);
// Where cells are too small to be seen, the touched ones are drawn larger than they are.
void draw_small_request(Scene& scene, ArrayId array, const MatrixView& m, Role role);
[[nodiscard]] std::string size_of(const MatrixView& m);  // "16 x 16"
// What is shown where that is not all: "[0..15][16..31] of 64 x 64".
[[nodiscard]] std::string part_of(const MatrixView& m);

void draw_product(Scene& scene);
// What stands beside "C", as long as fits.
[[nodiscard]] std::string words_of_product(const Scene& scene, float width);

}  // namespace tilereel::stage
