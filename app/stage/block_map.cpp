#include "app/stage/block_map.h"

#include <algorithm>
#include <cmath>

#include "app/replay/block_name.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostMapCells = 4096;

// `outlined`: the pitch is large enough to draw blocks that were not recorded as an outline.
Cell cell_of_block(const Scene& scene, std::uint32_t block, bool outlined) {
    if (block == scene.replay.block()) return {CellLook::kSolid, ColorRole::kC, 0, 0};
    if (block == asked_block(scene)) return {CellLook::kSolid, ColorRole::kAccent, 0, 0};
    // On the map of C only the watched block is highlighted.
    if (scene.trace.chosen_blocks.empty() && scene.plan.find("C") != kNoArray)
        return {CellLook::kIdle, ColorRole::kC, 0, 0};
    if (is_chosen(scene.trace, block)) return {CellLook::kBand, ColorRole::kC, 0, 0};
    return {outlined ? CellLook::kStale : CellLook::kNothing, ColorRole::kC, 0, 0};
}

struct MapWindow : CellWindow {
    bool has_cells = false;  // each block is drawn as a cell
};

MapWindow place_map(const Scene& scene, const BlockMap& blocks, const Rect& rect, float largest,
                    Align align) {
    const auto columns = static_cast<float>(blocks.columns);
    const auto rows = static_cast<float>(blocks.rows);
    const float exact = std::min({rect.w / columns, rect.h / rows, scene.look.px(largest)});
    const bool has_cells =
        exact >= 3 && std::uint64_t{blocks.columns} * blocks.rows <= kMostMapCells;
    const float pitch = has_cells ? std::floor(exact) : exact;
    // A map with one row of very many blocks must be wide enough to click.
    const float thinnest = has_cells ? 0 : scene.u(8);
    const float w = std::max(pitch * columns, thinnest), h = std::max(pitch * rows, thinnest);
    const float x = align == Align::kRight ? std::round(rect.right() - w) : rect.x;
    return {{{x, rect.y, w, h}, w / columns, h / rows, 0, 0, blocks.rows, blocks.columns},
            has_cells};
}

void draw_cells_of_blocks(Scene& scene, const BlockMap& blocks, const MapWindow& place) {
    const CellRect all{0, 0, blocks.rows, blocks.columns};
    CellGrid grid = place.grid(scene.look, all, 3);
    const bool outlined = place.pitch_x >= scene.look.gap();
    for_each_element(all, [&](Element at) {
        const std::uint32_t block = blocks.block_at(at.row, at.column);
        if (block < scene.trace.launch.grid.count())
            grid.cells[all.index_of(at)] = cell_of_block(scene, block, outlined);
    });
    if (!outlined && !scene.trace.chosen_blocks.empty())
        stroke_rect(place.window, scene.colors().line, std::max(1.0f, scene.look.line()));
    add_cell_grid(scene.look, std::move(grid));
}

// Marks a block that is too small for a cell.
void mark_block(const BlockMap& blocks, const MapWindow& place, std::uint32_t block, ImU32 color,
                float least) {
    const std::uint32_t at = blocks.place_of(block);
    const Rect cell = place.cell({at / blocks.columns, at % blocks.columns});
    fill_rect(Rect::around(cell.center(), cell.at_least(least).size()), color);
}

void draw_scaled_map(Scene& scene, const BlockMap& blocks, const MapWindow& place) {
    constexpr std::size_t kMostMarks = 4096;
    const Palette& colors = scene.colors();
    const std::vector<std::uint32_t>& chosen = scene.trace.chosen_blocks;
    fill_rect(place.window, chosen.empty() ? colors.cell : colors.panel, scene.u(2));
    if (chosen.empty()) return;
    stroke_rect(place.window, colors.line, std::max(1.0f, scene.look.line()));
    const std::size_t apart = chosen.size() / kMostMarks + 1;
    for (std::size_t i = 0; i < chosen.size(); i += apart)
        mark_block(blocks, place, chosen[i], mix(colors.panel, colors.c, 0.7f), scene.u(3));
}

}  // namespace

