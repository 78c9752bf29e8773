// The corner: phase, block and its map, the parts of a phase, warps and lanes. Also the head of the
// stage of arrays.
#include <algorithm>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/matrices/block_map.h"
#include "app/stage/scene.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

std::string block_name(const Scene& scene) {
    return tilereel::block_name(scene.trace.launch.grid, scene.replay.block());
}

// Draws "2 of 4" on one line with a smaller font if it is too long, or on two lines if that is not
// enough. The text is never cut.
struct Counted {
    std::string now, last;         // the number, and the widest one, which decides the font size
    std::string of;                // "of 4"
    float largest = 0, least = 0;  // font sizes of the number on one line, units
};
void draw_counted(const Scene& scene, ImVec2 at, float room, const Counted& counted) {
    const Palette& colors = scene.colors();
    const float gap = scene.u(10);
    float size = counted.largest;
    const auto beside = [&] {
        return text_width(counted.last, Face::kBold, scene.f(size)) + gap +
                   text_width(counted.of, Face::kRegular, scene.f(size / 2)) <=
               room;
    };
    while (size > counted.least && !beside()) --size;
    const TextStyle number = scene.text(Face::kBold, size, colors.ink);
    if (beside()) {
        const float w = draw_text(at, counted.now, number);
        draw_text({at.x + w + gap, at.y + number.px / 9}, counted.of,
                  {Face::kRegular, number.px / 2, colors.ink2});
        return;
    }
    const TextStyle smaller = scene.shrunk(number, counted.last, room);
    draw_text(at, counted.now, smaller);
    draw_text_shrunk(scene, {at.x, at.y + smaller.px / 2 + scene.f(12)}, room, counted.of,
                     scene.text(Face::kRegular, 18, colors.ink2));
}

// Draws "Phase", "2 of 4", "Block", "2,1" and the map.
void draw_head(Scene& scene, const Rect& area) {
    const Palette& colors = scene.colors();
    const float top = area.y + scene.u(14) + scene.f(14);
    const float middle = top + scene.f(38);
    draw_text({area.x, top}, scene.progress().name, scene.body(colors.ink3));
    const float map_side = scene.u(12) + scene.f(68);
    const float block_right = area.right() - map_side - scene.u(24);
    const float block_w = text_width(block_name(scene), Face::kSemiBold, scene.f(28));
    const std::string last = with_commas(scene.progress().of);
    draw_counted(scene, {area.x, middle}, block_right - block_w - scene.u(30) - area.x,
                 {with_commas(scene.progress().now), last, "of " + last, 44, 28});
    draw_text({block_right, top}, "Block", scene.body(colors.ink3, Align::kRight));
    draw_text({block_right, middle}, block_name(scene),
              scene.text(Face::kSemiBold, 28, colors.ink, Align::kRight));
    draw_block_map(scene,
                   {area.right() - map_side, top - scene.u(1) - scene.f(6), map_side, map_side});
}

// Draws "Phase 2 of 2" and "block 1,0" on one line or two. Returns the lower edge.
float draw_short_head(Scene& scene, const Rect& area) {
    const Palette& colors = scene.colors();
    const float y = area.y + scene.u(10) + scene.f(14);
    const Progress progress = scene.progress();
    const std::string phase = std::string(progress.name) + " " + with_commas(progress.now) +
                              " of " + with_commas(progress.of);
    const std::string block = "block " + block_name(scene);
    const TextStyle right = scene.body(colors.ink2, Align::kRight);
    const float beside = area.w - text_width(block, right) - scene.u(12);
    const TextStyle largest = scene.text(Face::kBold, 20, colors.ink);
    const TextStyle style = tilereel::shrunk(largest, phase, beside, scene.f(15));
    if (text_width(phase, style) <= beside) {
        draw_text({area.x, y}, phase, style);
        draw_text({area.right(), y}, block, right);
        return y + scene.f(14);
    }
    const std::string brief = std::string(progress.name) + " " + with_commas(progress.now) + "/" +
                              with_commas(progress.of);
    const TextStyle least = scene.text(Face::kBold, 15, colors.ink);
    draw_text_shrunk(scene, {area.x, y}, area.w, text_width(phase, least) <= area.w ? phase : brief,
                     largest);
    draw_text_fit({area.x, y + scene.f(22)}, area.w, block, scene.body(colors.ink2));
    return y + scene.f(33);
}

