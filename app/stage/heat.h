#pragma once
// Draws a heat map: the cells of an array, the legend and the words.
#include <cstdint>
#include <functional>
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

// The visible part of an array's picture: rows [row0, row1), columns [column0, column1).
struct HeatPicture {
    ArrayId array = kNoArray;
    std::uint64_t row0 = 0, column0 = 0, row1 = 0, column1 = 0;
    std::uint64_t row_length = 0;    // of the picture's layout
    ImVec2 at{};                     // upper left corner of the first cell, pixels
    float pitch_x = 1, pitch_y = 1;  // pixels
    std::function<std::uint64_t(std::uint64_t row, std::uint64_t column)> cell_at;
};
// Draws nothing and returns false if heat is not shown or is still being counted.
bool draw_heat(Scene& scene, const HeatPicture& of, ColorRole role);
// "read 4–64 × from global"; empty if draw_heat() draws nothing.
[[nodiscard]] std::string heat_text(const Scene& scene, ArrayId array);
// Adds the count of a cell to the box beside the pointer.
void say_heat(Scene& scene, ArrayId array, std::uint64_t cell);
// The height in pixels of the heat legend in a small stage, with its margins.
[[nodiscard]] float height_of_heat_legend(const Look& look);
// Draws the heat legend in place of the usual one. False if heat is not shown.
bool draw_heat_legend(Scene& scene, const Rect& area);

}  // namespace tilereel::stage