std::optional<std::uint32_t> asked_block(const Scene& scene) {
    const OpenedProgram* const program = scene.workbench.program();
    if (program == nullptr || !program->asked || !program->running) return std::nullopt;
    const bool here =
        scene.workbench.shows_program() && program->asked->launch == scene.trace.launch.number;
    return here ? std::optional(program->asked->block) : std::nullopt;
}

float draw_map_of_blocks(Scene& scene, const BlockMap& blocks, const Rect& rect, float largest,
                         Align align) {
    const MapWindow place = place_map(scene, blocks, rect, largest, align);
    register_widget("stage.map", place.window);
    if (place.has_cells)
        draw_cells_of_blocks(scene, blocks, place);
    else
        draw_scaled_map(scene, blocks, place);
    if (place.pitch_x < scene.look.snug()) {  // too small to see
        if (const auto asked = asked_block(scene))
            mark_block(blocks, place, *asked, scene.colors().accent, scene.u(4));
        mark_block(blocks, place, scene.replay.block(), scene.colors().c, scene.u(4));
    }
    const std::uint32_t across = std::max(1u, scene.trace.launch.grid.x);
    if (const auto here = place.at(scene.mouse); here && scene.mouse_here)
        if (const std::uint32_t block = blocks.block_at(here->row, here->column);
            block < scene.trace.launch.grid.count())
            hover_block(scene, block % across, block / across);
    return place.window.bottom();
}

BlockMap map_of_launch(const Scene& scene, const Rect& rect) {
    const Dim3& grid = scene.trace.launch.grid;
    const BlockMap map{std::max(grid.y * grid.z, 1u), std::max(grid.x, 1u)};
    const auto count = static_cast<float>(map.columns);
    if (map.rows > 1 || rect.w / count >= scene.look.wide()) return map;
    const auto across = static_cast<std::uint32_t>(
        std::max(1.0f, std::ceil(std::sqrt(count * rect.w / std::max(rect.h, 1.0f)))));
    return {(map.columns + across - 1) / across, across};
}

std::string recorded_blocks_text(const Scene& scene, const TextStyle& style, float width) {
    const std::size_t recorded = scene.trace.chosen_blocks.size();
    if (recorded == 0) return {};
    const std::string few = with_commas(recorded) + " recorded";
    const std::string all =
        with_commas(recorded) + " of " + with_commas(scene.trace.launch.grid.count()) + " recorded";
    std::vector<std::string> choices{all, few};
    if (scene.workbench.shows_program())
        choices = {all + ": click another to record it", few + ": click another", all, few};
    return std::string(first_that_fits(choices, width, style.face, style.px));
}

std::string click_text(const Scene& scene, std::uint32_t block) {
    if (block == scene.replay.block()) return "being watched";
    if (block == asked_block(scene)) return "being recorded";
    if (is_chosen(scene.trace, block)) return "click to watch it";
    return scene.workbench.can_record(block)
               ? "not recorded; click: the program runs again and records it"
               : "ran, but was not recorded";
}

void hover_block(Scene& scene, std::uint32_t x, std::uint32_t y) {
    const Dim3& grid = scene.trace.launch.grid;
    const std::uint32_t block = y * std::max(1u, grid.x) + x;
    scene.hover = {"block " + block_name(grid, block), ColorRole::kC, {click_text(scene, block)}};
    if (block < scene.trace.multiprocessors.size()) {
        const std::uint16_t number = scene.trace.multiprocessors[block];
        scene.hover.add(number == Trace::kNotRecorded ? "not recorded"
                                                      : "ran on SM " + std::to_string(number));
    }
    if (scene.clicked) scene.commands.push_back(WatchBlock{x, y});
}

}  // namespace tilereel::stage
