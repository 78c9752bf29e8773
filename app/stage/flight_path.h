#pragma once
// The way of a cell from global to shared memory on the screen.
#include <algorithm>
#include <span>

#include "app/ui/draw.h"

namespace tilereel::stage {

struct FlightPath {  // a quadratic curve
    ImVec2 from, over, to;
    [[nodiscard]] ImVec2 at(float t) const {
        const float a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        return {a * from.x + b * over.x + c * to.x, a * from.y + b * over.y + c * to.y};
    }
};

// Bends upwards by `bow` pixels in the middle, but never across `corner`, where phase, warps and
// lanes are shown: what starts below it stays below it until it is to its right.
[[nodiscard]] inline FlightPath path_of(ImVec2 from, ImVec2 to, float bow, const Rect& corner) {
    ImVec2 over{(from.x + to.x) / 2, (from.y + to.y) / 2 - bow};
    if (from.x < corner.right() && to.x > corner.right()) {
        // x grows evenly along the curve. Where it reaches the corner's right edge, y is as low as
        // the corner's lower edge; before that it is lower, since the curve has no second bend.
        const float t = (corner.right() - from.x) / (to.x - from.x);
        const float least =
            to.y >= corner.bottom()
                ? corner.bottom()
                : (corner.bottom() - (1 - t) * (1 - t) * from.y - t * t * to.y) / (2 * t * (1 - t));
        over.y = std::max(over.y, least);
    }
    return {from, over, to};
}

// Cells that leave in one row and land in one row stay level on the way: all take the lowest of
// their ways.
inline void keep_level(std::span<FlightPath> row) {
    float lowest = 0;
    for (const FlightPath& path : row) lowest = std::max(lowest, path.over.y);
    for (FlightPath& path : row) path.over.y = lowest;
}

}  // namespace tilereel::stage
