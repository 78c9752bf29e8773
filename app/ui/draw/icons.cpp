#include <algorithm>

#include "app/ui/draw/draw.h"
#include "app/ui/draw/kept_shapes.h"

namespace tilereel {
namespace {

// Draws lines in coordinates from -1 to 1 around the icon's centre.
struct Pen {
    ImVec2 center;
    float half;
    ImU32 color;
    float stroke;

    [[nodiscard]] ImVec2 at(float x, float y) const {
        return {center.x + x * half, center.y + y * half};
    }
    void line(std::initializer_list<ImVec2> points) const {
        for (const ImVec2& p : points) draw_list()->PathLineTo(at(p.x, p.y));
        stroke_path(color, stroke);
    }
    void bar(float x0, float y0, float x1, float y1) const {
        draw_list()->AddRectFilled(at(x0, y0), at(x1, y1), color, half * 0.08f);
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const {
        draw_list()->AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), color);
    }
};

void draw_theme(const Pen& pen) {
    draw_list()->AddCircle(pen.center, pen.half * 0.85f, pen.color, 32, pen.stroke);
    draw_list()->PathArcTo(pen.center, pen.half * 0.85f, -1.5708f, 1.5708f, 24);
    draw_list()->PathFillConvex(pen.color);
}

void draw_corners(const Pen& pen) {
    constexpr float kOut = 0.85f, kIn = 0.3f;
    pen.line({{-kOut, -kIn}, {-kOut, -kOut}, {-kIn, -kOut}});
    pen.line({{kIn, -kOut}, {kOut, -kOut}, {kOut, -kIn}});
    pen.line({{kOut, kIn}, {kOut, kOut}, {kIn, kOut}});
    pen.line({{-kIn, kOut}, {-kOut, kOut}, {-kOut, kIn}});
}

}  // namespace

void draw_icon(Icon icon, ImVec2 center, float size, ImU32 color, float stroke) {
    if (measures()) return;
    const Pen pen{center, size / 2, color, std::max(stroke, 1.0f)};
    switch (icon) {
        case Icon::kLoad:  // an arrow down onto a line
            pen.line({{0, -0.9f}, {0, 0.35f}});
            pen.line({{-0.5f, -0.15f}, {0, 0.35f}, {0.5f, -0.15f}});
            pen.line({{-0.7f, 0.85f}, {0.7f, 0.85f}});
            break;
        case Icon::kWait:
        case Icon::kPause:
            pen.bar(-0.65f, -0.8f, -0.2f, 0.8f);
            pen.bar(0.2f, -0.8f, 0.65f, 0.8f);
            break;
        case Icon::kCompute:
            pen.line({{-0.65f, -0.65f}, {0.65f, 0.65f}});
            pen.line({{-0.65f, 0.65f}, {0.65f, -0.65f}});
            break;
        case Icon::kDone:
            pen.line({{-0.8f, 0.05f}, {-0.25f, 0.6f}, {0.8f, -0.6f}});
            break;
        case Icon::kPlay:
            pen.triangle({-0.6f, -0.85f}, {0.85f, 0}, {-0.6f, 0.85f});
            break;
        case Icon::kStart:
            pen.bar(-0.8f, -0.8f, -0.5f, 0.8f);
            pen.triangle({0.75f, 0.8f}, {-0.4f, 0}, {0.75f, -0.8f});
            break;
        case Icon::kEnd:
            pen.bar(0.5f, -0.8f, 0.8f, 0.8f);
            pen.triangle({-0.75f, -0.8f}, {0.4f, 0}, {-0.75f, 0.8f});
            break;
        case Icon::kBack:
            pen.line({{0.3f, -0.7f}, {-0.4f, 0}, {0.3f, 0.7f}});
            break;
        case Icon::kForward:
            pen.line({{-0.3f, -0.7f}, {0.4f, 0}, {-0.3f, 0.7f}});
            break;
        case Icon::kTheme:
            draw_theme(pen);
            break;
        case Icon::kFullScreen:
            draw_corners(pen);
            break;
        case Icon::kClose:
            pen.line({{-0.6f, -0.6f}, {0.6f, 0.6f}});
            pen.line({{-0.6f, 0.6f}, {0.6f, -0.6f}});
            break;
    }
}

}  // namespace tilereel
