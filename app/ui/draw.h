#pragma once
// Draws on an ImDrawList: text centred on its capital letters, rounded rectangles, dashes, hatches,
// icons. All lengths are in pixels of the screen; multiply units by Look::px() first.
#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/ui/fonts.h"
#include "app/ui/rect.h"
#include "app/ui/text_style.h"
#include "app/ui/theme.h"
#include "instrumentation/base/with_commas.h"

namespace tilereel {

[[nodiscard]] float text_width(std::string_view text, Face face, float px);
// `at.x` is the left edge, centre or right edge, depending on the style's alignment. `at.y` is the
// middle of the capital letters. Returns the width.
float draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style);
// As draw_text, but cut with an ellipsis to fit `width`.
float draw_text_fit(ImDrawList* list, ImVec2 at, float width, std::string_view text,
                    const TextStyle& style);

// Returns the style with a smaller font if the text is wider than `width`.
[[nodiscard]] TextStyle shrunk(TextStyle style, std::string_view text, float width);

void fill_rect(ImDrawList* list, const Rect& rect, ImU32 color, float radius = 0);
void stroke_rect(ImDrawList* list, const Rect& rect, ImU32 color, float width, float radius = 0);
void dashed_rect(ImDrawList* list, const Rect& rect, ImU32 color, float width, float dash);
void hatch_rect(ImDrawList* list, const Rect& rect, ImU32 color, float spacing);  // 45 degrees
// A thin horizontal line from `from` to the right.
void draw_rule(ImDrawList* list, const Look& look, ImVec2 from, float width);
// The background of a tip or a card that is drawn over the picture.
void draw_raised_box(ImDrawList* list, const Look& look, const Rect& rect);
// The background of a row in a list. The chosen row is tinted and has a border; the hovered row is
// lighter.
void draw_row_mark(ImDrawList* list, const Look& look, const Rect& row, bool chosen, bool hovered);

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
