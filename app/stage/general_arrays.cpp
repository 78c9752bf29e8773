// Global arrays as grids of cells: what the block uses, what is accessed now, values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "app/stage/general.h"
#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostCells = 60000;  // of a grid; more are smaller than a pixel

// The step whose request is shown; the number of all steps at the end.
std::uint32_t present_step(const Scene& scene) {
    return scene.state.step != kNoStep ? scene.state.step
                                       : static_cast<std::uint32_t>(scene.replay.steps().size());
}

// Calls visit(lane, cell) for each cell of an array that the request in flight accesses.
template <class Visit>
void for_each_accessed(const Scene& scene, ArrayId array, Visit&& visit) {
    const Site* site = scene.site();
    if (site == nullptr || site->array != array || !is_access(site->operation)) return;
    const WarpAccess& access = scene.state.request.access;
    const std::uint32_t size = cell_bytes(scene.trace.arrays[array]);
    for (std::uint32_t mask = access.lanes.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        const std::uint64_t first = access.lanes.bytes[lane] / size;
        const std::uint64_t last = (access.lanes.bytes[lane] + site->width_bytes - 1) / size;
        for (std::uint64_t cell = first; cell <= last; ++cell) visit(lane, cell);
    }
}

Cell cell_of_use(const ArrayContents::Use& use, std::uint32_t step, Role role) {
    if (use.first == kNoStep) return {CellLook::kIdle, role, 0, 0};
    if (step < use.first) return {CellLook::kBand, role, 0, 0};
    if (step <= use.last || use.first_written != kNoStep) return {CellLook::kValid, role, 0, 0};
    return {CellLook::kNothing, role, 0, 0};
}

std::string cell_value(const Array& array, std::span<const std::byte> bytes) {
    if (bytes.empty() || array.type == ElementType::kBytes) return {};
    const CellText text = text_of(static_cast<float>(number_of(array.type, bytes)));
    return std::string(text.view());
}

void draw_values(Scene& scene, const GlobalView& view, const std::vector<Cell>& looks,
                 std::uint32_t step) {
    const Array& array = scene.trace.arrays[view.array];
    const ArrayContents& contents = scene.view.general.plan.contents();
    const Palette& colors = scene.colors();
    if (view.pitch < scene.look.px(kValuesFrom) * 0.7f) return;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const std::uint64_t cell = (view.first_row + i / view.columns) * view.row_length +
                                   view.first_column + i % view.columns;
        if (!view.shows(cell)) continue;
        const std::string text = cell_value(array, contents.bytes(view.array, cell, step));
        if (text.empty()) continue;
        const float px =
            cell_type(scene.look, view.pitch, view.pitch, static_cast<int>(text.size()));
        if (px <= 0) continue;
        TextStyle style{Face::kMono, px, colors.ink3, Align::kCenter};
        if (looks[i].look == CellLook::kSolid)
            style.face = Face::kMonoBold, style.color = colors.on;
        else if (looks[i].look == CellLook::kValid)
            style.face = Face::kMonoBold, style.color = colors.ink;
        else if (looks[i].look == CellLook::kBand)
            style.color = colors.ink2;
        draw_text(scene.list, view.rect_of(cell).center(), text, style);
    }
}

// An array of more cells than pixels: where the block works, and where the request is.
void draw_outline(Scene& scene, const GlobalView& view) {
    const Palette& colors = scene.colors();
    fill_rect(scene.list, view.window, colors.cell, scene.look.px(3));
    const ArrayContents::Range used = scene.view.general.plan.contents().used(view.array);
    if (!used.empty()) {
        const Rect first = view.rect_of(used.first), last = view.rect_of(used.last - 1);
        fill_rect(
            scene.list,
            {view.window.x, first.y, view.window.w, std::max(last.bottom() - first.y, scene.u(3))},
            colors.tint(view.role));
    }
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        const Rect at = view.rect_of(cell);
        fill_rect(scene.list, {at.x, at.y, std::max(at.w, 3.0f), std::max(at.h, 3.0f)},
                  colors.solid(view.role));
    });
}

