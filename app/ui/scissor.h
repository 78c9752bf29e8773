#pragma once
// For callbacks in a draw list that Dear ImGui's OpenGL backend renders.
#include <imgui.h>

namespace tilereel {

// Restricts drawing to `clip` (left, top, right, bottom, in pixels from the display's top left
// corner). False if nothing of it is on the display.
bool set_scissor(const ImVec4& clip);

}  // namespace tilereel
