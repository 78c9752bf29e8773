#include "app/stage/shared/ring.h"

#include <algorithm>

#include "app/replay/sentence/sentence_facts.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr double kPlaneChangeSeconds = 0.24;
constexpr float kCoarsePx = 2.5f;  // smallest size of a cell in a small plane

// The reads of one tile in a plane.
struct Reads {
    std::uint32_t first = kNoStep, last = kNoStep, phase = 0, plane = 0;
    [[nodiscard]] bool any() const { return first != kNoStep; }
};
Reads reads_of(const BufferFill& fill, std::uint32_t plane,
               const std::optional<std::uint32_t>& warp) {
    if (!warp) return {fill.first_read, fill.last_read, fill.phase, plane};
    if (*warp >= fill.first_read_of_warp.size()) return {};
    return {fill.first_read_of_warp[*warp], fill.last_read_of_warp[*warp], fill.phase, plane};
}

// The tile of an array that was read last before a step, and the tile that is read next.
struct Around {
    Reads latest, next;
};
Around reads_around(const Replay& replay, ArrayId array, std::uint32_t step,
                    const std::optional<std::uint32_t>& warp) {
    Around around;
    for (std::uint32_t plane = 0; plane < replay.trace().arrays[array].planes(); ++plane)
        for (const BufferFill& fill : replay.fills(array, plane)) {
            const Reads reads = reads_of(fill, plane, warp);
            if (reads.first > step) {
                if (reads.first < around.next.first) around.next = reads;
            } else if (!around.latest.any() || reads.first > around.latest.first) {
                around.latest = reads;
            }
        }
    return around;
}

// The look of a cell in a small plane.
Cell coarse_look(CellState state, ColorRole role) {
    switch (state) {
        case CellState::kValid:
            return {CellLook::kBand, role};
        case CellState::kUnderWay:
            return {CellLook::kBand, role, 0, 170};
        case CellState::kStale:
            return {CellLook::kNothing, role};
        default:
            return {CellLook::kIdle, role};
    }
}

// Whether the current request begins a copy into this plane.
bool is_target_of_copy(const Scene& scene, const SharedView& view) {
    if (scene.state.step == kNoStep || scene.site()->operation != Operation::kCopyLoad)
        return false;
    const SharedTile target = target_of_copy(scene.trace, scene.steps()[scene.state.step]);
    return target.array == view.array && target.plane == view.plane;
}

// The plane into which a copy goes need not be the large one.
void mark_target(Scene& scene, const SharedView& view) {
    const ImU32 color = scene.colors().ink;
    const Rect rect = view.window.inset(-scene.u(2));
    stroke_rect(rect, color, std::max(1.0f, scene.look.px(2)), scene.look.px(3));
    draw_icon(Icon::kLoad, rect.center(), 0.7f * std::min(rect.w, rect.h), color, scene.look.px(2));
    register_widget("stage.target", rect);
}

// Draws the cells of a small plane in the model's current state. A drawn cell may stand for
// several.
void draw_coarse(Scene& scene, const SharedView& view, const SharedArrayState& model) {
    const auto coarse = [&](float length, std::uint32_t cells) {
        const float most = std::max(1.0f, std::floor(length / scene.look.px(kCoarsePx)));
        return std::min(cells, static_cast<std::uint32_t>(most));
    };
    CellWindow window = view;
    window.rows = coarse(view.window.h, view.rows);
    window.columns = coarse(view.window.w, view.columns);
    window = window.scaled_to(view.window);
    const CellRect all = window.all();
    CellGrid grid = window.grid(scene.look, all, 0);
    grid.gap = 0;
    const ColorRole role = scene.plan.role(view.array);
    const std::size_t first = std::size_t{view.first_row} * view.leading_dimension;
    for_each_element(all, [&](Element at) {
        const auto element = view.element_at(window.cell(at).center());
        if (element && element->column < view.used_columns)
            grid.cells[all.index_of(at)] =
                coarse_look(model.cells[first + view.index(*element)].state, role);
    });
    for_each_accessed_word(scene, view, [&](Element element, const AccessedWord&) {
        const Element at = view.place(element);
        if (at.row >= view.rows || at.column >= view.columns) return;
        grid.cells[std::size_t{at.row} * grid.rows / view.rows * grid.columns +
                   std::size_t{at.column} * grid.columns / view.columns] = {CellLook::kSolid, role,
                                                                            0, 0};
    });
    add_cell_grid(scene.look, std::move(grid));
}

