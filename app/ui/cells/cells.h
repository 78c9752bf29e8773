#pragma once
// Draws thousands of cells. A matrix is one quad: its fragment shader draws every cell from a small
// texture. Moving cells are drawn as two triangles each. Both are queued as callbacks on an
// ImDrawList, so they keep the drawing order. CellRenderer draws them when the list is rendered;
// without OpenGL nothing is drawn.
#include <imgui.h>

#include <vector>

#include "app/ui/cells/cell_grid.h"
#include "app/ui/theme.h"

namespace tilereel {

// Both functions queue on draw_list(). The data lives until the next new_frame_of_cells().
void add_cell_grid(const Look& look, CellGrid grid);
void add_moving_cells(const Look& look, std::vector<MovingCell> cells);
void new_frame_of_cells();

// The cells that a draw command of add_cell_grid() or add_moving_cells() draws. nullptr for any
// other command.
struct QueuedGrid;  // both are defined in app/ui/cells/cell_renderer.h
struct QueuedMoving;
[[nodiscard]] const QueuedGrid* queued_grid(const ImDrawCmd& command);
[[nodiscard]] const QueuedMoving* queued_moving(const ImDrawCmd& command);

}  // namespace tilereel
