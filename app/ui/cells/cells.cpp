#include "app/ui/cells/cells.h"

#include <cmath>
#include <utility>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/draw/draw.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

CellQueue g_queue;  // of the current frame; callbacks hold pointers into it

// Whether the previous command drew the same cells with another clip rectangle. Then OpenGL's state
// is already set.
bool continues_previous(const ImDrawList& list, const ImDrawCmd& command) {
    if (&command == list.CmdBuffer.Data) return false;
    const ImDrawCmd& before = *(&command - 1);
    return before.UserCallback == command.UserCallback &&
           before.UserCallbackData == command.UserCallbackData;
}

// The callback of a draw command. `Queued` is QueuedGrid or QueuedMoving.
template <class Queued>
void draw_queued(const ImDrawList* list, const ImDrawCmd* command) {
    CellRenderer* const renderer = CellRenderer::current();
    if (renderer == nullptr) return;
    if (!continues_previous(*list, *command))
        renderer->prepare(*static_cast<const Queued*>(command->UserCallbackData));
    renderer->draw(command->ClipRect);
}

}  // namespace

const QueuedGrid* queued_grid(const ImDrawCmd& command) {
    return command.UserCallback == draw_queued<QueuedGrid>
               ? static_cast<const QueuedGrid*>(command.UserCallbackData)
               : nullptr;
}

const QueuedMoving* queued_moving(const ImDrawCmd& command) {
    return command.UserCallback == draw_queued<QueuedMoving>
               ? static_cast<const QueuedMoving*>(command.UserCallbackData)
               : nullptr;
}

Rect cell_rect(const CellGrid& grid, std::uint32_t row, std::uint32_t column) {
    const float gap = std::min(grid.pitch_x, grid.pitch_y) < 6.0f ? 0.0f : std::round(grid.gap);
    const float before = std::floor(gap / 2);
    const auto edge = [](float at, float pitch, std::uint32_t index) {
        return std::floor(at + pitch * static_cast<float>(index) + 0.5f);
    };
    const float x0 = edge(grid.at.x, grid.pitch_x, column) + before;
    const float y0 = edge(grid.at.y, grid.pitch_y, row) + before;
    const float x1 = edge(grid.at.x, grid.pitch_x, column + 1) + before - gap;
    const float y1 = edge(grid.at.y, grid.pitch_y, row + 1) + before - gap;
    return {x0, y0, x1 - x0, y1 - y0};
}

void add_cell_grid(const Look& look, CellGrid grid) {
    check(grid.cells.size() == std::size_t{grid.rows} * grid.columns);
    if (grid.cells.empty() || grid.pitch_x <= 0 || grid.pitch_y <= 0) return;
    // kConflictCurrent is larger than its cell, so it is drawn on top of the neighbouring cells.
    std::vector<MovingCell> larger;
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        Cell& cell = grid.cells[i];
        if (cell.look != CellLook::kConflictCurrent) continue;
        const auto row = static_cast<std::uint32_t>(i / grid.columns);
        const auto column = static_cast<std::uint32_t>(i % grid.columns);
        larger.push_back({cell_rect(grid, row, column), cell.look, cell.role,
                          static_cast<std::uint8_t>(255 - cell.dim), grid.radius});
        cell.look = CellLook::kNothing;
    }
    QueuedGrid& queued = g_queue.grids.emplace_back(
        QueuedGrid{std::move(grid), look.theme, look.scale, g_queue.grids.size()});
    draw_list()->AddCallback(draw_queued<QueuedGrid>, &queued);
    draw_list()->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    if (!larger.empty()) add_moving_cells(look, std::move(larger));
}

void add_moving_cells(const Look& look, std::vector<MovingCell> cells) {
    if (cells.empty()) return;
    QueuedMoving& queued =
        g_queue.moving.emplace_back(QueuedMoving{std::move(cells), look.theme, look.scale});
    draw_list()->AddCallback(draw_queued<QueuedMoving>, &queued);
    draw_list()->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void new_frame_of_cells() {
    g_queue.grids.clear();
    g_queue.moving.clear();
}

}  // namespace tilereel