const SharedView* view_of_plane(const Scene& scene, ArrayId array, std::uint32_t plane,
                                bool small) {
    for (const SharedView& view : scene.layout.arrays)
        if (view.array == array && view.plane == plane && view.small == small) return &view;
    return nullptr;
}

Rect mixed(const Rect& a, const Rect& b, float t) {
    const auto mix = [t](float x, float y) { return x + (y - x) * t; };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.w, b.w), mix(a.h, b.h)};
}

// How far the planes of an array have moved to their new places, from 0 to 1.
float progress_of(const Scene& scene, const StageView::PlaneChange& change) {
    const double p = (scene.look.now_seconds - change.changed) / kPlaneChangeSeconds;
    if (p < 0 || p >= 1) return 1;
    return static_cast<float>(1 - (1 - p) * (1 - p) * (1 - p));
}

}  // namespace

std::vector<std::uint32_t> large_planes(const Replay& replay, const StagePlan& plan,
                                        const std::optional<std::uint32_t>& warp) {
    const auto step =
        std::min(replay.state().step, static_cast<std::uint32_t>(replay.schedule().steps.size()));
    std::vector<Around> of_arrays;
    std::uint32_t phase = 0;  // phase of the latest tile
    for (const SharedUse& use : plan.shared()) {
        of_arrays.emplace_back();
        if (replay.trace().arrays[use.array].planes() == 1) continue;
        of_arrays.back() = reads_around(replay, use.array, step, warp);
        phase = std::max(phase, of_arrays.back().latest.phase);
    }
    const auto unfinished = [&](const Around& around) {
        const auto& [latest, next] = around;
        return latest.any() && latest.phase == phase ? step <= latest.last
                                                     : next.any() && next.phase <= phase;
    };
    const bool done = std::ranges::none_of(of_arrays, unfinished);
    std::vector<std::uint32_t> large;
    for (const auto& [latest, next] : of_arrays) {
        const bool behind = !latest.any() || (latest.phase < phase && next.phase <= phase);
        large.push_back(next.any() && (done || behind) ? next.plane : latest.plane);
    }
    return large;
}

std::string_view buffer_state_text(const Scene& scene, const SharedView& view,
                                   const SharedPlaneState& plane, float width, float px) {
    const auto longest = [&](std::initializer_list<const char*> words) {
        return first_that_fits(words, width, Face::kSemiBold, px);
    };
    const BufferFill* fill =
        fill_at(scene.replay.fills(view.array, view.plane), scene.state.request.step);
    const bool copied = fill != nullptr && fill->copied;
    switch (plane.state) {
        case BufferState::kBeingFilled:
            return longest({"being filled", "filling"});
        case BufferState::kUnderWay:
            return longest({"copies under way", "under way", "filling"});
        case BufferState::kFilled:
            return longest({copied ? "arrived" : "filled"});
        case BufferState::kBeingRead:
            return longest({"being read", "is read"});
        case BufferState::kAllRead:
            return longest({"all read", "read"});
        case BufferState::kEmpty:
            break;
    }
    return longest({"empty"});
}

void frame_plane(Scene& scene, const SharedView& view, const SharedPlaneState& plane) {
    const float out = view.small ? scene.u(2) : scene.u(3);
    const Rect rect = view.window.inset(-out);
    const Palette& colors = scene.colors();
    const ImU32 color = colors.solid(scene.plan.role(view.array));
    const auto line = [&](float units) { return std::max(1.0f, scene.look.px(units)); };
    const float radius = scene.look.px(view.small ? 3 : 5);
    switch (plane.state) {
        case BufferState::kBeingRead:
            return stroke_rect(rect, color, line(view.small ? 2.5f : 3), radius);
        case BufferState::kBeingFilled:
        case BufferState::kUnderWay:
            return dashed_rect(rect, color, line(view.small ? 1.5f : 2),
                               scene.u(view.small ? 4 : 6));
        case BufferState::kFilled:
            return stroke_rect(rect, color, line(1), radius);
        case BufferState::kAllRead:
            return dashed_rect(rect, colors.ink3, line(1), scene.u(3));
        case BufferState::kEmpty:
            if (view.small) stroke_rect(rect, colors.line, line(1), radius);
            return;
    }
}

