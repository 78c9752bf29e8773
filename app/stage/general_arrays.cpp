// Global arrays as grids of cells: the cells that the block uses, those accessed now, and their
// values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "app/stage/general.h"
#include "app/stage/heat.h"
#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostCells = 60000;  // with more cells, a cell is smaller than a pixel

// The step whose request is shown. At the end: the number of steps.
std::uint32_t present_step(const Scene& scene) {
    return scene.state.step != kNoStep
               ? scene.state.step
               : static_cast<std::uint32_t>(scene.replay.schedule().steps.size());
}

Cell cell_of_use(const ArrayContents::Use& use, std::uint32_t step, ColorRole role) {
    if (use.first == kNoStep) return {CellLook::kIdle, role, 0, 0};
    if (step < use.first) return {CellLook::kBand, role, 0, 0};
    if (step <= use.last || use.first_written != kNoStep) return {CellLook::kValid, role, 0, 0};
    return {CellLook::kNothing, role, 0, 0};
}

// The text style of a value, depending on the look of its cell.
TextStyle style_of(const Scene& scene, CellLook look, ColorRole role, float px) {
    const Palette& colors = scene.colors();
    TextStyle style{Face::kMono, px, colors.ink3, Align::kCenter};
    if (look == CellLook::kSolid)
        style.face = Face::kMonoBold,
        style.color = role == ColorRole::kNone ? colors.panel : colors.on;
    else if (look == CellLook::kValid)
        style.face = Face::kMonoBold, style.color = colors.ink;
    else if (look == CellLook::kBand)
        style.color = colors.ink2;
    return style;
}

// Draws the values of an array, if possible with the same font size, which fits the longest visible
// one. If that size is too small to read, each value gets the size at which it fits, and values
// that are still too small are left out.
void draw_values(Scene& scene, const GlobalView& view, const PictureBox& seen,
                 const std::vector<Cell>& looks) {
    if (std::min(view.pitch_x, view.pitch_y) < scene.look.px(kTileValuesFrom)) return;
    const Array& array = scene.trace.arrays[view.array];
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t step = present_step(scene);
    struct Value {
        std::size_t index = 0;
        std::uint64_t cell = 0;
        CellText text{};
    };
    std::vector<Value> values;
    std::size_t longest = 1;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        Value value{.index = i};
        if (!view.shape.at(seen.row0 + i / seen.columns(), seen.column0 + i % seen.columns(),
                           value.cell))
            continue;
        value.text = text_of_value(type_of_cell(array, value.cell),
                                   contents.bytes(view.array, value.cell, step));
        if (value.text.length == 0) continue;
        longest = std::max(longest, value.text.length);
        values.push_back(value);
    }
    const float px = cell_type(scene.look, view.pitch_x, view.pitch_y, static_cast<int>(longest));
    const float least = least_value_type(scene.look);
    for (const Value& value : values) {
        const float own = px >= least ? px
                                      : cell_type(scene.look, view.pitch_x, view.pitch_y,
                                                  static_cast<int>(value.text.length));
        if (own >= least)
            draw_text(view.rect_of(value.cell).center(), value.text.view(),
                      style_of(scene, looks[value.index].look, view.role, own));
    }
}

// An array with more cells than pixels: draws the part that the block uses and the part that the
// request accesses.
void draw_outline(Scene& scene, const GlobalView& view) {
    const Palette& colors = scene.colors();
    fill_rect(view.window, colors.cell, scene.look.px(3));
    const auto fill = [&](const PictureBox& box, ImU32 color) {
        if (box.empty()) return;
        const Rect rect{view.window.x + static_cast<float>(box.column0) * view.pitch_x,
                        view.window.y + static_cast<float>(box.row0) * view.pitch_y,
                        std::max(static_cast<float>(box.columns()) * view.pitch_x, 3.0f),
                        std::max(static_cast<float>(box.rows()) * view.pitch_y, 3.0f)};
        fill_rect(rect, color);
    };
    ArrayUses& uses = scene.view.general.plan.uses();
    fill(uses.of_block(view.array, view.shape), colors.tint(view.role));
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (cell >= view.shape.cells()) return;
        const ArrayShape::Place at = view.shape.place(cell);
        fill({at.row, at.column, at.row + 1, at.column + 1}, colors.solid(view.role));
    });
}

