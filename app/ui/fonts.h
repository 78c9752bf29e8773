#pragma once
// Faces at the pixel sizes asked for. A size that is not baked yet is drawn from the nearest one
// and baked before the next frame. Sizes are em sizes, as in CSS, not Dear ImGui's line heights.
#include <imgui.h>

#include "app/ui/face.h"

namespace tilereel {

// `px` is rounded to a whole pixel, from 24 on to an even one, from 48 on to one in four.
[[nodiscard]] ImFont* font(Face face, float px);

// A font and how to place it. Lengths in pixels for the size asked for.
struct PlacedFont {
    ImFont* font = nullptr;
    float size = 0;        // to pass to ImDrawList::AddText
    float baseline = 0;    // from the top of the line that AddText draws
    float cap_height = 0;  // of the capital letters
};
[[nodiscard]] PlacedFont placed_font(Face face, float px);

// Rebuilds the atlas if sizes were asked for that it lacks; call between frames. True if the GPU's
// copy of the atlas must be made anew.
bool bake_requested_fonts();
// True if the next bake_requested_fonts() has something to do.
[[nodiscard]] bool fonts_wanted();
// Forgets all sizes: the atlas is then packed as by a program that has just begun. Sizes that were
// not asked for lately are forgotten anyway.
void forget_fonts();

}  // namespace tilereel
