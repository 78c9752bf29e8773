#include "app/ui/plot_labels.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

// Liang and Barsky, "A New Concept and Method for Line Clipping", 1984: clips the line to each of
// the four sides in turn.
bool line_meets(const Rect& rect, ImVec2 from, ImVec2 to) {
    const float dx = to.x - from.x, dy = to.y - from.y;
    float enter = 0, leave = 1;
    const auto clip = [&](float direction, float distance) {
        if (direction == 0) return distance >= 0;
        const float at = distance / direction;
        if (direction < 0)
            enter = std::max(enter, at);
        else
            leave = std::min(leave, at);
        return enter <= leave;
    };
    return clip(-dx, from.x - rect.x) && clip(dx, rect.right() - from.x) &&
           clip(-dy, from.y - rect.y) && clip(dy, rect.bottom() - from.y);
}

bool LabelPlacer::is_free(const Rect& rect) const {
    if (rect.x < room_.x || rect.right() > room_.right() || rect.y < room_.y ||
        rect.bottom() > room_.bottom())
        return false;
    return std::ranges::none_of(taken_, [&](const Rect& each) { return overlap(each, rect); });
}

bool LabelPlacer::crosses_line(const Rect& rect) const {
    return std::ranges::any_of(
        lines_, [&](const Line& line) { return line_meets(rect, line.from, line.to); });
}

bool LabelPlacer::crosses_leader(const Rect& rect, ImVec2 point) const {
    const ImVec2 end = leader_end(rect, point);
    return std::ranges::any_of(labels_,
                               [&](const Rect& label) { return line_meets(label, point, end); }) ||
           std::ranges::any_of(
               leaders_, [&](const Line& line) { return line_meets(rect, line.from, line.to); });
}

Rect LabelPlacer::take(const Rect& rect) {
    taken_.push_back(rect);
    labels_.push_back(rect);
    return rect;
}

std::optional<Rect> LabelPlacer::place(std::span<const Rect> candidates) {
    const Rect* over_lines = nullptr;
    for (const Rect& candidate : candidates) {
        if (!is_free(candidate)) continue;
        if (!crosses_line(candidate)) return take(candidate);
        if (over_lines == nullptr) over_lines = &candidate;
    }
    if (over_lines == nullptr) return std::nullopt;
    return take(*over_lines);
}

std::optional<Rect> LabelPlacer::place_beside(ImVec2 point, std::span<const Rect> candidates) {
    std::vector<Rect> clear;
    for (const Rect& candidate : candidates)
        if (is_free(candidate) && !crosses_leader(candidate, point)) clear.push_back(candidate);
    const auto placed = place(clear);
    if (placed) leaders_.push_back({point, leader_end(*placed, point)});
    return placed;
}

ImVec2 leader_end(const Rect& label, ImVec2 point) {
    return {label.center().x < point.x ? label.right() : label.x, label.center().y};
}

std::vector<Rect> places_beside(ImVec2 point, ImVec2 size, float gap, float reach) {
    struct Place {
        Rect rect;
        float cost = 0;
    };
    constexpr int kSteps = 3;  // distances from the point
    const int rows = static_cast<int>(std::max(0.0f, reach) / size.y);
    std::vector<Place> places;
    for (int step = 0; step < kSteps; ++step)
        for (const bool left : {false, true})
            for (int row = -rows; row <= rows; ++row) {
                const float out = gap + static_cast<float>(3 * step) * size.y;
                const float x = left ? point.x - out - size.x : point.x + out;
                const float y = point.y + (static_cast<float>(row) - 0.5f) * size.y;
                // A place at the left costs as much as one row of distance: a label reads best to
                // the right of its marker.
                const float cost = std::hypot(static_cast<float>(row) * size.y, out) +
                                   (left ? size.y : 0.0f) + (row < 0 ? 0.0f : 0.01f);
                places.push_back({{x, y, size.x, size.y}, cost});
            }
    std::ranges::stable_sort(places, {}, &Place::cost);
    std::vector<Rect> rects;
    for (const Place& place : places) rects.push_back(place.rect);
    return rects;
}

}  // namespace tilereel