// The look of each visible cell.
std::vector<Cell> looks_of(Scene& scene, const GlobalView& view, const PictureBox& seen) {
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t step = present_step(scene);
    std::vector<Cell> looks(static_cast<std::size_t>(seen.rows() * seen.columns()));
    for (std::size_t i = 0; i < looks.size(); ++i) {
        std::uint64_t cell = 0;
        if (!view.shape.at(seen.row0 + i / seen.columns(), seen.column0 + i % seen.columns(), cell))
            continue;
        if (view.shape.is_padding(cell))
            looks[i] = {CellLook::kOff, ColorRole::kNone, 0, 0}, scene.shows_padding = true;
        else
            looks[i] = cell_of_use(contents.use(view.array, cell), step, view.role);
    }
    if (scene.state.step == kNoStep) return looks;
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (!view.shows(cell)) return;
        const ArrayShape::Place at = view.shape.place(cell);
        looks[static_cast<std::size_t>((at.row - seen.row0) * seen.columns() + at.column -
                                       seen.column0)] = {CellLook::kSolid, view.role, 0, 0};
    });
    return looks;
}

// Draws how often each cell was read. Returns false if heat maps are not shown.
bool draw_heat_of(Scene& scene, const GlobalView& view, const PictureBox& seen) {
    const ImVec2 at{
        view.window.x + (static_cast<float>(seen.column0) - view.column0) * view.pitch_x,
        view.window.y + (static_cast<float>(seen.row0) - view.row0) * view.pitch_y};
    const Clip clip(view.window);
    const bool drawn = draw_heat(scene,
                                 {view.array, seen.row0, seen.column0, seen.row1, seen.column1,
                                  view.shape.row_length(), at, view.pitch_x, view.pitch_y,
                                  [&shape = view.shape](std::uint64_t row, std::uint64_t column) {
                                      std::uint64_t cell = 0;
                                      return shape.at(row, column, cell) ? cell : ~std::uint64_t{0};
                                  }},
                                 view.role);
    return drawn;
}

void draw_cells(Scene& scene, const GlobalView& view) {
    const PictureBox seen = view.visible();
    if (seen.empty() || draw_heat_of(scene, view, seen)) return;
    if (seen.rows() * seen.columns() > kMostCells || std::min(view.pitch_x, view.pitch_y) < 1) {
        draw_outline(scene, view);
        return;
    }
    const std::vector<Cell> looks = looks_of(scene, view, seen);
    CellGrid grid;
    grid.at = {view.window.x + (static_cast<float>(seen.column0) - view.column0) * view.pitch_x,
               view.window.y + (static_cast<float>(seen.row0) - view.row0) * view.pitch_y};
    grid.pitch_x = view.pitch_x;
    grid.pitch_y = view.pitch_y;
    grid.rows = static_cast<std::uint32_t>(seen.rows());
    grid.columns = static_cast<std::uint32_t>(seen.columns());
    grid.gap = view.pitch_y >= scene.look.snug() ? scene.u(2) : 0;
    grid.radius = scene.look.px(view.pitch_y >= scene.look.wide() ? 3 : 1);
    grid.cells = looks;
    const Clip clip(view.window);
    add_cell_grid(scene.look, std::move(grid));
    draw_values(scene, view, seen, looks);
}

// Describes the write that changes a cell now, or the last one that did.
void say_change(Scene& scene, ArrayId array, std::uint64_t cell) {
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t present = present_step(scene);
    const std::optional<std::uint32_t> write = contents.last_write(array, cell, present + 1);
    if (!write) return;
    const std::vector<std::byte> before = contents.bytes(array, cell, *write);
    const std::vector<std::byte> after = contents.bytes(array, cell, *write + 1);
    if (before.empty() || after.empty()) return;
    const std::string was = cell_text(scene.trace.arrays[array], cell, before),
                      is = cell_text(scene.trace.arrays[array], cell, after);
    if (*write == present) {
        scene.hover.lines.push_back("before " + was + ", now " + is);
        return;
    }
    const Step& step = scene.replay.schedule().steps[*write];
    scene.hover.lines.push_back("was " + was + " until warp " + std::to_string(step.warp) +
                                " wrote it, tick " + with_commas(step.begin + 1));
}

