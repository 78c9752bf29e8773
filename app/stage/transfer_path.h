#pragma once
// The path of an object between a matrix, the registers and shared memory. It turns in the strip
// that no grid and no heading use: sideways into the strip, up or down in it, sideways out of it.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/draw.h"

namespace tilereel::stage {

inline constexpr float kSidewaysShare = 0.6f;  // of the time

// Slow at both ends.
[[nodiscard]] inline float eased(double share) {
    return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * std::clamp(share, 0.0, 1.0)));
}

[[nodiscard]] inline float between(float a, float b, float share) { return a + (b - a) * share; }

// From a matrix into the strip: first sideways, then up or down.
[[nodiscard]] inline Rect into_strip(const Rect& from, const Rect& to, float t) {
    const float x = std::min(t / kSidewaysShare, 1.0f);
    const float y = std::max((t - kSidewaysShare) / (1 - kSidewaysShare), 0.0f);
    return {between(from.x, to.x, x), between(from.y, to.y, y), between(from.w, to.w, x),
            between(from.h, to.h, y)};
}

// Out of the strip: to the gate's edge of the strip, up or down to the target's height, then
// sideways.
[[nodiscard]] inline Rect out_of_strip(const Rect& from, const Rect& gate, const Rect& to,
                                       float t) {
    constexpr float kAcross = 0.1f, kUpright = 1 - kSidewaysShare;
    const float across = std::min(t / kAcross, 1.0f);
    const float y = std::clamp((t - kAcross) / (kUpright - kAcross), 0.0f, 1.0f);
    const float x = std::max((t - kUpright) / kSidewaysShare, 0.0f);
    if (x > 0) return {between(gate.x, to.x, x), to.y, between(gate.w, to.w, x), to.h};
    return {between(from.x, gate.x, across), between(from.y, gate.y, y),
            between(from.w, gate.w, across), between(from.h, gate.h, y)};
}

// Where an object stands in the strip, at the height of its target and at the strip's edge next to
// it.
[[nodiscard]] inline Rect gate_of(const Rect& strip, const Rect& to) {
    const float w = std::min(to.w, strip.w);
    const float x = to.center().x >= strip.center().x ? strip.right() - w : strip.x;
    return {x, to.y, w, to.h};
}

}  // namespace tilereel::stage
