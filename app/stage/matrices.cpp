// A and B: band, tile, what is being copied and read; and the titles of all three matrices.
#include <algorithm>
#include <cmath>

#include "app/stage/matrix_parts.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

// Elements of global memory that the flights of this phase brought to what the request in flight
// reads from shared memory.
void mark_sources(Scene& scene, ArrayId array, Role role, bool is_flat, Patch& patch) {
    const Site* site = scene.site();
    if (!scene.shared_request() || site->operation != Operation::kLoad) return;
    const Array& shared = scene.trace.arrays[site->array];
    std::vector<bool> read(std::size_t{shared.rows} * shared.leading_dimension);
    for (const LaneState& lane : scene.state.request.lanes) {
        const std::size_t cell = std::size_t{lane.row} * shared.leading_dimension + lane.column;
        if (lane.active && cell < read.size()) read[cell] = true;
    }
    for (const std::uint32_t index : scene.plan.flights_of_phase(scene.state.phase)) {
        const Flight& flight = scene.replay.flights()[index];
        if (flight.from != array || flight.to != site->array) continue;
        const std::size_t cell =
            std::size_t{flight.to_row} * shared.leading_dimension + flight.to_column;
        if (cell >= read.size() || !read[cell]) continue;
        if (Cell* c = patch.at(flight.from_row, flight.from_column))
            *c = {is_flat ? CellLook::kSolid : CellLook::kValid, role, 0, 0};
    }
}

void mark_copies(Scene& scene, ArrayId array, Role role, bool is_flat, Patch& patch) {
    for (const std::uint32_t index : scene.plan.flights_of_phase(scene.state.phase)) {
        const Flight& flight = scene.replay.flights()[index];
        if (flight.from != array) continue;
        Cell* cell = patch.at(flight.from_row, flight.from_column);
        if (cell == nullptr) continue;
        const double p = flight_progress(scene, index);
        // Where cells touch, triangles and dashes would be noise: strength tells the same.
        if (p >= 1)
            *cell = {is_flat ? CellLook::kBand : CellLook::kCopied, role, 0, 0};
        else if (p > 0)
            *cell = {is_flat ? CellLook::kBand : CellLook::kBeingCopied, role, 0,
                     static_cast<std::uint8_t>(is_flat ? 140 : 0)};
        else if (is_flat)
            continue;
        else if (scene.view.shown_position >= static_cast<double>(flight.depart))
            *cell = {CellLook::kValid, role, 0, 0};
    }
}

void draw_values(Scene& scene, const MatrixView& m, Patch& patch,
                 const std::vector<float>& values) {
    const float px =
        cell_text_px(scene, std::min(m.pitch_x, m.pitch_y), scene.plan.digits_of_inputs());
    if (px <= 0 || patch.area.empty()) return;
    const Palette& colors = scene.colors();
    for (std::uint32_t row = patch.area.row0; row < patch.area.row1; ++row) {
        for (std::uint32_t column = patch.area.column0; column < patch.area.column1; ++column) {
            const Cell& cell = *patch.at(row, column);
            const std::size_t index = std::size_t{row} * m.columns + column;
            if (index >= values.size()) return;
            TextStyle style{Face::kMono, px, colors.ink3, Align::kCenter};
            switch (cell.look) {
                case CellLook::kInFlight:
                    style.face = Face::kMonoBold, style.color = colors.on;
                    break;
                case CellLook::kCopied:
                case CellLook::kValid:
                    style.face = Face::kMonoBold, style.color = colors.ink;
                    break;
                case CellLook::kBand:
                case CellLook::kBeingCopied:
                    style.color = colors.ink2;
                    break;
                default:
                    break;
            }
            const Rect box = m.cell(row, column);
            draw_text(scene.list, box.center(), text_of(values[index]).view(), style);
        }
    }
}

