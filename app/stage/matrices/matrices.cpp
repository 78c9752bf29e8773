// A and B: band, tile, the cells being copied or read. Also the titles of all three matrices.
#include <algorithm>
#include <bit>

#include "app/replay/elements.h"
#include "app/replay/state/provenance.h"
#include "app/stage/general/general.h"
#include "app/stage/matrices/block_map.h"
#include "app/stage/matrices/matrix_parts.h"
#include "app/stage/matrices/request_beyond.h"
#include "app/stage/scene.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/products/name_product.h"

namespace tilereel::stage {
namespace {

// Calls visit(flight, index) for the flights from an array that leave in this phase, and for
// earlier ones whose value is still needed.
template <class Visit>
void for_each_flight_from(const Scene& scene, ArrayId array, Visit&& visit) {
    for (const auto* flights : {&scene.plan.flights_held(scene.state.phase),
                                &scene.plan.flights_of_phase(scene.state.phase)})
        for (const std::uint32_t index : *flights)
            if (scene.replay.flights()[index].from == array)
                visit(scene.replay.flights()[index], index);
}

// Marks the global elements whose copies the current request reads from shared memory.
void mark_sources(Scene& scene, ArrayId array, Patch& patch) {
    const Site* site = scene.site();
    if (!scene.shared_request() || !reads(site->operation)) return;
    const Array& shared = scene.trace.arrays[site->array];
    std::vector<bool> read(std::size_t{shared.rows} * shared.leading_dimension);
    for_each_element(scene.state.request, shared, [&](std::uint32_t, std::uint32_t, Element at) {
        const std::size_t cell = std::size_t{at.row} * shared.leading_dimension + at.column;
        if (cell < read.size()) read[cell] = true;
    });
    for_each_flight_from(scene, array, [&](const Flight& flight, std::uint32_t index) {
        const std::size_t cell =
            std::size_t{flight.to_row} * shared.leading_dimension + flight.to_column;
        if (flight.to != site->array || cell >= read.size() || !read[cell] ||
            !scene.plan.holds(scene.replay, index, scene.state.request.step))
            return;
        patch.mark(flight.source(), patch.flat ? CellLook::kSolid : CellLook::kValid);
    });
}

// Marks the elements that the warp of the current request holds in registers.
void mark_held(Scene& scene, ArrayId array, Patch& patch) {
    if (!scene.shared_request() || scene.site()->operation != Operation::kLoad) return;
    const HeldOperand held = held_at(scene.replay.held_operands(), scene.state.request.step);
    if (held.load_step == kNoStep) return;
    const Step& load = scene.steps()[held.load_step];
    if (scene.trace.sites[load.site].array != array) return;
    const Array& matrix = scene.trace.arrays[array];
    const LaneOffsets lanes = lane_offsets(scene.trace, load.record);
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const Element at = element_at(matrix, lanes.bytes[std::countr_zero(left)]);
        patch.mark(at, patch.flat ? CellLook::kSolid : CellLook::kValid);
    }
}

void mark_copies(Scene& scene, ArrayId array, Patch& patch) {
    for_each_flight_from(scene, array, [&](const Flight& flight, std::uint32_t index) {
        if (patch.at(flight.source()) == nullptr) return;  // most flights of a large launch
        const double p = flight_progress(scene, index);
        // In cells without gaps the strength of the colour shows the progress.
        if (p >= 1)
            patch.mark(flight.source(), patch.flat ? CellLook::kBand : CellLook::kCopied);
        else if (p > 0 && patch.flat)
            patch.mark(flight.source(), CellLook::kBand, 140);
        else if (p > 0)
            patch.mark(flight.source(), CellLook::kBeingCopied);
        else if (!patch.flat && scene.workbench.position() >= static_cast<double>(flight.depart))
            patch.mark(flight.source(), CellLook::kValid);
    });
}

// `covered`: a plate without values below it; empty: none.
void draw_values(Scene& scene, const MatrixView& m, Patch& patch, const MatrixElements& values,
                 const Rect& covered) {
    const float px = cell_type(scene.look, m.pitch_x, m.pitch_y, scene.plan.digits_of_inputs());
    if (px <= 0 || patch.area.empty()) return;
    for_each_element(patch.area, [&](Element at) {
        const std::size_t index = std::size_t{at.row} * m.columns + at.column;
        if (index >= values.size()) return;
        const Rect cell = m.cell(at);
        if (covered.w > 0 && cell.overlaps(covered)) return;
        note_value(scene, cell.cut(m.window));
        draw_in_cell(scene, cell, text_of(values[index]).view(), *patch.at(at), px);
    });
}

// The name of the matrix in the program. Both factors of C = A A have the name of their array.
std::string own_name(const Scene& scene, const char* matrix) {
    const ArrayId id = scene.plan.find(matrix);
    if (id == kNoArray) return matrix;
    const std::string& name = scene.trace.arrays[id].name;
    return name.ends_with(kSecondFactor) ? name.substr(0, name.size() - kSecondFactor.size())
                                         : name;
}

void draw_title(Scene& scene, ImVec2 at, bool to_the_left, const char* matrix, ColorRole role,
                const std::string& words, float width) {
    const std::string name = own_name(scene, matrix);
    const float px = scene.f(scene.layout.small ? 18 : 24);
    const TextStyle letter{Face::kBold, px, scene.colors().solid(role),
                           to_the_left ? Align::kRight : Align::kLeft};
    const float w = draw_text_on_top(scene, at, name, letter);
    if (to_the_left) return;
    const float gap = scene.u(scene.layout.small ? 8 : 9);
    const TextStyle style = scene.body(scene.colors().ink2);
    const ImVec2 behind{at.x + w + gap, at.y};
    if (draw_route_in_title(scene, scene.plan.find(matrix), behind, width - w - gap)) return;
    if (text_width(words, style) <= width - w - gap) draw_text_on_top(scene, behind, words, style);
}

CellRect hull(const CellRect& a, const CellRect& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    return {std::min(a.row0, b.row0), std::min(a.column0, b.column0), std::max(a.row1, b.row1),
            std::max(a.column1, b.column1)};
}

// The part that the block works on: its band, its tile, and the tile that it prefetches.
struct Worked {
    CellRect band, tile, prefetched;
};

void draw_cells(Scene& scene, ArrayId array, const MatrixView& m, const Worked& worked,
                const MatrixElements& values, const Rect& covered) {
    const auto& [band, tile, prefetched] = worked;
    const Palette& colors = scene.colors();
    const ColorRole role = scene.plan.role(array);
    const CellRect visible = m.visible();
    const bool is_flat = m.flat(scene.look);
    if (is_flat) {
        fill_rect(m.cells(m.all()).cut(m.window), colors.cell);
        fill_rect(m.cells(band).cut(m.window), mix(colors.panel, colors.tint(role), 0.76f));
    }
    Patch patch(scene.look, m, is_flat ? cut(hull(tile, prefetched), visible) : visible,
                {CellLook::kIdle, role});
    patch.fill(band, kBandDim);
    patch.fill(tile, 0);
    patch.fill(prefetched, 0);
    mark_copies(scene, array, patch);
    mark_sources(scene, array, patch);
    mark_held(scene, array, patch);
    mark_request(scene, array, patch);
    if (!patch.grid.cells.empty()) add_cell_grid(scene.look, patch.grid);
    draw_small_request(scene, array, m);
    draw_values(scene, m, patch, values, covered);
}

void draw_input(Scene& scene, const char* name, const MatrixView& m, const MatrixElements& values) {
    const ArrayId array = scene.plan.find(name);
    if (array == kNoArray) return;
    const ColorRole role = scene.plan.role(array);
    const Palette& colors = scene.colors();
    const Regions& regions = scene.replay.regions();
    const Worked worked{regions.band(array), regions.tile(array, scene.state.phase),
                        regions.prefetched(array, scene.state.phase)};
    const auto& [band, tile, prefetched] = worked;
    const std::optional<RequestBeyond> beyond = request_beyond(scene, array, m);
    {
        const Clip clip(m.window);
        const Array& its = scene.trace.arrays[array];
        if (!draw_heat(scene, array, role, m, its.leading_dimension,
                       [&its](Element at) { return its.index_of(at); }))
            draw_cells(scene, array, m, worked, values, beyond ? beyond->plate : Rect{});
    }
    const ImU32 faint = mix(colors.panel, colors.solid(role), 0.55f);
    if (!(band == tile)) frame(scene, m, band, faint, 1.5f);
    frame(scene, m, prefetched, colors.solid(role), 2, true);
    frame(scene, m, tile, colors.solid(role), 3);
    register_part(role == ColorRole::kA ? "stage.a.tile" : "stage.b.tile", m, tile);
    if (beyond) draw_request_beyond(scene, *beyond);
}

// The text beside A or B: its size, the visible part, and the meaning of the dashed frame, as far
// as there is room.
std::string input_text(const Scene& scene, const char* name, const MatrixView& m, float width) {
    const float room = width - scene.f(34);
    const ArrayId array = scene.plan.find(name);
    const bool prefetched =
        !cut(scene.replay.regions().prefetched(array, scene.state.phase), m.visible()).empty();
    const TextStyle style = scene.body(0);
    if (const std::string heat = heat_text(scene, array); !heat.empty())
        return longest_that_fits({heat, heat.substr(0, heat.find(" from"))}, room, style);
    std::vector<std::string> choices;
    if (prefetched) choices = {size_of(m) + ", dashed: prefetch", "dashed: prefetch"};
    if (array != kNoArray && scene.trace.arrays[array].by_columns) {
        if (!product_by_rows(scene.trace).empty())
            choices.push_back(size_of(m) + ", column-major, or by rows " + name + "^T");
        choices.push_back(size_of(m) + ", column-major");
        choices.emplace_back("column-major");
    }
    if (scene.layout.cropped) choices.push_back(part_of(m));
    choices.push_back(extent_of(m));
    return longest_that_fits(choices, room, style);
}

void touch_matrix(Scene& scene, const char* name, const char* widget, const MatrixView& m) {
    register_widget(widget, m.window);
    const std::optional<Element> here = scene.pointed(m);
    if (!here) return;
    hover_global(scene, scene.plan.find(name), *here);
    if (std::string_view(name) != "C" || !scene.clicked) return;
    if (contains(scene.replay.regions().c, *here)) {
        const std::uint32_t thread = scene.replay.provenance().owner_of(*here);
        if (thread == kNoStep) return;
        const WatchedThread& watched = scene.thread();
        const std::uint32_t warp = thread / kWarpSize, lane = thread % kWarpSize;
        if (watched.chosen_warp() == warp && watched.chosen_lane() == lane)
            return go_to_next_use(scene);
        append(scene.commands, {ChooseWarp{warp}, ChooseLane{lane}});
        return;
    }
    if (const auto block = scene.plan.blocks().storing(*here, scene.trace.launch))
        watch_block(scene, *block);
}

}  // namespace

