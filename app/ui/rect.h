#pragma once
// A rectangle in pixels, y downwards.
#include <imgui.h>

namespace tilereel {

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    [[nodiscard]] float right() const { return x + w; }
    [[nodiscard]] float bottom() const { return y + h; }
    [[nodiscard]] ImVec2 min() const { return {x, y}; }
    [[nodiscard]] ImVec2 max() const { return {x + w, y + h}; }
    [[nodiscard]] ImVec2 center() const { return {x + w / 2, y + h / 2}; }
    [[nodiscard]] bool contains(ImVec2 p) const {
        return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h;
    }
    [[nodiscard]] Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
};

}  // namespace tilereel
