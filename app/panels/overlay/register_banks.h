#pragma once
// A part of the introduction of kernels whose speed depends on register banks: where the operands
// of a multiply-add come from, and the order of multiply-adds that uses the reuse cache best.
#include "app/ui/draw.h"

namespace tilereel {

// Draws from the top left corner of `rect`; px: font size. Returns the height in pixels.
float draw_register_banks(const Look& look, const Rect& rect, float px);

}  // namespace tilereel
