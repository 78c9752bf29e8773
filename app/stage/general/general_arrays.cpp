// Global arrays as grids of cells: the cells that the block uses, those accessed now, and their
// values.
#include <algorithm>

#include "app/stage/general/general.h"
#include "app/stage/motion/moving.h"
#include "app/stage/scene.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/views.h"

namespace tilereel::stage {
namespace {

constexpr std::uint64_t kMostCells = 60000;  // with more cells, a cell is smaller than a pixel

// The step whose request is shown. At the end: the number of steps.
std::uint32_t present_step(const Scene& scene) {
    return std::min(scene.state.step, static_cast<std::uint32_t>(scene.steps().size()));
}

Cell cell_of_use(const ArrayContents::Use& use, std::uint32_t step, ColorRole role) {
    if (use.first == kNoStep) return {CellLook::kIdle, role};
    if (step < use.first) return {CellLook::kBand, role};
    if (step <= use.last || use.first_written != kNoStep) return {CellLook::kValid, role};
    return {CellLook::kNothing, role};
}

// Draws the values of an array, if possible with the same font size, which fits the longest visible
// one. If that size is too small to read, each value gets the size at which it fits, and values
// that are still too small are left out.
void draw_values(Scene& scene, const GlobalView& view, const CellRect& seen,
                 const std::vector<Cell>& looks) {
    if (std::min(view.pitch_x, view.pitch_y) < scene.look.px(kTileValuesFrom)) return;
    const Array& array = scene.trace.arrays[view.array];
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t step = present_step(scene);
    struct Value {
        Element at;
        CellText text{};
    };
    std::vector<Value> values;
    std::size_t longest = 1;
    for_each_element(seen, [&](Element at) {
        const auto cell = view.shape.at(at);
        if (!cell) return;
        const CellText text =
            text_of_value(type_of_cell(array, *cell), contents.bytes(view.array, *cell, step));
        if (text.length == 0) return;
        longest = std::max(longest, text.length);
        values.push_back({at, text});
    });
    const float px = scene.type_in(view, longest);
    const float least = least_value_type(scene.look);
    for (const Value& value : values) {
        const float own = px >= least ? px : scene.type_in(view, value.text.length);
        if (own >= least)
            draw_in_cell(scene, view.cell(value.at), value.text.view(),
                         looks[seen.index_of(value.at)], own);
    }
}

// The look of each visible cell.
std::vector<Cell> looks_of(Scene& scene, const GlobalView& view, const CellRect& seen) {
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::uint32_t step = present_step(scene);
    std::vector<Cell> looks(std::size_t{seen.rows()} * seen.columns());
    for_each_element(seen, [&](Element at) {
        const auto cell = view.shape.at(at);
        if (!cell) return;
        Cell& look = looks[seen.index_of(at)];
        if (view.shape.is_padding(*cell))
            look = {CellLook::kOff, ColorRole::kNone}, scene.shows_padding = true;
        else
            look = cell_of_use(contents.use(view.array, *cell), step, view.role);
    });
    if (scene.state.step == kNoStep) return looks;
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (view.shows(cell))
            looks[seen.index_of(view.shape.place(cell))] = {CellLook::kSolid, view.role};
    });
    return looks;
}

void draw_cells(Scene& scene, const GlobalView& view) {
    const CellRect seen = view.visible();
    const Clip clip(view.window);
    if (seen.empty() ||
        draw_heat(scene, view.array, view.role, view, view.shape.row_length(),
                  [&view](Element at) { return view.shape.at(at).value_or(view.shape.cells()); }))
        return;
    if (std::uint64_t{seen.rows()} * seen.columns() > kMostCells ||
        std::min(view.pitch_x, view.pitch_y) < 1)
        return static_cast<void>(draw_uses(scene, view, view.window));
    const std::vector<Cell> looks = looks_of(scene, view, seen);
    CellGrid grid = view.grid(scene.look, seen, view.pitch_y >= scene.look.wide() ? 3 : 1);
    grid.cells = looks;
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
    if (*write == present) return scene.hover.add("before " + was + ", now " + is);
    const Step& step = scene.steps()[*write];
    scene.hover.add("was " + was + " until warp " + std::to_string(step.warp) + " wrote it, tick " +
                    with_commas(step.begin + 1));
}

void hover_cell(Scene& scene, const GlobalView& view, std::uint64_t cell) {
    const Array& array = scene.trace.arrays[view.array];
    const std::uint32_t size = cell_bytes(array);
    const std::uint64_t element = cell * size / std::max(array.element_bytes, 1u);
    const ArrayContents& contents = scene.view.general.plan.contents();
    const std::vector<std::byte> bytes = contents.bytes(view.array, cell, present_step(scene));
    scene.hover.role = view.role;
    scene.hover.title = element_name(array, array.place_of(static_cast<std::uint32_t>(element)));
    if (array.type != ElementType::kBytes)
        if (const std::string member = array.member_at(cell * size); !member.empty())
            scene.hover.title += "." + member;
    if (!bytes.empty()) scene.hover.title += " = " + cell_text(array, cell, bytes);
    scene.hover.add("byte " + with_commas(cell * size) + " of " + array.name);
    say_change(scene, view.array, cell);
    const ArrayContents::Use use = contents.use(view.array, cell);
    if (use.first == kNoStep) return scene.hover.add("not used by this block");
    say_uses(scene, view.array, array.base_bytes + cell * size, size, true);
    say_heat(scene, view.array, cell);
}

void draw_array(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    if (view.strip) return draw_strip(scene, view);
    draw_choosers(scene, view, array);
    draw_cells(scene, view);
    const std::string name = "stage.global." + scene.trace.arrays[view.array].name;
    register_widget(name, view.window);
    draw_map_and_drag(scene, view, array);
    if (const auto cell = view.cell_at(scene.mouse); cell && scene.mouse_here)
        hover_cell(scene, view, *cell);
}

}  // namespace

void for_each_accessed(const Scene& scene, ArrayId array,
                       const std::function<void(std::uint32_t, std::uint64_t)>& visit) {
    const Site* site = scene.site();
    if (site == nullptr || site->array != array || !is_access(site->operation)) return;
    const WarpAccess& access = scene.state.request.access;
    const std::uint32_t size = cell_bytes(scene.trace.arrays[array]);
    for (const std::uint32_t lane : lanes_in(access.lanes.mask)) {
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
                      counted(plan.left_out(), "more array is", "more arrays are") + " not shown",
                      scene.text(Face::kRegular, 13, scene.colors().ink3));
}

// Draws the requests on their way from a global array to shared memory.
void draw_general_flights(Scene& scene, const GeneralLayout& layout) {
    const TextInMotion in_motion;
    const auto origin_of = [&](ArrayId from) -> std::optional<Origin> {
        const auto view = std::ranges::find(layout.views, from, &GlobalView::array);
        if (view == layout.views.end()) return std::nullopt;
        const std::uint32_t size = cell_bytes(scene.trace.arrays[from]);
        // Cells that the window does not show leave from the map.
        const auto cell_of = [view, size](const Flight& flight) {
            const std::uint64_t cell = flight.from_bytes / size;
            const Element at = view->shape.place(cell);
            return view->shows(cell) ? view->cell(at)
                                     : view->scaled_to(view->map).mark(one_cell(at));
        };
        return Origin{view->strip || !view->whole() ? view->box : view->window, cell_of};
    };
    std::vector<Rect> pictures;
    for (const GlobalView& view : layout.views) pictures.push_back(view.box);
    draw_moving_legs(scene, origin_of, pictures);
}

}  // namespace tilereel::stage
