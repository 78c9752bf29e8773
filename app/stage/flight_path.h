#pragma once
// The path of a cell from global to shared memory on the screen.
#include <algorithm>
#include <cmath>

#include "app/ui/draw.h"

namespace tilereel::stage {

// The form of the paths of all cells that fly from a matrix to a shared array. The cells move along
// each axis by a share of their way that is the same for all of them, so they keep their order and
// do not cover each other.
struct FlightCurve {
    // By how many pixels a Bezier curve's control point lies above the middle of the way.
    float bow = 0;
    float turn = 1;        // 1: straight, apart from the bow; more: first sideways, then up or down
    bool upright = false;  // first up or down, then sideways
    // The shares of the way along x and y after a share of the time.
    [[nodiscard]] ImVec2 shares(float t) const {
        if (upright) return {t * t, t};
        return {1 - std::pow(1 - t, turn), std::pow(t, turn)};
    }
    [[nodiscard]] ImVec2 at(float t, ImVec2 from, ImVec2 to) const {
        return at(t, shares(t), from, to);
    }
    // `s`: shares(t).
    [[nodiscard]] ImVec2 at(float t, ImVec2 s, ImVec2 from, ImVec2 to) const {
        return {from.x + (to.x - from.x) * s.x,
                from.y + (to.y - from.y) * s.y - 2 * t * (1 - t) * bow};
    }
};

// The height of the path above the lower edge of `corner`, in pixels, at its highest point before
// it passes the right edge. 0 if it passes below the corner.
[[nodiscard]] inline float height_at_corner(const FlightCurve& curve, ImVec2 from, ImVec2 to,
                                            const Rect& corner) {
    if (from.x >= corner.right() || to.x <= corner.right()) return 0;
    const float share = (corner.right() - from.x) / (to.x - from.x);
    float t = curve.upright ? std::sqrt(share) : 1 - std::pow(1 - share, 1 / curve.turn);
    // With a bow the highest point may come earlier.
    if (curve.bow > 0) t = std::clamp(0.5f - (to.y - from.y) / (4 * curve.bow), 0.0f, t);
    return std::max(0.0f, corner.bottom() - curve.at(t, from, to).y);
}

// The curve for all cells that start not farther to the left or higher than `from`, and land not
// farther to the left or higher than `to`. If `from` is below `corner`, which shows phase, warps
// and lanes, none of them crosses it: the bow is lower or, if that is not enough, the path turns
// upwards behind the corner.
[[nodiscard]] inline FlightCurve curve_of(ImVec2 from, ImVec2 to, float bow, const Rect& corner) {
    constexpr float kSharpest = 16;
    FlightCurve curve{bow};
    const auto crosses = [&] { return height_at_corner(curve, from, to, corner) > 0; };
    while (curve.bow > 0 && crosses()) curve.bow = std::max(0.0f, curve.bow - bow / 32);
    while (curve.turn < kSharpest && crosses()) curve.turn += 0.25f;
    return curve;
}

// A cell that flies from one grid to another.
struct FlyingCell {
    Rect from, to;
    FlightCurve curve;
    float least = 3;  // width and height, pixels
    // Its rectangle after a share of the time. `gap`: between two cells of a grid; `transposed`: of
    // a column that becomes a row, whose cells are nearer to each other halfway.
    [[nodiscard]] Rect at(float t, float gap, bool transposed = false) const {
        const ImVec2 s = curve.shares(t);
        const float size = transposed ? std::max(1 - t, t) : 1;
        const float w = (from.w + (to.w - from.w) * s.x) * size - gap;
        const float h = (from.h + (to.h - from.h) * s.y) * size - gap;
        return Rect::around(curve.at(t, s, from.center(), to.center()),
                            {std::max(w, least), std::max(h, least)});
    }
};

}  // namespace tilereel::stage