void draw_cells(Scene& scene, const GlobalView& view) {
    if (view.rows * view.columns > kMostCells || view.pitch < 1) {
        draw_outline(scene, view);
        return;
    }
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t step = present_step(scene);
    CellGrid grid;
    grid.at = view.window.min();
    grid.pitch_x = grid.pitch_y = view.pitch;
    grid.rows = static_cast<std::uint32_t>(view.rows);
    grid.columns = view.columns;
    grid.gap = view.pitch >= scene.look.px(6) ? scene.u(2) : 0;
    grid.radius = scene.look.px(view.pitch >= scene.look.px(12) ? 3 : 1);
    grid.cells.assign(static_cast<std::size_t>(view.rows * view.columns), {});
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        const std::uint64_t cell = (view.first_row + i / view.columns) * view.row_length +
                                   view.first_column + i % view.columns;
        if (view.shows(cell))
            grid.cells[i] = cell_of_use(contents.use(view.array, cell), step, view.role);
    }
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (!view.shows(cell) || scene.state.step == kNoStep) return;
        const std::uint64_t row = cell / view.row_length - view.first_row;
        const std::uint64_t column = cell % view.row_length - view.first_column;
        grid.cells[static_cast<std::size_t>(row * view.columns + column)] = {CellLook::kSolid,
                                                                             view.role, 0, 0};
    });
    const std::vector<Cell> looks = grid.cells;
    add_cell_grid(scene.list, scene.look, std::move(grid));
    draw_values(scene, view, looks, step);
}

// "float, 64 x 64" and, where only a part is shown, which one.
std::string words_of(const Scene& scene, const GlobalView& view) {
    const Array& array = scene.trace.arrays[view.array];
    std::string words = array.type_text();
    const char* separator = ", ";
    for (const std::uint32_t extent : array.extents()) {
        words += separator + with_commas(extent);
        separator = " \xc3\x97 ";
    }
    if (array.space == Space::kConstant) words += ", constant";
    if (!view.part) return words;
    words += view.rows == 1 ? "; row " + with_commas(view.first_row)
                            : "; rows " + with_commas(view.first_row) + " to " +
                                  with_commas(view.first_row + view.rows - 1);
    return words + " of " + with_commas(view.all_rows);
}

// The chooser of the row length and, where they differ, of the whole or the part: below the name.
void draw_choosers(Scene& scene, const GlobalView& view, const GlobalArray& array,
                   const std::string& name) {
    GeneralView& chosen = scene.view.general;
    const float h = scene.u(6) + scene.f(15), y = view.box.y + scene.u(6) + scene.f(19);
    float left = view.box.x;
    const auto button_width = [&](const std::string& label) {
        return text_width(label, Face::kSemiBold, scene.f(15)) + scene.u(24);
    };
    if (view.can_change) {
        const char* const label = view.part ? "all" : "block's part";
        const float w = button_width(label);
        if (left + w <= view.box.right() &&
            text_button(scene.look, "stage.global." + name + ".part", {left, y, w, h}, label, false,
                        "The whole array, or only what this block uses of it"))
            chosen.whole[name] = view.part;
        left += w + scene.u(6);
    }
    if (array.offered_rows.size() > 1) {
        std::vector<std::string> labels;
        int current = 0;
        for (std::size_t i = 0; i < array.offered_rows.size(); ++i) {
            labels.push_back(with_commas(array.offered_rows[i]) + " a row");
            if (array.offered_rows[i] == view.row_length) current = static_cast<int>(i);
        }
        const float w = button_width(labels[static_cast<std::size_t>(current)]) + scene.u(14);
        if (left + w > view.box.right()) return;
        const int asked =
            choice_chip(scene.look, "stage.global." + name + ".rows", {left, y, w, h}, "", labels,
                        current, "How many elements stand in a row; changes only the picture");
        if (asked >= 0) chosen.rows[name] = array.offered_rows[static_cast<std::size_t>(asked)];
    }
}

