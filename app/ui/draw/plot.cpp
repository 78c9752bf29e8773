#include "app/ui/draw/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/draw/kept_shapes.h"

namespace tilereel {
namespace {

// Lengths of dashes and gaps, as multiples of the line's width. Empty for a solid line.
std::span<const float> pattern_of(Dash dash) {
    static constexpr std::array<float, 2> kDashed = {3.5f, 2.2f}, kDotted = {1.0f, 2.0f};
    static constexpr std::array<float, 4> kDashDot = {4.5f, 2.0f, 1.0f, 2.0f};
    static constexpr std::array<std::span<const float>, 4> kByDash = {
        {{}, kDashed, kDotted, kDashDot}};
    return kByDash[static_cast<std::size_t>(dash)];
}

// The corners of a marker, in half sizes from its centre. Empty for circles and crosses.
std::span<const ImVec2> corners_of(Marker marker) {
    static const std::array<ImVec2, 4> kSquare = {
        {{-0.8f, -0.8f}, {0.8f, -0.8f}, {0.8f, 0.8f}, {-0.8f, 0.8f}}};
    static const std::array<ImVec2, 4> kDiamond = {{{0, -1.1f}, {1.1f, 0}, {0, 1.1f}, {-1.1f, 0}}};
    static const std::array<ImVec2, 3> kUp = {{{-1, 0.8f}, {0, -1}, {1, 0.8f}}};
    static const std::array<ImVec2, 3> kDown = {{{-1, -0.8f}, {0, 1}, {1, -0.8f}}};
    static const std::array<std::span<const ImVec2>, 10> kByMarker = {
        {{}, kSquare, kSquare, kDiamond, kDiamond, {}, {}, kUp, kDown, {}}};
    return kByMarker[static_cast<std::size_t>(marker)];
}

void draw_cross(ImVec2 c, float half, bool upright, ImU32 color, float stroke) {
    const float d = upright ? half : 0.72f * half, s = upright ? 0 : d;
    draw_list()->AddLine({c.x - d, c.y - s}, {c.x + d, c.y + s}, color, stroke);
    draw_list()->AddLine({c.x - s, c.y + d}, {c.x + s, c.y - d}, color, stroke);
}

}  // namespace

ImVec2 PlotArea::at(double x_value, double y_value) const {
    // Values far outside the area are clamped, so that the coordinates stay small enough to draw.
    const auto place = [](double share) {
        return static_cast<float>(std::clamp(share, -9.0, 9.0));
    };
    return {rect.x + rect.w * place(x.share(x_value)),
            rect.bottom() - rect.h * place(y.share(y_value))};
}

void draw_marker(Marker marker, ImVec2 c, float size, ImU32 color, ImU32 ground) {
    const float half = size / 2, stroke = std::max(1.5f, size / 6);
    if (marker == Marker::kCross || marker == Marker::kPlus)
        return draw_cross(c, half, marker == Marker::kPlus, color, 1.25f * stroke);
    const bool open = marker == Marker::kSquareOpen || marker == Marker::kDiamondOpen ||
                      marker == Marker::kCircleOpen || marker == Marker::kTriangleOpen;
    const std::span<const ImVec2> corners = corners_of(marker);
    const auto outline = [&] {
        for (const ImVec2& at : corners)
            draw_list()->PathLineTo({c.x + half * at.x, c.y + half * at.y});
        if (corners.empty()) draw_list()->PathArcTo(c, 0.93f * half, 0, 6.2831853f * 23 / 24, 23);
    };
    outline();
    draw_list()->PathFillConvex(open ? ground : color);
    if (!open) return;
    outline();
    stroke_path(color, stroke, true);
}

void draw_dashed(std::span<const ImVec2> points, ImU32 color, float width, Dash dash) {
    const std::span<const float> pattern = pattern_of(dash);
    if (pattern.empty()) {
        for (const ImVec2& at : points) draw_list()->PathLineTo(at);
        stroke_path(color, width);
        return;
    }
    const float unit = std::max(width, 1.5f);
    constexpr float kShortest = 0.01f;  // pixels; the rest of a dash or gap under this length is
                                        // skipped, so that `at` always advances
    std::size_t part = 0;
    float left = pattern[0] * unit;  // length left of the current dash or gap
    for (std::size_t i = 1; i < points.size(); ++i) {
        const ImVec2 from = points[i - 1], to = points[i];
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        for (float at = 0; at < length;) {
            const float end = std::min(length, at + left);
            const auto point = [&](float d) {
                return ImVec2{from.x + (to.x - from.x) * d / length,
                              from.y + (to.y - from.y) * d / length};
            };
            if (part % 2 == 0) draw_list()->AddLine(point(at), point(end), color, width);
            left -= end - at;
            at = end;
            if (left <= kShortest) {
                part = (part + 1) % pattern.size();
                left = pattern[part] * unit;
            }
        }
    }
}

float y_labels_width(const Axis& y, const GridStyle& style) {
    return widest(ticks_of(y, style.most_y), Face::kMono, style.px, style.y_label) + style.px;
}

void draw_grid(const Look& look, const PlotArea& area, const GridStyle& style) {
    const Palette& colors = look.colors();
    const Rect& rect = area.rect;
    const float line = std::max(1.0f, look.line());
    const ImU32 faint = mix(colors.panel, colors.line, 0.6f);
    std::vector<double> xs(style.x_ticks.begin(), style.x_ticks.end());
    if (xs.empty()) xs = ticks_of(area.x, style.most_x);
    float free_from = -1e9f;  // a label that would overlap the previous one is left out
    for (const double tick : xs) {
        const float x = std::round(area.at(tick, area.y.low).x);
        if (x < rect.x - 1 || x > rect.right() + 1) continue;
        draw_list()->AddRectFilled({x, rect.y}, {x + line, rect.bottom()}, faint);
        const std::string label = style.x_label(tick);
        const float half = text_width(label, Face::kMono, style.px) / 2;
        if (x - half < free_from) continue;
        draw_text({x, rect.bottom() + 1.25f * style.px}, label,
                  {Face::kMono, style.px, colors.ink2, Align::kCenter});
        free_from = x + half + 0.6f * style.px;
    }
    for (const double tick : ticks_of(area.y, style.most_y)) {
        const float y = std::round(area.at(area.x.low, tick).y);
        draw_list()->AddRectFilled({rect.x, y}, {rect.right(), y + line}, faint);
        draw_text({rect.x - 0.7f * style.px, y}, style.y_label(tick),
                  {Face::kMono, style.px, colors.ink2, Align::kRight});
    }
}

std::optional<std::size_t> nearest_point(std::span<const ImVec2> points, ImVec2 mouse,
                                         float reach) {
    std::optional<std::size_t> nearest;
    float least = reach;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float distance = std::hypot(points[i].x - mouse.x, points[i].y - mouse.y);
        if (distance > least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

}  // namespace tilereel
