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

struct MapPlace {
    Rect rect;
    float pitch_x = 1, pitch_y = 1;
    bool cells = false;  // each block is drawn as a cell
};

MapPlace place_map(const Scene& scene, const BlockMap& blocks, const Rect& rect, float largest,
                   Align align) {
    const auto columns = static_cast<float>(blocks.columns);
    const auto rows = static_cast<float>(blocks.rows);
    const float exact = std::min({rect.w / columns, rect.h / rows, scene.look.px(largest)});
    MapPlace place;
    place.cells = exact >= 3 && std::uint64_t{blocks.columns} * blocks.rows <= kMostMapCells;
    const float pitch = place.cells ? std::floor(exact) : exact;
    // A map with one row of very many blocks must be wide enough to click.
    const float thinnest = place.cells ? 0 : scene.u(8);
    const float w = std::max(pitch * columns, thinnest), h = std::max(pitch * rows, thinnest);
    place.pitch_x = w / columns, place.pitch_y = h / rows;
    place.rect = {align == Align::kRight ? std::round(rect.right() - w) : rect.x, rect.y, w, h};
    return place;
}

void draw_cells_of_blocks(Scene& scene, const BlockMap& blocks, const MapPlace& place) {
    CellGrid grid;
    grid.at = place.rect.min();
    grid.pitch_x = grid.pitch_y = place.pitch_x;
    grid.rows = blocks.rows;
    grid.columns = blocks.columns;
    grid.gap = place.pitch_x >= scene.look.snug() ? scene.u(2) : 0;
    grid.radius = scene.look.px(3);
    const bool outlined = place.pitch_x >= scene.look.gap();
    for (std::uint32_t row = 0; row < blocks.rows; ++row)
        for (std::uint32_t column = 0; column < blocks.columns; ++column) {
            const std::uint32_t block = blocks.block_at(row, column);
            grid.cells.push_back(block < scene.trace.launch.grid.count()
                                     ? cell_of_block(scene, block, outlined)
                                     : Cell{});
        }
    if (!outlined && !scene.trace.chosen_blocks.empty())
        stroke_rect(place.rect, scene.colors().line, std::max(1.0f, scene.look.line()));
    add_cell_grid(scene.look, std::move(grid));
}

// Marks a block that is too small for a cell.
void mark_block(const BlockMap& blocks, const MapPlace& place, std::uint32_t block, ImU32 color,
                float least) {
    const std::uint32_t at = blocks.place_of(block);
    const auto column = static_cast<float>(at % blocks.columns);
    const auto row = static_cast<float>(at / blocks.columns);
    const float w = std::max(place.pitch_x, least), h = std::max(place.pitch_y, least);
    const float x = place.rect.x + (column + 0.5f) * place.pitch_x;
    const float y = place.rect.y + (row + 0.5f) * place.pitch_y;
    fill_rect({x - w / 2, y - h / 2, w, h}, color);
}

void draw_scaled_map(Scene& scene, const BlockMap& blocks, const MapPlace& place) {
    constexpr std::size_t kMostMarks = 4096;
    const Palette& colors = scene.colors();
    const std::vector<std::uint32_t>& chosen = scene.trace.chosen_blocks;
    fill_rect(place.rect, chosen.empty() ? colors.cell : colors.panel, scene.u(2));
    if (chosen.empty()) return;
    stroke_rect(place.rect, colors.line, std::max(1.0f, scene.look.line()));
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
    const MapPlace place = place_map(scene, blocks, rect, largest, align);
    register_widget("stage.map", place.rect);
    if (place.cells)
        draw_cells_of_blocks(scene, blocks, place);
    else
        draw_scaled_map(scene, blocks, place);
    if (place.pitch_x < scene.look.snug()) {  // too small to see
        if (const auto asked = asked_block(scene))
            mark_block(blocks, place, *asked, scene.colors().accent, scene.u(4));
        mark_block(blocks, place, scene.replay.block(), scene.colors().c, scene.u(4));
    }
    const float bottom = place.rect.bottom();
    if (!scene.mouse_here || !place.rect.contains(scene.mouse)) return bottom;
    const auto at = [](float offset, std::uint32_t count) {
        return std::min(count - 1, static_cast<std::uint32_t>(offset));
    };
    const std::uint32_t block =
        blocks.block_at(at((scene.mouse.y - place.rect.y) / place.pitch_y, blocks.rows),
                        at((scene.mouse.x - place.rect.x) / place.pitch_x, blocks.columns));
    const std::uint32_t across = std::max(1u, scene.trace.launch.grid.x);
    if (block < scene.trace.launch.grid.count()) hover_block(scene, block % across, block / across);
    return bottom;
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
    for (const std::string& words : choices)
        if (text_width(words, style.face, style.px) <= width) return words;
    return {};
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
    scene.hover.any = true;
    scene.hover.role = ColorRole::kC;
    scene.hover.title = "block " + block_name(grid, block);
    scene.hover.lines = {click_text(scene, block)};
    if (block < scene.trace.multiprocessors.size()) {
        const std::uint16_t number = scene.trace.multiprocessors[block];
        scene.hover.lines.push_back(
            number == Trace::kNotRecorded ? "not recorded" : "ran on SM " + std::to_string(number));
    }
    if (scene.clicked) scene.commands.push_back(WatchBlock{x, y});
}

}  // namespace tilereel::stage
