#pragma once
// The start of a flight from a cell that lies outside the visible part of its matrix.
#include <algorithm>
#include <cmath>

#include "app/stage/cell_window.h"

namespace tilereel::stage {

// The cell starts where it would be if the window were larger, so rows keep their distances and
// their order. It is not drawn before it has come out of the window's edge. Cells beyond the right
// edge fly to the right and would never come out of the edge: they unroll from it instead, growing
// to their place and width.
class CroppedStart {
  public:
    CroppedStart() = default;
    // `tile`: the cells that fly in this phase; if all of them lie beyond the edge, they start next
    // to it. `target`: the cell in which it lands.
    CroppedStart(const CellWindow& matrix, Element at, const CellRect& tile, const Rect& target)
        : window_(matrix.window), cell_(matrix.cell(at)), target_(target) {
        const Rect all = matrix.cells(tile);
        beyond_ = {beyond(cell_.center().x, window_.x, window_.right(), all.x, all.right()),
                   beyond(cell_.center().y, window_.y, window_.bottom(), all.y, all.bottom())};
        // Outside the window cells have the size and the distances of the target, if those are
        // less.
        if (beyond_.x < 0) cell_.w = std::min(cell_.w, target.w);
        if (beyond_.y != 0) cell_.h = std::min(cell_.h, target.h);
        if (beyond_.x < 0) beyond_.x *= cell_.w / matrix.pitch_x;
        beyond_.y *= cell_.h / matrix.pitch_y;
        const ImVec2 edge{std::clamp(cell_.center().x, window_.x, window_.right()),
                          std::clamp(cell_.center().y, window_.y, window_.bottom())};
        cell_ = Rect::around({edge.x + beyond_.x, edge.y + beyond_.y}, cell_.size());
    }

    [[nodiscard]] bool cropped() const { return beyond_.x != 0 || beyond_.y != 0; }
    [[nodiscard]] const Rect& cell() const { return cell_; }
    // Whether the cell can leave the window's upper or lower edge and then turn to the target.
    [[nodiscard]] bool leaves_upright() const {
        return beyond_.y != 0 && (beyond_.y > 0) == (target_.center().y < edge_y());
    }
    [[nodiscard]] bool unrolls_at(float t) const { return beyond_.x > 0 && t < kUnrolled; }
    // The rectangle at time t of a cell that unrolls. `rect`: where it would be without unrolling.
    // `share`: the share of its way along x that is done.
    [[nodiscard]] Rect unrolled(float t, float share, const Rect& rect) const {
        if (!unrolls_at(t)) return rect;
        const float still = (1 - share) * (1 - unrolls(t));
        const float w = (1 - share) * cell_.w + share * target_.w;
        const ImVec2 at = rect.center();
        return Rect::around({at.x - beyond_.x * still, at.y},
                            {rect.w * (1 - still * cell_.w / w), rect.h});
    }
    // Whether the cell, at `rect`, has come out of the edge.
    [[nodiscard]] bool is_out(float t, const Rect& rect) const {
        if (t >= kOutAnyway || !cropped()) return true;
        if (beyond_.x > 0 && unrolls(t) < kReadable) return false;
        if (beyond_.x < 0 && rect.x < window_.x) return false;
        if (beyond_.y == 0) return true;
        if (!leaves_upright()) return rect.x >= window_.right();
        return beyond_.y > 0 ? rect.bottom() <= edge_y() : rect.y >= edge_y();
    }

  private:
    static constexpr float kUnrolled = 0.15f;  // share of the time at which it has unrolled
    static constexpr float kReadable = 0.7f;   // share of its width from which it is drawn
    static constexpr float kOutAnyway = 0.6f;  // share of the time from which it is always drawn

    // The distance from the window's edge, less the one of the nearest cell that flies.
    static float beyond(float at, float low, float high, float first, float last) {
        if (at > high) return at - high - std::max(0.0f, first - high);
        if (at < low) return at - low + std::max(0.0f, low - last);
        return 0;
    }
    static float unrolls(float t) {
        const float s = std::clamp(t / kUnrolled, 0.0f, 1.0f);
        return s * s * (3 - 2 * s);
    }
    [[nodiscard]] float edge_y() const { return beyond_.y > 0 ? window_.bottom() : window_.y; }

    Rect window_{}, cell_{}, target_{};
    ImVec2 beyond_{};
};

}  // namespace tilereel::stage
