#include "app/stage/matrices/block_map.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostMapCells = 4096;

// The recorded blocks of a launch that was recorded in part, or as many of them as a map can mark.
std::vector<std::uint32_t> marked_blocks(const Scene& scene) {
    constexpr std::size_t kMostMarks = 4096;
    const std::vector<std::uint32_t>& chosen = scene.trace.chosen_blocks;
    std::vector<std::uint32_t> marked;
    for (std::size_t i = 0; i < chosen.size(); i += chosen.size() / kMostMarks + 1)
        marked.push_back(chosen[i]);
    return marked;
}

// The block of this launch that is being recorded; nullopt if none is.
std::optional<std::uint32_t> asked_block(const Scene& scene) {
    const OpenedProgram* const program = scene.workbench.program();
    if (program == nullptr || !program->asked || !program->running) return std::nullopt;
    const bool here =
        scene.workbench.shows_program() && program->asked->launch == scene.trace.launch.number;
    return here ? std::optional(program->asked->block) : std::nullopt;
}

// `outlined`: the pitch is large enough to draw blocks that were not recorded as an outline.
Cell cell_of_block(const Scene& scene, std::uint32_t block, bool outlined) {
    if (block == scene.replay.block()) return {CellLook::kSolid, ColorRole::kC};
    if (block == asked_block(scene)) return {CellLook::kSolid, ColorRole::kAccent};
    // On the map of C only the watched block is highlighted.
    if (scene.trace.chosen_blocks.empty() && scene.plan.find("C") != kNoArray)
        return {CellLook::kIdle, ColorRole::kC};
    if (is_chosen(scene.trace, block)) return {CellLook::kBand, ColorRole::kC};
    return {outlined ? CellLook::kStale : CellLook::kNothing, ColorRole::kC};
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
    return {CellWindow::filling({x, rect.y, w, h}, blocks.rows, blocks.columns), has_cells};
}

void draw_cells_of_blocks(Scene& scene, const BlockMap& blocks, const MapWindow& place) {
    const CellRect all = place.all();
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
    const Palette& colors = scene.colors();
    const bool all = scene.trace.chosen_blocks.empty();
    fill_rect(place.window, all ? colors.cell : colors.panel, scene.u(2));
    if (all) return;
    stroke_rect(place.window, colors.line, std::max(1.0f, scene.look.line()));
    for (const std::uint32_t block : marked_blocks(scene))
        mark_block(blocks, place, block, mix(colors.panel, colors.c, 0.7f), scene.u(3));
}

// Marks the recorded blocks of a launch that was recorded in part, and the block being recorded.
void mark_recorded(Scene& scene, const SmallMap& map) {
    const Launch& launch = scene.trace.launch;
    const auto cells_of = [&](std::uint32_t block) {
        return scene.plan.blocks().at(block % launch.grid.x, block / launch.grid.x, launch);
    };
    for (const std::uint32_t block : marked_blocks(scene))
        map.fill(cells_of(block), scene.colors().c_tint);
    if (const auto asked = asked_block(scene)) map.fill(cells_of(*asked), scene.colors().accent);
}

void draw_one_matrix(Scene& scene, const CellWindow& place, const MatrixView& m, ColorRole role,
                     const CellRect& band, const CellRect& tile) {
    const SmallMap map(scene, place);
    if (role == ColorRole::kC) mark_recorded(scene, map);
    map.fill(band, scene.colors().tint(role));
    map.fill(tile, scene.colors().solid(role));
    map.frame(scene, m.visible());
}

// Draws a small map of all of A, B and C that marks the visible part.
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
    draw_one_matrix(scene, a, layout.a, ColorRole::kA, scene.replay.regions().band(of_a),
                    scene.replay.regions().tile(of_a, phase));
    draw_one_matrix(scene, b, layout.b, ColorRole::kB, scene.replay.regions().band(of_b),
                    scene.replay.regions().tile(of_b, phase));
    draw_one_matrix(scene, c, layout.c, ColorRole::kC, {}, scene.replay.regions().c);
    register_widget("stage.map", c.window);
    if (const auto here = scene.pointed(c))
        if (const auto block = scene.plan.blocks().storing(*here, scene.trace.launch))
            hover_block(scene, *block);
}

}  // namespace

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
    if (const auto here = scene.pointed(place))
        if (const std::uint32_t block = blocks.block_at(here->row, here->column);
            block < scene.trace.launch.grid.count())
            hover_block(scene, block);
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
    if (scene.workbench.records_more())
        choices = {all + ": click another to record it", few + ": click another", all, few};
    return std::string(first_that_fits(choices, width, style.face, style.px));
}

std::string click_text(const Scene& scene, std::uint32_t block) {
    if (block == scene.replay.block()) return "being watched";
    if (block == asked_block(scene)) return "being recorded";
    if (is_chosen(scene.trace, block)) return "click to watch it";
    return scene.workbench.can_record(block)
               ? scene.workbench.shows_program()
                     ? "not recorded; click: the program runs again and records it"
                     : "not recorded; click to record it"
               : "was not recorded";
}

void watch_block(Scene& scene, std::uint32_t block) {
    const std::uint32_t across = std::max(1u, scene.trace.launch.grid.x);
    scene.commands.push_back(WatchBlock{block % across, block / across});
}

void hover_block(Scene& scene, std::uint32_t block) {
    const Dim3& grid = scene.trace.launch.grid;
    scene.hover = {"block " + block_name(grid, block), ColorRole::kC, {click_text(scene, block)}};
    if (block < scene.trace.multiprocessors.size()) {
        const std::uint16_t number = scene.trace.multiprocessors[block];
        scene.hover.add(number == Trace::kNotRecorded ? "not recorded"
                                                      : "ran on SM " + std::to_string(number));
    }
    if (scene.clicked) watch_block(scene, block);
}

void draw_block_map(Scene& scene, const Rect& rect) {
    if (scene.layout.cropped) return draw_matrix_map(scene, rect);
    constexpr float kLargest = 36;  // units
    draw_map_of_blocks(scene, scene.plan.map(), rect, kLargest, Align::kRight);
}

}  // namespace tilereel::stage
