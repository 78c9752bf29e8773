#pragma once
// Drawing a heat map: of an array's picture, its legend and its words.
#include <cstdint>
#include <functional>
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

// The part of an array's picture that is in sight: rows [row0, row1), columns [column0, column1).
struct HeatPicture {
    ArrayId array = kNoArray;
    std::uint64_t row0 = 0, column0 = 0, row1 = 0, column1 = 0;
    std::uint64_t row_length = 0;    // that the picture was laid out with
    ImVec2 at{};                     // upper left corner of the first cell, pixels
    float pitch_x = 1, pitch_y = 1;  // pixels
    std::function<std::uint64_t(std::uint64_t row, std::uint64_t column)> cell_at;
};
// False: heat is not shown, or still being counted; nothing is drawn.
bool draw_heat(Scene& scene, const HeatPicture& of, Role role);
// "read 4–64 × from global"; empty: as draw_heat().
[[nodiscard]] std::string words_of_heat(const Scene& scene, ArrayId array);
// For the box beside the pointer.
void say_heat(Scene& scene, ArrayId array, std::uint64_t cell);
// The height in pixels of the heat legend in a small stage, with the room above and below it.
[[nodiscard]] float height_of_heat_legend(const Look& look);
// Draws the heat legend in place of the usual one. False: heat is not shown.
bool draw_heat_legend(Scene& scene, const Rect& area);

}  // namespace tilereel::stage