void draw_title(Scene& scene, ImVec2 at, bool to_the_left, const char* name, Role role,
                const std::string& words, float width) {
    const float px = scene.f(scene.layout.small ? 18 : 24);
    const TextStyle letter{Face::kBold, px, scene.colors().solid(role),
                           to_the_left ? Align::kRight : Align::kLeft};
    const float w = draw_text(scene.list, at, name, letter);
    if (to_the_left) return;
    const float gap = scene.u(scene.layout.small ? 8 : 9);
    const TextStyle style = scene.text(Face::kRegular, 14, scene.colors().ink2);
    if (text_width(words, style.face, style.px) <= width - w - gap)
        draw_text(scene.list, {at.x + w + gap, at.y}, words, style);
}

void draw_input(Scene& scene, const char* name, const MatrixView& m,
                const std::vector<float>& values) {
    const ArrayId array = scene.plan.find(name);
    if (array == kNoArray) return;
    const Palette& colors = scene.colors();
    const Role role = scene.plan.role(array);
    const CellRect visible = m.visible();
    const CellRect band = scene.replay.band(array);
    const CellRect tile = scene.replay.tile(array, scene.state.phase);
    scene.list->PushClipRect(m.window.min(), m.window.max(), true);
    const bool is_flat = flat(scene, m);
    if (is_flat) {
        fill_rect(scene.list, cut(m.cells({0, 0, m.rows, m.columns}), m.window), colors.cell);
        fill_rect(scene.list, cut(m.cells(band), m.window),
                  mix(colors.panel, colors.tint(role), 0.76f));
    }
    Patch patch(scene, m, is_flat ? cut(tile, visible) : visible, {CellLook::kIdle, role, 0, 0});
    patch.fill(band, {CellLook::kBand, role, 0, kBandDim});
    patch.fill(tile, {CellLook::kBand, role, 0, 0});
    mark_copies(scene, array, role, is_flat, patch);
    mark_sources(scene, array, role, is_flat, patch);
    mark_request(scene, array, role, patch);
    if (!patch.grid.cells.empty()) add_cell_grid(scene.list, scene.look, patch.grid);
    draw_small_request(scene, array, m, role);
    draw_values(scene, m, patch, values);
    scene.list->PopClipRect();
    const ImU32 faint = mix(colors.panel, colors.solid(role), 0.55f);
    if (!(band == tile)) frame(scene, m, band, faint, 1.5f);
    frame(scene, m, tile, colors.solid(role), 3);
}

void touch_matrix(Scene& scene, const char* name, const char* widget, const MatrixView& m) {
    register_widget(widget, m.window);
    std::uint32_t row = 0, column = 0;
    if (!scene.mouse_here || !m.at(scene.mouse, row, column)) return;
    hover_global(scene, scene.plan.find(name), row, column);
    if (std::string_view(name) != "C" || !scene.clicked) return;
    const Launch& launch = scene.trace.launch;
    for (std::uint32_t y = 0; y < launch.grid.y; ++y) {
        for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
            const CellRect cells = scene.plan.blocks().at(x, y, launch);
            if (row >= cells.row0 && row < cells.row1 && column >= cells.column0 &&
                column < cells.column1)
                scene.commands.push_back(WatchBlock{x, y});
        }
    }
}

}  // namespace

void draw_matrices(Scene& scene) {
    const StageLayout& layout = scene.layout;
    draw_input(scene, "A", layout.a, scene.trace.a);
    draw_input(scene, "B", layout.b, scene.trace.b);
    draw_product(scene);
    const float a_width = layout.c.window.x - layout.title_a.x - scene.u(8);
    const float c_width = layout.shared.x - layout.title_c.x - scene.u(12);
    draw_title(scene, layout.title_a, false, "A", Role::kA, size_of(layout.a), a_width);
    draw_title(scene, layout.title_b, layout.title_b_beside, "B", Role::kB, size_of(layout.b),
               c_width);
    draw_title(scene, layout.title_c, false, "C", Role::kC, words_of_product(scene, c_width),
               c_width);
    touch_matrix(scene, "A", "stage.a", layout.a);
    touch_matrix(scene, "B", "stage.b", layout.b);
    touch_matrix(scene, "C", "stage.c", layout.c);
}

}  // namespace tilereel::stage
