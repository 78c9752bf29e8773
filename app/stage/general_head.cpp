// Phase, block, the map of the grid with the recorded blocks, and the active lanes.
#include <algorithm>
#include <cmath>

#include "app/replay/block_name.h"
#include "app/stage/block_map.h"
#include "app/stage/general.h"
#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

void draw_figure(Scene& scene, ImVec2 at, float width, const char* caption,
                 const std::string& figure, std::uint64_t of) {
    draw_text(at, caption, scene.body(scene.colors().ink3));
    draw_counted(scene, {at.x, at.y + scene.f(30)}, width,
                 {figure, figure, "of " + with_commas(of), 32, 13});
}

// Draws the number of recorded blocks and the map below it. Returns the y position of the bottom.
float draw_recorded(Scene& scene, const Rect& rect) {
    constexpr float kLargest = 20;  // units
    const TextStyle style = scene.text(Face::kRegular, 13, scene.colors().ink3);
    const std::string words = recorded_blocks_text(scene, style, rect.w);
    float top = rect.y;
    if (!words.empty() && rect.h >= scene.f(20) + scene.u(24)) {
        draw_text({rect.x, top + scene.f(6)}, words, style);
        top += scene.f(16) + scene.u(4);
    }
    const Rect room{rect.x, top, rect.w, rect.bottom() - top};
    return draw_map_of_blocks(scene, map_of_launch(scene, room), room, kLargest, Align::kLeft);
}

}  // namespace

void draw_general_head(Scene& scene, const Rect& rect) {
    const Launch& launch = scene.trace.launch;
    const float half = std::floor(rect.w * 0.54f), top = rect.y + scene.u(10) + scene.f(12);
    draw_figure(scene, {rect.x, top}, half - scene.u(10), "Phase",
                with_commas(scene.state.phase + 1), scene.replay.schedule().phases);
    draw_figure(scene, {rect.x + half, top}, rect.w - half, "Block",
                block_name(launch.grid, scene.replay.block()), launch.grid.count());
    const float lanes_h = scene.f(16) + scene.u(24);
    const float map_top = top + scene.f(54) + scene.u(4);
    const float lanes_lowest = rect.bottom() - lanes_h;
    const float map_room = std::min(lanes_lowest - map_top - scene.u(8), scene.u(150));
    float map_bottom = map_top;
    if (map_room > scene.u(16))
        map_bottom = draw_recorded(scene, {rect.x, map_top, rect.w, map_room});
    const float lanes_top =
        std::min(lanes_lowest, std::max(map_top + scene.u(70), map_bottom + scene.u(12)));
    if (lanes_top > top + scene.f(46)) draw_lanes(scene, {rect.x, lanes_top, rect.w, lanes_h});
}

}  // namespace tilereel::stage
