// A small map of all of A, B and C that marks the visible part.
#include <algorithm>
#include <cmath>

#include "app/stage/block_map.h"
#include "app/stage/matrix_parts.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr float kThinnest = 2;  // pixels; a mark on the map must be visible

// Marks the recorded blocks of a launch that was recorded in part, and the block being recorded.
void mark_recorded(Scene& scene, const CellWindow& map) {
    constexpr std::size_t kMostMarks = 4096;
    const std::vector<std::uint32_t>& chosen = scene.trace.chosen_blocks;
    const Launch& launch = scene.trace.launch;
    const auto cells_of = [&](std::uint32_t block) {
        return scene.plan.blocks().at(block % launch.grid.x, block / launch.grid.x, launch);
    };
    const std::size_t apart = chosen.size() / kMostMarks + 1;
    for (std::size_t i = 0; i < chosen.size(); i += apart)
        if (const CellRect cells = cells_of(chosen[i]); !cells.empty())
            fill_rect(map.mark(cells, kThinnest), scene.colors().c_tint);
    if (const auto asked = asked_block(scene))
        if (const CellRect cells = cells_of(*asked); !cells.empty())
            fill_rect(map.mark(cells, kThinnest), scene.colors().accent);
}

void draw_one(Scene& scene, const CellWindow& map, const MatrixView& m, ColorRole role,
              const CellRect& band, const CellRect& tile) {
    const Palette& colors = scene.colors();
    fill_rect(map.window, colors.cell, scene.u(2));
    if (role == ColorRole::kC) mark_recorded(scene, map);
    if (!band.empty()) fill_rect(map.mark(band, kThinnest), colors.tint(role));
    if (!tile.empty()) fill_rect(map.mark(tile, kThinnest), colors.solid(role));
    stroke_rect(map.mark(m.visible(), kThinnest).inset(-1), colors.ink,
                std::max(1.0f, scene.look.frame()));
}

// Highlights the block that stores the element of C under the pointer. A click watches it.
void touch_blocks(Scene& scene, const CellWindow& map) {
    const std::optional<Element> here = map.at(scene.mouse);
    if (!scene.mouse_here || !here) return;
    const Launch& launch = scene.trace.launch;
    for (std::uint32_t y = 0; y < launch.grid.y; ++y)
        for (std::uint32_t x = 0; x < launch.grid.x; ++x)
            if (contains(scene.plan.blocks().at(x, y, launch), *here))
                return hover_block(scene, x, y);
}

}  // namespace

void draw_matrix_map(Scene& scene, const Rect& rect) {
    const StageLayout& layout = scene.layout;
    const float gap = scene.u(4);
    const auto k = static_cast<float>(layout.a.columns);
    const auto rows = static_cast<float>(layout.c.rows);
    const auto columns = static_cast<float>(layout.c.columns);
    const float scale = std::min((rect.w - gap) / (k + columns), (rect.h - gap) / (k + rows));
    // A matrix of one row must be visible, and C must be large enough to click.
    const auto px = [&](float cells, float least) { return std::max(cells * scale, least); };
    const float inner = px(k, scene.u(3)), c_w = px(columns, scene.u(8)),
                c_h = px(rows, scene.u(8));
    const float c_x = rect.right() - c_w, c_y = rect.y + inner + gap;
    const CellWindow a = layout.a.scaled_to({c_x - gap - inner, c_y, inner, c_h});
    const CellWindow b = layout.b.scaled_to({c_x, rect.y, c_w, inner});
    const CellWindow c = layout.c.scaled_to({c_x, c_y, c_w, c_h});
    const std::uint32_t phase = scene.state.phase;
    const ArrayId of_a = scene.plan.find("A"), of_b = scene.plan.find("B");
    draw_one(scene, a, layout.a, ColorRole::kA, scene.replay.regions().band(of_a),
             scene.replay.regions().tile(of_a, phase));
    draw_one(scene, b, layout.b, ColorRole::kB, scene.replay.regions().band(of_b),
             scene.replay.regions().tile(of_b, phase));
    draw_one(scene, c, layout.c, ColorRole::kC, {}, scene.replay.regions().c);
    register_widget("stage.map", c.window);
    touch_blocks(scene, c);
}

}  // namespace tilereel::stage
