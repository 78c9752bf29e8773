// Phase, block, the map of the grid with what was recorded of it, and the lanes that take part.
#include <algorithm>
#include <cmath>

#include "app/stage/general.h"
#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostMapCells = 4096;

// "2", "2,1" or "2,1,0": as many extents as the grid has.
std::string name_of_block(const Launch& launch, std::uint32_t block) {
    const Dim3 at = index_of(launch.grid, block);
    std::string name = std::to_string(at.x);
    if (launch.grid.y > 1 || launch.grid.z > 1) name += "," + std::to_string(at.y);
    if (launch.grid.z > 1) name += "," + std::to_string(at.z);
    return name;
}

void draw_figure(Scene& scene, ImVec2 at, float width, const char* caption,
                 const std::string& figure, const std::string& of) {
    const Palette& colors = scene.colors();
    draw_text(scene.list, at, caption, scene.text(Face::kRegular, 14, colors.ink3));
    float size = 32;
    const auto fits = [&] {
        return text_width(figure, Face::kBold, scene.f(size)) + scene.u(8) +
                   text_width(of, Face::kRegular, scene.f(size * 0.55f)) <=
               width;
    };
    while (size > 13 && !fits()) --size;
    const float y = at.y + scene.f(30);
    const float w =
        draw_text(scene.list, {at.x, y}, figure, scene.text(Face::kBold, size, colors.ink));
    draw_text_fit(scene.list, {at.x + w + scene.u(8), y + scene.f(size * 0.1f)},
                  width - w - scene.u(8), of,
                  scene.text(Face::kRegular, size * 0.55f, colors.ink2));
}

CellLook look_of_block(const Scene& scene, std::uint32_t block) {
    if (block == scene.replay.block()) return CellLook::kSolid;
    return is_chosen(scene.trace, block) ? CellLook::kBand : CellLook::kNeverWritten;
}

// One cell a block: filled where it was recorded. Grids too large for that have no map.
void draw_grid_map(Scene& scene, const Rect& rect) {
    const Launch& launch = scene.trace.launch;
    const std::uint64_t columns = launch.grid.x,
                        rows = std::uint64_t{launch.grid.y} * launch.grid.z;
    if (columns * rows > kMostMapCells) return;
    const float pitch = std::floor(std::min(
        {rect.w / static_cast<float>(columns), rect.h / static_cast<float>(rows), scene.u(20)}));
    if (pitch < 3) return;
    CellGrid grid;
    grid.at = rect.min();
    grid.pitch_x = grid.pitch_y = pitch;
    grid.rows = static_cast<std::uint32_t>(rows);
    grid.columns = static_cast<std::uint32_t>(columns);
    grid.gap = pitch >= scene.look.px(6) ? scene.u(2) : 0;
    grid.radius = scene.look.px(3);
    for (std::uint32_t block = 0; block < columns * rows; ++block)
        grid.cells.push_back({look_of_block(scene, block), Role::kC, 0, 0});
    add_cell_grid(scene.list, scene.look, std::move(grid));
    const Rect map{rect.x, rect.y, pitch * static_cast<float>(columns),
                   pitch * static_cast<float>(rows)};
    register_widget("stage.map", map);
    if (!scene.mouse_here || !map.contains(scene.mouse)) return;
    const auto x = static_cast<std::uint32_t>((scene.mouse.x - map.x) / pitch);
    const auto y = static_cast<std::uint32_t>((scene.mouse.y - map.y) / pitch);
    const std::uint32_t block = y * launch.grid.x + x;
    scene.hover.any = true;
    scene.hover.role = Role::kC;
    scene.hover.title = "block " + name_of_block(launch, block);
    const bool recorded = is_chosen(scene.trace, block);
    scene.hover.lines = {block == scene.replay.block() ? "being watched"
                         : recorded                    ? "click to watch it"
                                                       : "ran, but was not recorded"};
    if (scene.clicked && recorded) scene.commands.push_back(WatchBlock{x, y});
}

}  // namespace

void draw_general_head(Scene& scene, const Rect& rect) {
    const Launch& launch = scene.trace.launch;
    const float half = std::floor(rect.w * 0.54f), top = rect.y + scene.u(10) + scene.f(12);
    draw_figure(scene, {rect.x, top}, half - scene.u(10), "Phase",
                with_commas(scene.state.phase + 1), "of " + with_commas(scene.replay.phases()));
    draw_figure(scene, {rect.x + half, top}, rect.w - half, "Block",
                name_of_block(launch, scene.replay.block()),
                "of " + with_commas(launch.grid.count()));
    const float lanes_h = scene.f(16) + scene.u(24);
    const float map_top = top + scene.f(54) + scene.u(4);
    const float lanes_top = std::min(rect.bottom() - lanes_h, map_top + scene.u(70));
    if (lanes_top - map_top > scene.u(24))
        draw_grid_map(scene, {rect.x, map_top, rect.w, lanes_top - map_top - scene.u(8)});
    if (lanes_top > top + scene.f(46)) draw_lanes(scene, {rect.x, lanes_top, rect.w, lanes_h});
}

void draw_general_legend(Scene& scene, const Rect& rect) {
    if (rect.h <= 0) return;
    struct Key {
        CellLook look;
        const char* word;
    };
    std::vector<Key> keys{{CellLook::kSolid, "accessed now"},
                          {CellLook::kValid, "in use"},
                          {CellLook::kBand, "used later"},
                          {CellLook::kIdle, "not used by this block"}};
    if (scene.shows_off_lanes) keys.push_back({CellLook::kOff, "lane off"});
    if (scene.conflicted())
        keys.push_back({CellLook::kConflictCurrent, "conflict, at the bank"}),
            keys.push_back({CellLook::kConflictWaiting, "waits for its bank"});
    const float side = std::round(scene.f(13)), gap = scene.u(8);
    float x = rect.x;
    std::vector<MovingCell> swatches;
    for (const Key& key : keys) {
        const float w = text_width(key.word, Face::kRegular, scene.f(13));
        if (x + side + gap + w > rect.right()) break;
        swatches.push_back({{x, rect.center().y - side / 2, side, side},
                            key.look,
                            Role::kA,
                            255,
                            scene.look.px(3)});
        draw_text(scene.list, {x + side + gap, rect.center().y}, key.word,
                  scene.text(Face::kRegular, 13, scene.colors().ink2));
        x += side + gap + w + scene.u(24);
    }
    add_moving_cells(scene.list, scene.look, std::move(swatches));
}

}  // namespace tilereel::stage
