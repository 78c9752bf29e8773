#pragma once
// A rectangle in pixels, y downwards.
#include <imgui.h>

#include <algorithm>

namespace tilereel {

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    bool operator==(const Rect&) const = default;
    [[nodiscard]] static Rect around(ImVec2 center, ImVec2 size) {
        return {center.x - size.x / 2, center.y - size.y / 2, size.x, size.y};
    }
    [[nodiscard]] float right() const { return x + w; }
    [[nodiscard]] float bottom() const { return y + h; }
    [[nodiscard]] ImVec2 min() const { return {x, y}; }
    [[nodiscard]] ImVec2 max() const { return {x + w, y + h}; }
    [[nodiscard]] ImVec2 size() const { return {w, h}; }
    [[nodiscard]] ImVec2 center() const { return {x + w / 2, y + h / 2}; }
    [[nodiscard]] bool contains(ImVec2 p) const {
        return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h;
    }
    [[nodiscard]] Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
    [[nodiscard]] bool overlaps(const Rect& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
    // The part inside `other`; its width or height is 0 if there is none.
    [[nodiscard]] Rect cut(const Rect& other) const {
        const float left = std::max(x, other.x), top = std::max(y, other.y);
        return {left, top, std::max(0.0f, std::min(right(), other.right()) - left),
                std::max(0.0f, std::min(bottom(), other.bottom()) - top)};
    }
    // The bounding box of both.
    [[nodiscard]] Rect joined(const Rect& other) const {
        const float left = std::min(x, other.x), top = std::min(y, other.y);
        return {left, top, std::max(right(), other.right()) - left,
                std::max(bottom(), other.bottom()) - top};
    }
    [[nodiscard]] Rect at_least(float px) const { return {x, y, std::max(w, px), std::max(h, px)}; }
};

}  // namespace tilereel