struct Chip {
    std::string_view word;
    bool barrier;
    Part part;
    bool operator==(const Chip&) const = default;
};

std::vector<Chip> chips_of_phase(const Scene& scene) {
    std::vector<Chip> chips;
    // Each part is listed once, even if the warps go through the parts one after another.
    const auto add = [&chips](const Chip& chip) {
        if (std::ranges::find(chips, chip) == chips.end()) chips.push_back(chip);
    };
    for (const PhaseSpan& span : scene.plan.spans_of_phase(scene.state.phase)) {
        if (span.part == Part::kStore && scene.state.part != Part::kStore) continue;
        const char* word = span.part == Part::kLoad      ? "load"
                           : span.part == Part::kCompute ? "compute"
                                                         : "store";
        add({word, false, span.part});
        if (span.barrier_after) add({"barrier", true, span.part});
    }
    // Without shared memory there is no separate compute part: multiply-adds are executed during
    // the loads.
    const auto load = std::ranges::find(chips, Chip{"load", false, Part::kLoad});
    if (scene.plan.shared().empty() && load != chips.end() &&
        std::ranges::find(chips, Part::kCompute, &Chip::part) == chips.end())
        chips.insert(load + 1, {"compute", false, Part::kCompute});
    return chips;
}

// Whether the part is active at this tick. Without shared memory the compute part is active while a
// warp multiplies, also during loads.
bool is_active(const Scene& scene, const Chip& chip) {
    if (chip.barrier || scene.state.step == kNoStep) return false;
    if (chip.part == scene.state.part) return true;
    return scene.plan.shared().empty() && chip.part == Part::kCompute &&
           std::ranges::count(scene.state.warps, Activity::kComputes, &WarpState::activity) > 0;
}

// Draws load | barrier | compute | barrier.
void draw_chips(Scene& scene, const Rect& area) {
    const std::vector<Chip> chips = chips_of_phase(scene);
    if (chips.empty()) return;
    const Palette& colors = scene.colors();
    const auto n = static_cast<float>(chips.size());
    const float gap = scene.u(chips.size() > 4 ? 4 : 6);
    const float room = area.w - gap * (n - 1);
    // Each chip is as wide as its label plus an equal share of the remaining width.
    std::string words;
    for (const Chip& chip : chips) words += chip.word;
    const TextStyle label = shrunk(scene.text(Face::kSemiBold, 15, colors.ink), words,
                                   room - n * scene.u(8), scene.f(11));
    const float share = (room - text_width(words, label)) / n;
    bool after_current = false;
    float x = area.x;
    for (const Chip& chip : chips) {
        const float w = text_width(chip.word, label) + share;
        const Rect rect{std::round(x), area.y, std::round(w), area.h};
        x += w + gap;
        const bool current = is_active(scene, chip);
        const bool waited = chip.barrier && after_current && scene.state.at_barrier;
        after_current = current;
        fill_rect(rect, current ? colors.accent_tint : colors.raised, scene.u(6));
        if (current) stroke_rect(rect, colors.accent, scene.look.px(2), scene.u(6));
        const ImU32 ink = current ? colors.ink : waited ? colors.wait_text : colors.ink3;
        draw_text(rect.center(), chip.word,
                  {current ? Face::kSemiBold : Face::kRegular, label.px, ink, Align::kCenter});
        if (waited)  // a bar at the left edge: a warp waits here
            fill_rect({rect.x, rect.y, scene.u(4), rect.h}, colors.wait, scene.u(2));
    }
}

void draw_counted_figure(Scene& scene, ImVec2 at, float width, const char* caption,
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

// The lanes of the current request's warp that have a thread: fewer in the last warp of a block.
std::uint32_t lanes_of_warp(const Scene& scene) {
    const std::uint32_t step = scene.state.request.step;
    if (step >= scene.steps().size()) return kWarpSize;
    const std::uint32_t first = std::uint32_t{scene.steps()[step].warp} * kWarpSize;
    return std::min<std::uint32_t>(kWarpSize,
                                   std::max(scene.trace.launch.threads(), first) - first);
}

}  // namespace

