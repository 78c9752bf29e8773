#pragma once
// The path of an object between a matrix, the registers and shared memory. It turns in the strip
// that no grid and no heading use: sideways into the strip, up or down in it, sideways out of it.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/draw/draw.h"
#include "app/ui/draw/glide.h"

namespace tilereel::stage {

inline constexpr float kSidewaysShare = 0.6f;  // of the time

// An object in its full size, and the part of it that is seen: it slides into the strip and out of
// it, and the rest of it is hidden behind the strip's edge.
struct Sliding {
    Rect full, seen;
    bool turns = false;  // it moves up or down in the strip
};

// From a matrix to its place in the strip: first sideways, then up or down.
[[nodiscard]] inline Sliding into_strip(const Rect& from, const Rect& to, float t) {
    const float x = std::min(t / kSidewaysShare, 1.0f);
    const float y = std::max((t - kSidewaysShare) / (1 - kSidewaysShare), 0.0f);
    const Rect full{between(from.x, to.x, x), from.y, from.w, from.h};
    Rect seen = full;
    seen.w = std::min(full.w, std::max(to.right() - full.x, 1.0f));
    if (y <= 0) return {full, seen};
    seen = {seen.x, between(seen.y, to.y, y), between(seen.w, to.w, y), between(seen.h, to.h, y)};
    return {seen, seen, true};
}

// Out of the strip: to the gate's edge of the strip, up or down to the target's height, then
// sideways.
[[nodiscard]] inline Sliding out_of_strip(const Rect& from, const Rect& gate, const Rect& to,
                                          float t) {
    constexpr float kAcross = 0.1f, kUpright = 1 - kSidewaysShare;
    const float across = std::min(t / kAcross, 1.0f);
    const float y = std::clamp((t - kAcross) / (kUpright - kAcross), 0.0f, 1.0f);
    const float x = std::max((t - kUpright) / kSidewaysShare, 0.0f);
    if (x <= 0) {
        const Rect at{between(from.x, gate.x, across), between(from.y, gate.y, y),
                      between(from.w, gate.w, across), between(from.h, gate.h, y)};
        return {at, at, true};
    }
    const bool to_the_right = to.center().x >= gate.center().x;
    const float begin = to_the_right ? gate.right() - to.w : gate.x;
    const Rect full{between(begin, to.x, x), to.y, to.w, to.h};
    const Rect passed = to_the_right ? Rect{gate.x, to.y, full.right() - gate.x, to.h}
                                     : Rect{full.x, to.y, gate.right() - full.x, to.h};
    return {full, full.cut(passed)};
}

// Where an object stands in the strip, at the height of its target and at the strip's edge next to
// it.
[[nodiscard]] inline Rect gate_of(const Rect& strip, const Rect& to) {
    const float w = std::min(to.w, strip.w);
    const float x = to.center().x >= strip.center().x ? strip.right() - w : strip.x;
    return {x, to.y, w, to.h};
}

}  // namespace tilereel::stage
