#pragma once
// Draws cells into a vector picture, with the same looks as shaders/cell_looks.glsl.
#include <cairo.h>

#include "app/ui/cells/cell_renderer.h"

namespace tilereel {

void set_source(cairo_t* picture, ImU32 color, double alpha = 1);
void draw_vector_cells(cairo_t* picture, const QueuedGrid& queued);
void draw_vector_cells(cairo_t* picture, const QueuedMoving& queued);

}  // namespace tilereel
