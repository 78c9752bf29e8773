#pragma once
// The path of a cell from global to shared memory on the screen.
#include <algorithm>
#include <span>

#include "app/ui/draw.h"

namespace tilereel::stage {

struct FlightPath {  // a quadratic Bezier curve
    ImVec2 from, over, to;
    [[nodiscard]] ImVec2 at(float t) const {
        const float a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        return {a * from.x + b * over.x + c * to.x, a * from.y + b * over.y + c * to.y};
    }
};

// A path whose control point is `bow` pixels above the middle. It does not cross `corner`, where
// phase, warps and lanes are shown: a path that starts below the corner stays below it until it has
// passed its right edge.
[[nodiscard]] inline FlightPath path_of(ImVec2 from, ImVec2 to, float bow, const Rect& corner) {
    ImVec2 over{(from.x + to.x) / 2, (from.y + to.y) / 2 - bow};
    if (from.x < corner.right() && to.x > corner.right()) {
        // x is linear in t. At the corner's right edge the path must not be above the corner's
        // lower edge. Then it is not above it before either, because the curve bends only once.
        const float t = (corner.right() - from.x) / (to.x - from.x);
        const float least =
            to.y >= corner.bottom()
                ? corner.bottom()
                : (corner.bottom() - (1 - t) * (1 - t) * from.y - t * t * to.y) / (2 * t * (1 - t));
        over.y = std::max(over.y, least);
    }
    return {from, over, to};
}

// The rectangle of a cell that flies from one grid to another. `along`: 0 to 1.
struct FlyingCell {
    Rect from, to;
    // `center`: of the result; `gap`: between two cells of a grid; `transposed`: of a column that
    // becomes a row, whose cells are nearer to each other halfway.
    [[nodiscard]] Rect at(float along, ImVec2 center, float gap, bool transposed = false) const {
        const float size = transposed ? std::max(1 - along, along) : 1;
        const float w = (from.w + (to.w - from.w) * along) * size - gap;
        const float h = (from.h + (to.h - from.h) * along) * size - gap;
        return Rect::around(center, {std::max(w, 3.0f), std::max(h, 3.0f)});
    }
    [[nodiscard]] ImVec2 straight(float along) const {
        const ImVec2 a = from.center(), b = to.center();
        return {a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along};
    }
};

// Keeps the distances between cells of which a column becomes a row: all control points are lowered
// as far as the one that the corner lowers most. `bow`: as in path_of().
inline void lower_together(std::span<FlightPath> column, float bow) {
    float by = 0;
    const auto middle = [bow](const FlightPath& path) {
        return (path.from.y + path.to.y) / 2 - bow;
    };
    for (const FlightPath& path : column) by = std::max(by, path.over.y - middle(path));
    for (FlightPath& path : column) path.over.y = middle(path) + by;
}

// Keeps cells that leave in one row and land in one row at the same height: all get the lowest
// control point.
inline void keep_level(std::span<FlightPath> row) {
    float lowest = 0;
    for (const FlightPath& path : row) lowest = std::max(lowest, path.over.y);
    for (FlightPath& path : row) path.over.y = lowest;
}

}  // namespace tilereel::stage