namespace {

// The place of a control with these words. It may not fit into the stage.
Rect place_of_chip(const Scene& scene, const char* words) {
    const StageLayout& layout = scene.layout;
    const float w = chooser_width(scene.look, words);
    // Flush with C where its name leaves room, and clear of the frames of B and C.
    const float name = layout.title_c.x + scene.f(26);
    const float x = std::max(layout.c.window.right() - w, name), h = scene.f(10);
    const float top = std::max(layout.title_c.y - h, layout.b.window.bottom() + scene.u(4));
    const float bottom = std::min(layout.title_c.y + h, layout.c.window.y - scene.u(4));
    return {x, top, w, bottom - top};
}

bool is_clear(const Scene& scene, const Rect& chip) {
    return chip.right() <= scene.layout.shared.x - scene.u(12);
}

}  // namespace

const char* whole_chip_text(const Scene& scene) {
    if (scene.view.whole) return "values (0)";
    return is_clear(scene, place_of_chip(scene, "all blocks (0)")) ? "all blocks (0)"
                                                                   : "all blocks";
}

Rect whole_chip_rect(const Scene& scene) {
    if (!scene.layout.could_crop || scene.view.zoom > 1.001f || !scene.has_controls()) return {};
    const Rect chip = place_of_chip(scene, whole_chip_text(scene));
    return is_clear(scene, chip) ? chip : Rect{};
}

