#pragma once
// A drawing for the introduction of kernels whose speed hangs on it: the two register banks, the
// reuse cache, and the order of multiply-adds that makes use of them.
#include "app/ui/draw.h"
#include "app/ui/theme.h"

namespace tilereel {

[[nodiscard]] float register_banks_height(float px);  // px: size of type
// From the top left corner on, as wide as `width`.
void draw_register_banks(const Look& look, ImDrawList* list, ImVec2 at, float width, float px);

}  // namespace tilereel
