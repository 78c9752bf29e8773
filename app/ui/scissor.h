#pragma once
// Inside a callback of a draw list that Dear ImGui's OpenGL backend renders.
#include <imgui.h>

namespace tilereel {

// Limits drawing to `clip` (pixels from the display's top left: left, top, right, bottom); false if
// nothing of it is on the display.
bool set_scissor(const ImVec4& clip);

}  // namespace tilereel
