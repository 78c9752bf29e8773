#pragma once
// The user's zoom and pan of the stage.
#include <array>
#include <vector>

namespace tilereel {

struct StageZoom {
    float zoom = 1;       // for A, B and C; 1: all cells, or the watched part
    bool whole = false;   // show all of A, B and C, even without values
    bool follows = true;  // the visible part of A, B and C follows the watched part
    // First visible column and row of C, and first visible column of A and row of B, in cells.
    std::array<float, 3> pan{};
    // Shared arrays: one zoom for all, and the first visible column and row of each.
    float shared_zoom = 1;
    std::vector<std::array<float, 2>> shared_pan{};
    bool operator==(const StageZoom&) const = default;
};

}  // namespace tilereel
