#pragma once
// A rectangle of whole pixels, or of tiles of pixels, y downwards.
#include <algorithm>

namespace tilereel {

struct PixelRect {  // left and top are inclusive, right and bottom exclusive
    int left = 0, top = 0, right = 0, bottom = 0;
    [[nodiscard]] bool empty() const { return left >= right || top >= bottom; }
    [[nodiscard]] int area() const { return (right - left) * (bottom - top); }
    bool operator==(const PixelRect&) const = default;
};

[[nodiscard]] inline PixelRect intersection(const PixelRect& a, const PixelRect& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
            std::min(a.bottom, b.bottom)};
}

[[nodiscard]] inline PixelRect bounding_box(const PixelRect& a, const PixelRect& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

}  // namespace tilereel
