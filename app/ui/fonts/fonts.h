#pragma once
// Fonts at any pixel size. A size that is not in the atlas yet is drawn scaled from the nearest
// one, and is added before the next frame. Sizes are em sizes, as in CSS; Dear ImGui's sizes are
// line heights.
#include <imgui.h>

#include "app/ui/fonts/text_style.h"

namespace tilereel {

// `px` is rounded to a whole number, from 24 on to an even one, from 48 on to a multiple of 4. The
// result is limited to 6..200.
[[nodiscard]] ImFont* font(Face face, float px);

// A font and its metrics, in pixels at the requested size.
struct PlacedFont {
    ImFont* font = nullptr;
    float size = 0;        // argument of ImDrawList::AddText()
    float baseline = 0;    // distance from the top of the line that AddText() draws
    float cap_height = 0;  // height of the capital letters
};
[[nodiscard]] PlacedFont placed_font(Face face, float px);

// Rebuilds the atlas if requested sizes are missing from it. Call it between frames. Returns true
// if the atlas texture must be uploaded again.
bool bake_requested_fonts();
// True if the next bake_requested_fonts() will rebuild the atlas.
[[nodiscard]] bool fonts_wanted();
// Removes all sizes, so that the atlas has the same layout as in a program that has just started.
// Sizes that were not drawn lately are removed at each rebuild anyway.
void forget_fonts();

}  // namespace tilereel
