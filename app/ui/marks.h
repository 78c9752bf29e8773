#pragma once
// Marks for what is wrong: a diamond for a hazard, a cross for a wrong element. Told by shape; the
// accent colour sets them off from the roles.
#include "app/ui/draw.h"

namespace tilereel {

// Solid: an error. Hollow: a warning. `size`: from corner to corner.
void draw_hazard_mark(ImDrawList* list, const Palette& colors, ImVec2 center, float size,
                      bool error);
// Two strokes from corner to corner of `rect`, edged so that they stand out on any cell.
void draw_wrong_mark(ImDrawList* list, const Palette& colors, const Rect& rect, float width);

}  // namespace tilereel
