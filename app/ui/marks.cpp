#include "app/ui/marks.h"

#include <array>

#include "app/ui/draw.h"

namespace tilereel {
namespace {

void fill_diamond(ImVec2 at, float half, ImU32 color) {
    const std::array<ImVec2, 4> corners = {
        {{at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half}, {at.x - half, at.y}}};
    draw_list()->AddConvexPolyFilled(corners.data(), 4, color);
}

}  // namespace

void draw_hazard_mark(const Palette& colors, ImVec2 center, float size, bool error) {
    if (measures()) return;
    const float half = size / 2, edge = std::max(1.0f, size * 0.14f);
    fill_diamond(center, half + edge, colors.panel);
    fill_diamond(center, half, colors.accent);
    if (!error) fill_diamond(center, half - 1.4f * edge, colors.panel);
}

void draw_wrong_mark(const Palette& colors, const Rect& rect, float width) {
    if (measures()) return;
    const auto stroke = [&](ImU32 color, float thickness, float reach) {
        const Rect box = rect.inset(-reach);
        draw_list()->AddLine(box.min(), box.max(), color, thickness);
        draw_list()->AddLine({box.right(), box.y}, {box.x, box.bottom()}, color, thickness);
    };
    const float edge = std::max(1.0f, width * 0.5f);
    stroke(colors.panel, width + 2 * edge, edge);
    stroke(colors.accent, width, 0);
}

}  // namespace tilereel