void hover_cell(Scene& scene, const GlobalView& view, std::uint64_t cell) {
    const Array& array = scene.trace.arrays[view.array];
    const std::uint32_t size = cell_bytes(array);
    const std::uint64_t element = cell * size / std::max(array.element_bytes, 1u);
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::vector<std::byte> bytes = contents.bytes(view.array, cell, present_step(scene));
    scene.hover.any = true;
    scene.hover.role = view.role;
    scene.hover.title = element_name(array, array.place_of(static_cast<std::uint32_t>(element)));
    if (array.type != ElementType::kBytes)
        if (const std::string member = array.member_at(cell * size); !member.empty())
            scene.hover.title += "." + member;
    if (!bytes.empty()) scene.hover.title += " = " + cell_text(array, cell, bytes);
    scene.hover.lines.push_back("byte " + with_commas(cell * size) + " of " + array.name);
    say_change(scene, view.array, cell);
    const ArrayContents::Use use = contents.use(view.array, cell);
    if (use.first == kNoStep) {
        scene.hover.lines.push_back("not used by this block");
        return;
    }
    say_uses(scene, view.array, array.base_bytes + cell * size, size, true);
    say_heat(scene, view.array, cell);
}

void draw_array(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    if (view.strip) return draw_strip(scene, view);
    draw_choosers(scene, view, array);
    draw_cells(scene, view);
    const std::string name = "stage.global." + scene.trace.arrays[view.array].name;
    register_widget(name, view.window);
    if (!view.whole()) draw_map(scene, view);
    drag_window(scene, view);
    if (array.one_extent) drag_row_length(scene, view);
    std::uint64_t cell = 0;
    if (scene.mouse_here && view.at(scene.mouse, cell)) hover_cell(scene, view, cell);
}

}  // namespace

void for_each_accessed(const Scene& scene, ArrayId array,
                       const std::function<void(std::uint32_t, std::uint64_t)>& visit) {
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

void draw_global_arrays(Scene& scene, const GeneralLayout& layout) {
    const GeneralPlan& plan = scene.view.general.plan;
    std::size_t hidden = 0;  // number of strips without room
    for (std::size_t i = 0; i < layout.views.size(); ++i)
        if (layout.views[i].box.w > 0)
            draw_array(scene, layout.views[i], plan.arrays()[i]);
        else
            ++hidden;
    if (hidden > 0)  // in the place that is kept free after the last strip
        draw_text({layout.globals.right(), layout.globals.bottom() - scene.f(9) - scene.u(1)},
                  "+ " + std::to_string(hidden),
                  scene.text(Face::kSemiBold, kLeastNameType, scene.colors().ink3, Align::kRight));
    if (plan.left_out() > 0)
        draw_text_fit({layout.globals.x, layout.globals.bottom() + scene.f(10)}, layout.globals.w,
                      plural(plan.left_out(), "more array is", "more arrays are") + " not shown",
                      scene.text(Face::kRegular, 13, scene.colors().ink3));
}

// Draws the elements on their way from a global array to shared memory.
void draw_general_flights(Scene& scene, const GeneralLayout& layout) {
    std::vector<MovingCell> moving;
    const std::vector<Flight>& flights = scene.replay.flights();
    const double earliest = scene.workbench.position() - scene.plan.longest_ticks() - kFlightTicks;
    const auto first = std::ranges::lower_bound(flights, earliest, {}, [](const Flight& flight) {
        return static_cast<double>(flight.depart);
    });
    for (auto i = static_cast<std::uint32_t>(first - flights.begin()); i < flights.size(); ++i) {
        const Flight& flight = flights[i];
        if (static_cast<double>(flight.depart) > scene.workbench.position()) break;
        const double p = flight_progress(scene, i);
        if (p <= 0 || p >= 1) continue;
        const Array& from = scene.trace.arrays[flight.from];
        const std::uint64_t cell = flight.from_bytes / cell_bytes(from);
        const SharedView* to = view_of_row(scene, flight.to, flight.to_row);
        for (const GlobalView& view : layout.views) {
            if (view.array != flight.from || to == nullptr) continue;
            const ArrayShape::Place at = view.shape.place(cell);
            const PictureBox one{at.row, at.column, at.row + 1, at.column + 1};
            if (!view.shows(cell) && view.whole()) continue;
            const Rect a = view.shows(cell) ? view.rect_of(cell) : view.on_map(one);
            const Rect b = to->cell(flight.to_row, flight.to_column);
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
                              scene.look.tight()});
            scene.flying.push_back(moving.back().rect);
        }
    }
    add_moving_cells(scene.look, std::move(moving));
}

}  // namespace tilereel::stage