void draw_small_plane(Scene& scene, const SharedView& view, const SharedArrayState& model) {
    const Palette& colors = scene.colors();
    const SharedPlaneState& plane = model.planes[view.plane];
    draw_coarse(scene, view, model);
    frame_plane(scene, view, plane);
    if (is_target_of_copy(scene, view)) mark_target(scene, view);
    const float x = view.window.right() + scene.u(8);
    const float width = view.box.right() - scene.u(6) - x;
    const float middle = view.box.center().y, apart = scene.f(scene.layout.small ? 12.5f : 15);
    const float size = scene.layout.small ? 12 : 13;
    const Array& array = scene.trace.arrays[view.array];
    const TextStyle name =
        scene.text(Face::kSemiBold, size + 1, colors.solid(scene.plan.role(view.array)));
    const std::string full = plane_name(array, view.plane);
    const bool fits = text_width(full, name) <= width;
    const float w = draw_text_on_top(scene, {x, middle - apart / 2},
                                     fits ? full : full.substr(array.name.size()), name);
    const std::string tile = "tile " + with_commas(plane.phase + 1);
    const TextStyle faint = scene.text(Face::kRegular, size, colors.ink3);
    if (plane.state != BufferState::kEmpty && w + scene.u(6) + text_width(tile, faint) <= width)
        draw_text_on_top(scene, {x + w + scene.u(6), middle - apart / 2}, tile, faint);
    TextStyle style =
        scene.text(plane.state == BufferState::kBeingRead ? Face::kSemiBold : Face::kRegular, size,
                   colors.ink2);
    const auto words = [&] { return buffer_state_text(scene, view, plane, width, style.px); };
    while (words().empty() && style.px > scene.look.px(11)) --style.px;
    draw_text_on_top(scene, {x, middle + apart / 2}, std::string(words()), style);
    register_widget("stage.ring." + array.name + "." + std::to_string(view.plane), view.box);
    if (const auto here = view.element_at(scene.mouse); here && scene.mouse_here)
        hover_shared(scene, view.array, *here);
}

void note_plane_changes(Scene& scene) {
    StageView& seen = scene.view;
    const std::vector<std::uint32_t>& planes = scene.layout.planes;
    if (seen.plane_changes.size() != planes.size() || seen.jumped) {
        seen.plane_changes.clear();
        for (const std::uint32_t plane : planes) seen.plane_changes.push_back({plane, plane});
    }
    for (std::size_t i = 0; i < planes.size(); ++i)
        if (StageView::PlaneChange& change = seen.plane_changes[i]; change.plane != planes[i])
            change = {planes[i], change.plane, scene.look.now_seconds};
}

void draw_plane_changes(Scene& scene) {
    for (std::size_t i = 0; i < scene.view.plane_changes.size(); ++i) {
        const StageView::PlaneChange& change = scene.view.plane_changes[i];
        const float t = progress_of(scene, change);
        if (t >= 1) continue;
        const ArrayId array = scene.plan.shared()[i].array;
        const SharedView* from = view_of_plane(scene, array, change.plane, true);
        const SharedView* to = view_of_plane(scene, array, change.plane, false);
        if (from == nullptr || to == nullptr) continue;
        stroke_rect(mixed(from->window, to->window, t),
                    scene.colors().solid(scene.plan.role(array)), scene.look.px(3),
                    scene.look.px(5));
    }
}

Target target_of(const Scene& scene, const SharedView& view, Element element) {
    const Target target{view.cell_of(element), view.window};
    for (std::size_t i = 0; i < scene.view.plane_changes.size(); ++i) {
        const StageView::PlaneChange& change = scene.view.plane_changes[i];
        if (scene.plan.shared()[i].array != view.array || change.plane == change.former) continue;
        const float t = progress_of(scene, change);
        if (t >= 1) continue;
        // The plane that is large now was small before, and the other way round.
        const bool grows = view.plane == change.plane && !view.small;
        if (!grows && !(view.plane == change.former && view.small)) continue;
        const SharedView* was = view_of_plane(scene, view.array, change.plane, grows);
        if (was == nullptr) continue;
        element.row += was->first_row - view.first_row;
        return {mixed(was->cell_of(element), target.cell, t), mixed(was->window, target.window, t)};
    }
    return target;
}

}  // namespace tilereel::stage
