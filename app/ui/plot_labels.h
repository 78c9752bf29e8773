#pragma once
// Where the words of a plot go, so that none covers another, a marker or, if it can be helped, a
// line. Pure: no drawing. All lengths in real pixels.
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

    // The first of the candidates that lies in the room and covers neither what is kept free nor a
    // line; else the first that covers only lines; nullopt where every one covers something. What
    // is returned is kept free from then on.
    std::optional<Rect> place(std::span<const Rect> candidates);
    // Of a point, to which a line leads from the label: that line must not pass through a label
    // placed before, nor the label cover such a line.
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

// Places of a label of this size beside a point, the nearest first: right and left of it by `gap`,
// there higher and lower, and then further out, but no further than `reach`.
[[nodiscard]] std::vector<Rect> places_beside(ImVec2 point, ImVec2 size, float gap, float reach);

// Where the line from a point to its label ends: the middle of the label's nearer side.
[[nodiscard]] ImVec2 leader_end(const Rect& label, ImVec2 point);

// Whether the line from `from` to `to` has a point in common with the rectangle.
[[nodiscard]] bool line_meets(const Rect& rect, ImVec2 from, ImVec2 to);

}  // namespace tilereel
