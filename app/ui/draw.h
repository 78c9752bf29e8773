#pragma once
// Drawing on an ImDrawList in the house look: text centred on its capitals, rounded rects, dashes,
// hatches, icons. All lengths in real pixels; multiply by Look::px() first.
#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/ui/fonts.h"
#include "app/ui/theme.h"
#include "instrumentation/base/with_commas.h"

namespace tilereel {

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    [[nodiscard]] float right() const { return x + w; }
    [[nodiscard]] float bottom() const { return y + h; }
    [[nodiscard]] ImVec2 min() const { return {x, y}; }
    [[nodiscard]] ImVec2 max() const { return {x + w, y + h}; }
    [[nodiscard]] ImVec2 center() const { return {x + w / 2, y + h / 2}; }
    [[nodiscard]] bool contains(ImVec2 p) const {
        return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h;
    }
    [[nodiscard]] Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
};

enum class Align { kLeft, kCenter, kRight };

struct TextStyle {
    Face face = Face::kRegular;
    float px = 14;
    ImU32 color = 0;
    Align align = Align::kLeft;
};
[[nodiscard]] float text_width(std::string_view text, Face face, float px);
// `at.x` is the left edge, centre or right edge by align; `at.y` the middle of the capital letters.
// Returns the width.
float draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style);
// As draw_text, but cut with an ellipsis to fit `width`.
float draw_text_fit(ImDrawList* list, ImVec2 at, float width, std::string_view text,
                    const TextStyle& style);

void fill_rect(ImDrawList* list, const Rect& rect, ImU32 color, float radius = 0);
void stroke_rect(ImDrawList* list, const Rect& rect, ImU32 color, float width, float radius = 0);
void dashed_rect(ImDrawList* list, const Rect& rect, ImU32 color, float width, float dash);
void hatch_rect(ImDrawList* list, const Rect& rect, ImU32 color, float spacing);  // 45 degrees

enum class Icon {
    kLoad,
    kWait,
    kCompute,
    kDone,
    kPlay,
    kPause,
    kStart,
    kEnd,
    kBack,
    kForward,
    kTheme,
    kFullScreen,
    kChevron,
    kClose
};
void draw_icon(ImDrawList* list, Icon icon, ImVec2 center, float size, ImU32 color, float stroke);

}  // namespace tilereel