void hover_cell(Scene& scene, const GlobalView& view, std::uint64_t cell) {
    const Array& array = scene.trace.arrays[view.array];
    const std::uint32_t size = cell_bytes(array);
    const std::uint64_t element = cell * size / std::max(array.element_bytes, 1u);
    const std::uint32_t row_length = std::max(array.leading_dimension, 1u);
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::vector<std::byte> bytes = contents.bytes(view.array, cell, present_step(scene));
    scene.hover.any = true;
    scene.hover.role = view.role;
    scene.hover.title = element_name(array, static_cast<std::uint32_t>(element / row_length),
                                     static_cast<std::uint32_t>(element % row_length));
    if (!bytes.empty()) scene.hover.title += " = " + value_text(array.type, bytes);
    scene.hover.lines.push_back("byte " + with_commas(cell * size) + " of " + array.name);
    const ArrayContents::Use use = contents.use(view.array, cell);
    if (use.first == kNoStep) {
        scene.hover.lines.push_back("not used by this block");
        return;
    }
    const Step& first = scene.replay.steps()[use.first];
    scene.hover.lines.push_back("first used by warp " + std::to_string(first.warp) + ", tick " +
                                with_commas(first.begin + 1));
    if (scene.clicked) scene.commands.push_back(SeekTo{static_cast<double>(first.begin), false});
}

void draw_array(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    const std::string& name = scene.trace.arrays[view.array].name;
    const Palette& colors = scene.colors();
    draw_choosers(scene, view, array, name);
    const float right = view.box.right();
    const float y = view.box.y + scene.f(9);
    const float w =
        draw_text_fit(scene.list, {view.box.x, y}, right - view.box.x, name,
                      scene.text(Face::kSemiBold, scene.layout.small ? 15 : 18,
                                 view.role == Role::kNone ? colors.ink : colors.solid(view.role)));
    const float x = view.box.x + w + scene.u(9);
    draw_text_shrunk(scene, {x, y}, right - x, words_of(scene, view),
                     scene.text(Face::kRegular, 13, colors.ink2));
    draw_cells(scene, view);
    register_widget("stage.global." + name, view.window);
    std::uint64_t cell = 0;
    if (scene.mouse_here && view.at(scene.mouse, cell)) hover_cell(scene, view, cell);
}

}  // namespace

void draw_global_arrays(Scene& scene, const GeneralLayout& layout) {
    const GeneralPlan& plan = scene.view.general.plan;
    for (std::size_t i = 0; i < layout.views.size(); ++i)
        draw_array(scene, layout.views[i], plan.arrays()[i]);
    if (plan.left_out() > 0)
        draw_text_fit(scene.list, {layout.globals.x, layout.globals.bottom() + scene.u(2)},
                      layout.globals.w,
                      plural(plan.left_out(), "more array is", "more arrays are") + " not shown",
                      scene.text(Face::kRegular, 13, scene.colors().ink3));
}

// What is on its way from a global array to shared memory.
void draw_general_flights(Scene& scene, const GeneralLayout& layout) {
    std::vector<MovingCell> moving;
    const std::vector<Flight>& flights = scene.replay.flights();
    for (std::uint32_t i = 0; i < flights.size(); ++i) {
        const Flight& flight = flights[i];
        if (static_cast<double>(flight.depart) > scene.workbench.position()) break;
        const double p = flight_progress(scene, i);
        if (p <= 0 || p >= 1) continue;
        const Array& from = scene.trace.arrays[flight.from];
        const std::uint64_t element =
            std::uint64_t{flight.from_row} * from.leading_dimension + flight.from_column;
        const std::uint64_t cell = element * (from.element_bytes / cell_bytes(from));
        const SharedView* to = view_of_row(scene, flight.to, flight.to_row);
        for (const GlobalView& view : layout.views) {
            if (view.array != flight.from || !view.shows(cell) || to == nullptr) continue;
            const Rect a = view.rect_of(cell), b = to->cell(flight.to_row, flight.to_column);
            const auto t = static_cast<float>(0.5 - 0.5 * std::cos(3.14159265358979 * p));
            const float gap = scene.u(2);
            const float w = std::max(a.w + (b.w - a.w) * t - gap, 3.0f);
            const float h = std::max(a.h + (b.h - a.h) * t - gap, 3.0f);
            const float x = a.center().x + (b.center().x - a.center().x) * t;
            const float y = a.center().y + (b.center().y - a.center().y) * t;
            moving.push_back({{x - w / 2, y - h / 2, w, h},
                              CellLook::kInFlight,
                              view.role,
                              255,
                              scene.look.px(4)});
            scene.flying.push_back(moving.back().rect);
        }
    }
    add_moving_cells(scene.list, scene.look, std::move(moving));
}

}  // namespace tilereel::stage