void draw_lanes(Scene& scene, const Rect& area) {
    const Palette& colors = scene.colors();
    const std::uint32_t mask = scene.state.request.access.lanes.mask;
    const std::string on = std::to_string(std::popcount(mask));
    const TextStyle style = scene.body(colors.ink2);
    const std::string of = std::to_string(lanes_of_warp(scene));
    const std::string words =
        longest_that_fits({on + " of " + of + " lanes on", on + " of " + of + " lanes",
                           on + " of " + of, on + "/" + of, on},
                          area.w, style);
    draw_text_shrunk(scene, {area.x, area.y + scene.f(7)}, area.w, words, style);
    const float pitch = area.w / kWarpSize, h = scene.u(14);
    const float gap = std::min(scene.look.hair(), pitch * 0.2f);
    const Rect row{area.x, std::round(area.y + scene.f(16) + scene.u(7)), area.w, h};
    const CellWindow lanes = CellWindow::filling(row, 1, kWarpSize);
    std::vector<MovingCell> cells;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        Rect cell = lanes.cell({0, lane});
        cell.w -= gap;
        if ((mask >> lane & 1) != 0)
            fill_rect(cell, colors.ink3, scene.u(2));
        else
            cells.push_back({cell, CellLook::kOff, ColorRole::kNone, 255, scene.look.hair()});
    }
    if (area.w > kWarpSize) register_widget("stage.lanes", row);
    if (const auto pointed = scene.pointed(lanes)) {
        scene.hover = {"lane " + std::to_string(pointed->column),
                       ColorRole::kNone,
                       {"click to see its sums (L)"}};
        if (scene.clicked) scene.commands.push_back(ChooseLane{pointed->column});
    }
    if (scene.plan.fragments().rows > 0) {  // the lane whose operands and sums are shown
        const Rect lane = lanes.cell({0, scene.thread().lane()});
        fill_rect({lane.x, lane.bottom() + scene.u(2), pitch - gap, scene.u(3)}, colors.accent);
    }
    scene.shows_off_lanes = scene.shows_off_lanes || !cells.empty();
    add_moving_cells(scene.look, std::move(cells));
}

void draw_corner(Scene& scene) {
    const Rect& corner = scene.layout.corner;
    const float bottom = corner.bottom() - scene.u(4);
    if (!scene.layout.small_corner) {
        draw_head(scene, corner);
        const Rect chips{corner.x, corner.y + scene.u(36) + scene.f(100), corner.w,
                         scene.u(14) + scene.f(20)};
        draw_chips(scene, chips);
        const float lanes = scene.u(46) + scene.f(16);
        const float top = chips.bottom() + scene.u(30);
        const float end = draw_warps(scene, {corner.x, top, corner.w, bottom - lanes - top});
        draw_lanes(scene, {corner.x, end + scene.u(25) - scene.f(1), corner.w, lanes});
        return;
    }
    float y = draw_short_head(scene, corner) + scene.u(4);
    const float map = scene.u(28) + scene.f(28);
    const float warps_least = scene.f(scene.state.warps.size() > 8 ? 130 : 80);
    if (bottom - y - warps_least > map + scene.u(10)) {
        const Rect row{corner.x, bottom - map, corner.w, map};
        draw_block_map(scene, {row.right() - map, row.y, map, map});
        const float free = row.w - map - scene.u(12);
        draw_lanes(scene, {row.x, row.y, free, map});
        draw_warps(scene, {corner.x, y, corner.w, row.y - scene.u(8) - y});
    } else {
        draw_warps(scene, {corner.x, y, corner.w, bottom - y});
    }
}

void draw_general_head(Scene& scene, const Rect& rect) {
    const Launch& launch = scene.trace.launch;
    const float half = std::floor(rect.w * 0.54f), top = rect.y + scene.u(10) + scene.f(12);
    draw_counted_figure(scene, {rect.x, top}, half - scene.u(10), "Phase",
                        with_commas(scene.state.phase + 1), scene.replay.schedule().phases);
    draw_counted_figure(scene, {rect.x + half, top}, rect.w - half, "Block",
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
