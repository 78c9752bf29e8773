#pragma once
// A drawing for the introduction of kernels whose speed depends on register banks: the two banks,
// the reuse cache, and the order of multiply-adds that uses them best.
#include "app/ui/draw.h"
#include "app/ui/theme.h"

namespace tilereel {

[[nodiscard]] float register_banks_height(float px);  // height in pixels; px: font size
// Draws from the top left corner `at`, `width` pixels wide.
void draw_register_banks(const Look& look, ImVec2 at, float width, float px);

}  // namespace tilereel
