#pragma once
// Places the labels of a plot so that no label covers another, a marker or, if possible, a line.
// Draws nothing. All lengths are in pixels of the screen.
#include <optional>
#include <span>
#include <vector>

#include "app/ui/draw.h"

namespace tilereel {

class LabelPlacer {
  public:
    explicit LabelPlacer(const Rect& room) : room_(room) {}

    void keep_free(const Rect& taken) { taken_.push_back(taken); }
    void avoid_line(ImVec2 from, ImVec2 to) { lines_.push_back({from, to}); }

    // Returns the first candidate inside the room that covers neither an occupied rectangle nor a
    // line; if there is none, the first that covers only lines; otherwise nullopt. The returned
    // rectangle counts as occupied afterwards.
    std::optional<Rect> place(std::span<const Rect> candidates);
    // Places the label of `point`, which is joined to the label by a leader line. The leader must
    // not cross an earlier label, and the label must not cover an earlier leader.
    std::optional<Rect> place_beside(ImVec2 point, std::span<const Rect> candidates);

  private:
    struct Line {
        ImVec2 from, to;
    };
    [[nodiscard]] bool is_free(const Rect& rect) const;
    [[nodiscard]] bool crosses_line(const Rect& rect) const;
    Rect take(const Rect& rect);
    [[nodiscard]] bool crosses_leader(const Rect& rect, ImVec2 point) const;

    Rect room_;
    std::vector<Rect> taken_, labels_;
    std::vector<Line> lines_, leaders_;
};

// Candidates for a label of this size beside a point, nearest first: to its right and left at a
// distance of `gap`, then higher and lower, then further out, up to `reach`.
[[nodiscard]] std::vector<Rect> places_beside(ImVec2 point, ImVec2 size, float gap, float reach);

// The end of the leader line at the label: the middle of the label's nearer side.
[[nodiscard]] ImVec2 leader_end(const Rect& label, ImVec2 point);

// Whether the line from `from` to `to` and the rectangle have a point in common.
[[nodiscard]] bool line_meets(const Rect& rect, ImVec2 from, ImVec2 to);

}  // namespace tilereel
