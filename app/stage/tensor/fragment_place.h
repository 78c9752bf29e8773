#pragma once
// Where a fragment's matrix lies on the stage, and how much of it can be read there.
#include <string>
#include <vector>

#include "app/stage/tensor/tensor_scene.h"

namespace tilereel::stage {

// How much a cell shows. kTints: only the colour of its lanes' group.
enum class CellDetail : std::uint8_t { kTints, kLanes, kValues };

// The texts of the cells of a fragment, made once a frame.
struct FragmentTexts {
    // By cell: one text for each element, or one for all (elements of 4 bits and of 1 bit: the
    // register in hexadecimal).
    std::vector<std::vector<std::string>> values;
    std::vector<std::vector<std::string>> former;  // likewise, of HeldFragment::former; or empty
    std::size_t longest = 1;
    int across = 1, down = 1;  // texts of a cell side by side, one below the other
};
[[nodiscard]] FragmentTexts texts_of(const HeldFragment& fragment);

// Lengths in pixels.
struct FragmentPlace {
    std::size_t which = 0;           // index into TensorMoment::fragments
    Rect all{};                      // with title, numbers and brackets
    Rect window{};                   // the cells
    float pitch_x = 1, pitch_y = 1;  // of an element
    CellDetail detail = CellDetail::kTints;
    float type = 0;         // font size of values or, with kLanes, of lane numbers
    float lane_type = 0;    // font size of lane numbers beside values
    float lane_width = 0;   // at the left of a cell
    float number_type = 0;  // of rows and columns; 0: there are none

    [[nodiscard]] Rect elements(const MatrixElement& at, int rows, int columns) const {
        return {window.x + static_cast<float>(at.column) * pitch_x,
                window.y + static_cast<float>(at.row) * pitch_y,
                static_cast<float>(columns) * pitch_x, static_cast<float>(rows) * pitch_y};
    }
    [[nodiscard]] Rect cell(const FragmentCell& cell) const {
        return elements(cell.at, cell.rows, cell.columns);
    }
};

// The place with values in a font of `type` pixels, its top left corner at 0, 0.
[[nodiscard]] FragmentPlace natural_place(const TensorScene& scene, std::size_t which,
                                          const FragmentTexts& texts, float type);
// The largest and most detailed place inside `room`.
[[nodiscard]] FragmentPlace place_in(const TensorScene& scene, std::size_t which,
                                     const FragmentTexts& texts, const Rect& room);
// Changes the size of the elements, and with it what lies around them.
[[nodiscard]] FragmentPlace with_pitch(FragmentPlace place, const FragmentGrid& grid, float x,
                                       float y);
// With wider cells, up to a limit, so that it fills more of `room` pixels.
[[nodiscard]] FragmentPlace widened(const FragmentPlace& place, const FragmentGrid& grid,
                                    float room);
[[nodiscard]] FragmentPlace moved_to(FragmentPlace place, ImVec2 corner);
// The smallest and the largest font size of values.
[[nodiscard]] float least_type(const Look& look);
[[nodiscard]] float most_type(const Look& look);

}  // namespace tilereel::stage
