#pragma once
// Shared memory as a matrix load or store meets it: lines of 128 bytes with 8 slots of 16 bytes.
// Beside it, what the same rows would cost if they lay plainly.
#include <optional>
#include <vector>

#include "app/stage/tensor/tensor_scene.h"
#include "instrumentation/analysis/cost/plain_rows.h"

namespace tilereel::stage {

// A piece of 16 bytes: row `row` of matrix `matrix`. Lengths in pixels.
struct SlotPiece {
    std::uint32_t lane = 0;  // that gives its address
    int matrix = 0, row = 0;
    std::uint32_t line = 0;  // index into SlotsPlace::lines
    std::uint32_t slot = 0;
    std::uint32_t wavefront = 0;
    Rect rect;
};
struct SlotsPlace {
    Rect all, grid;                       // with its words; the cells
    Rect plain;                           // of the plain rows; empty: none
    std::vector<std::uint32_t> lines;     // numbers of the lines that are accessed, ascending
    std::vector<SlotPiece> pieces;        // by lane
    std::optional<PlainRows> plain_rows;  // nullopt: the rows lie plainly
};

// Of a matrix load or store that is the request; the whole picture inside `room`.
[[nodiscard]] SlotsPlace place_slots(const TensorScene& scene, const Rect& room);
// The height in pixels in which all rows can be told apart.
[[nodiscard]] float least_height_of_slots(const TensorScene& scene);
// The height beyond which the picture does not grow.
[[nodiscard]] float most_height_of_slots(const TensorScene& scene);
void draw_slots(TensorScene& scene, const SlotsPlace& place);
// Index into SlotsPlace::pieces of the piece under a point.
[[nodiscard]] std::optional<std::size_t> piece_at(const SlotsPlace& place, ImVec2 point);

}  // namespace tilereel::stage
