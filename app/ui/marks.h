#pragma once
// Marks for errors: a diamond for a hazard, a cross for a wrong element. They differ in shape; the
// accent colour sets them apart from the array colours.
#include "app/ui/draw.h"

namespace tilereel {

// A filled diamond is an error, an outlined one a warning. `size`: distance between opposite
// corners in pixels.
void draw_hazard_mark(const Palette& colors, ImVec2 center, float size, bool error);
// A cross from corner to corner of `rect`. Its strokes have an outline, so that it is visible on
// any cell.
void draw_wrong_mark(const Palette& colors, const Rect& rect, float width);

}  // namespace tilereel
