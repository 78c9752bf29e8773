#pragma once
// Parts of a plot: the grid and labels of two axes, dashed lines, and markers. All lengths are in
// pixels of the screen.
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/ui/draw/draw.h"
#include "app/ui/draw/plot_axis.h"

namespace tilereel {

// The rectangle between the axes; y grows upwards.
struct PlotArea {
    Rect rect;
    Axis x, y;
    [[nodiscard]] ImVec2 at(double x_value, double y_value) const;
};

enum class Marker : std::uint8_t {
    kCross,
    kSquare,
    kSquareOpen,
    kDiamond,
    kDiamondOpen,
    kCircle,
    kCircleOpen,
    kTriangle,
    kTriangleOpen,  // points down
    kPlus
};
enum class Dash : std::uint8_t { kSolid, kDashed, kDotted, kDashDot };

struct LineStyle {
    ImU32 color = 0;
    Marker marker = Marker::kCircle;
    Dash dash = Dash::kSolid;
    float width = 2;
};

// `size` is the marker's height. Open markers are filled with `ground`.
void draw_marker(Marker marker, ImVec2 center, float size, ImU32 color, ImU32 ground);
// Draws a polyline. The dash pattern continues across its corners.
void draw_dashed(std::span<const ImVec2> points, ImU32 color, float width, Dash dash);

struct GridStyle {
    float px = 14;  // font size of the labels
    int most_x = 8, most_y = 9;
    std::function<std::string(double)> x_label = axis_label, y_label = axis_label;
    std::span<const double> x_ticks;  // replace the round numbers, if not empty
};
// Grid lines, and labels below and left of the area.
void draw_grid(const Look& look, const PlotArea& area, const GridStyle& style);
// The width of the y axis's labels, including their gap to the axis.
[[nodiscard]] float y_labels_width(const Axis& y, const GridStyle& style);

// The index of the point nearest to `mouse`. nullopt if none is within `reach`.
[[nodiscard]] std::optional<std::size_t> nearest_point(std::span<const ImVec2> points, ImVec2 mouse,
                                                       float reach);

}  // namespace tilereel
