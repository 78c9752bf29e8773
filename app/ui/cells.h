#pragma once
// Cells by the thousand: a matrix is one quad whose fragment shader draws every cell from a small
// texture; what moves is instanced quads. Both are queued on an ImDrawList, in order with the rest,
// and drawn by CellRenderer when the list is rendered (nothing happens where there is no GL).
#include <imgui.h>

#include <vector>

#include "app/ui/cell_grid.h"
#include "app/ui/theme.h"

namespace tilereel {

// Queue on `list`; the data is kept until the next new_frame_of_cells().
void add_cell_grid(ImDrawList* list, const Look& look, CellGrid grid);
void add_moving_cells(ImDrawList* list, const Look& look, std::vector<MovingCell> cells);
void new_frame_of_cells();

// What a draw command queued with add_cell_grid() or add_moving_cells() draws; nullptr: another
// command.
struct QueuedGrid;  // app/ui/cell_renderer.h, as is the next
struct QueuedMoving;
[[nodiscard]] const QueuedGrid* queued_grid(const ImDrawCmd& command);
[[nodiscard]] const QueuedMoving* queued_moving(const ImDrawCmd& command);

}  // namespace tilereel