void draw_matrices(Scene& scene) {
    const StageLayout& layout = scene.layout;
    draw_input(scene, "A", layout.a, matrix_of(scene.trace, MatrixRole::kA));
    draw_input(scene, "B", layout.b, matrix_of(scene.trace, MatrixRole::kB));
    draw_product(scene);
    const float a_width = layout.c.window.x - layout.title_a.x - scene.u(8);
    // No title reaches into the strip in which copies move.
    float c_width =
        (layout.strip.w > 0 ? layout.strip.x : layout.shared.x - scene.u(12)) - layout.title_c.x;
    draw_title(scene, layout.title_a, false, "A", ColorRole::kA,
               input_text(scene, "A", layout.a, a_width), a_width);
    draw_title(scene, layout.title_b, layout.small, "B", ColorRole::kB,
               input_text(scene, "B", layout.b, c_width), c_width);
    const Rect chip = whole_chip_rect(scene);
    if (chip.w > 0) c_width = chip.x - scene.u(8) - layout.title_c.x;
    draw_title(scene, layout.title_c, false, "C", ColorRole::kC,
               matrix_product_text(scene, c_width), c_width);
    touch_matrix(scene, "A", "stage.a", layout.a);
    touch_matrix(scene, "B", "stage.b", layout.b);
    touch_matrix(scene, "C", "stage.c", layout.c);
}

}  // namespace tilereel::stage
