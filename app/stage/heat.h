#pragma once
// Draws a heat map: the cells of an array, the legend and the words.
#include <cstdint>
#include <functional>
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

// Draws the visible part of an array's picture. Draws nothing and returns false if heat is not
// shown or is still being counted. `row_length`: of the picture's layout. `cell_at`: the cell of
// the array at a place of the picture.
bool draw_heat(Scene& scene, ArrayId array, ColorRole role, const CellWindow& view,
               std::uint32_t row_length, const std::function<std::uint64_t(Element)>& cell_at);
// "read 4–64 × from global"; empty if draw_heat() draws nothing.
[[nodiscard]] std::string heat_text(const Scene& scene, ArrayId array);
// Adds the count of a cell to the box beside the pointer.
void say_heat(Scene& scene, ArrayId array, std::uint64_t cell);
// The height in pixels of the heat legend in a small stage, with its margins.
[[nodiscard]] float height_of_heat_legend(const Look& look);
// Draws the heat legend in place of the usual one. False if heat is not shown.
bool draw_heat_legend(Scene& scene, const Rect& area);

}  // namespace tilereel::stage
