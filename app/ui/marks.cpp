#include "app/ui/marks.h"

#include <array>

namespace tilereel {
namespace {

std::array<ImVec2, 4> diamond(ImVec2 center, float half) {
    return {{{center.x, center.y - half},
             {center.x + half, center.y},
             {center.x, center.y + half},
             {center.x - half, center.y}}};
}

void fill_diamond(ImDrawList* list, ImVec2 center, float half, ImU32 color) {
    const std::array<ImVec2, 4> corners = diamond(center, half);
    list->AddConvexPolyFilled(corners.data(), 4, color);
}

}  // namespace

void draw_hazard_mark(ImDrawList* list, const Palette& colors, ImVec2 center, float size,
                      bool error) {
    const float half = size / 2, edge = std::max(1.0f, size * 0.14f);
    fill_diamond(list, center, half + edge, colors.panel);
    fill_diamond(list, center, half, colors.accent);
    if (!error)
        fill_diamond(list, center, half - 1.4f * std::max(1.0f, size * 0.14f), colors.panel);
}

void draw_wrong_mark(ImDrawList* list, const Palette& colors, const Rect& rect, float width) {
    const auto stroke = [&](ImU32 color, float thickness, float reach) {
        const Rect box = rect.inset(-reach);
        list->AddLine(box.min(), box.max(), color, thickness);
        list->AddLine({box.right(), box.y}, {box.x, box.bottom()}, color, thickness);
    };
    const float edge = std::max(1.0f, width * 0.5f);
    stroke(colors.panel, width + 2 * edge, edge);
    stroke(colors.accent, width, 0);
}

}  // namespace tilereel
