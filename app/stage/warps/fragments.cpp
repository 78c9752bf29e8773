// One lane: the operands that it has read and between them its sums, arranged like the rows and
// columns of C that they belong to.
#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

struct OperandHere {
    bool read = false, now = false;  // loaded; loaded by the request in flight
    float value = 0;
};

template <class T>
std::uint32_t place_in(const std::vector<T>& ascending, T value) {
    return static_cast<std::uint32_t>(std::ranges::find(ascending, value) - ascending.begin());
}

// The operands of one matrix: those in these rows and columns of it.
struct Operands {
    std::vector<std::uint32_t> rows, columns;
    std::vector<OperandHere> cells = std::vector<OperandHere>(rows.size() * columns.size());
    [[nodiscard]] OperandHere* at(std::uint32_t row, std::uint32_t column) {  // nullptr: not shown
        const std::uint32_t y = place_in(rows, row), x = place_in(columns, column);
        return y < rows.size() && x < columns.size() ? &cells[y * columns.size() + x] : nullptr;
    }
};

// The shown state of the watched lane.
struct LaneNow {
    const LaneWork* work = nullptr;
    std::size_t product = 0;  // index in LaneWork::products; their size: none
    std::uint32_t k = kNoIndex;
    Operands a, b;
    std::uint32_t lit = kNoIndex;  // the highlighted multiply-add: LaneWork::order
};

// The values of k that one read loads together with `k`.
std::vector<std::uint32_t> k_loaded_with(std::uint32_t k, std::uint32_t count) {
    std::vector<std::uint32_t> all;
    const std::uint32_t first = k == kNoIndex ? 0 : k / count * count;
    for (std::uint32_t i = 0; i < count; ++i) all.push_back(first + i);
    return all;
}

// Index of the multiply-add to highlight. They are highlighted one after another while the
// preceding request runs.
std::uint32_t lit_product(const Scene& scene, const LaneWork& work, std::size_t first) {
    const std::uint32_t step = work.products[first].step;
    std::uint32_t count = 0;
    for (std::size_t i = first; i < work.products.size() && work.products[i].step == step; ++i)
        count += work.products[i].count;
    const Step& of = scene.steps()[step];
    const double done = (scene.workbench.position() - static_cast<double>(of.begin)) / of.ticks;
    const auto at = static_cast<std::uint32_t>(std::clamp(done, 0.0, 1.0) * count);
    return work.products[first].first + std::min(at, count - 1);
}

void fill_operands(const Scene& scene, std::uint32_t last, LaneNow& shown) {
    const LaneWork& work = *shown.work;
    const auto end = std::ranges::upper_bound(work.operands, last, {}, &LaneOperand::step);
    // The operands of the current product were read at most this many products ago.
    const std::size_t back = std::size_t{8} * std::max(work.k_of_a, work.k_of_b);
    const std::uint32_t first =
        shown.product > back && back > 0 ? work.products[shown.product - back].step : 0;
    auto operand = std::ranges::lower_bound(work.operands, first, {}, &LaneOperand::step);
    for (; operand < end; ++operand) {
        for (auto [matrix, shown_operands] : {std::pair("A", &shown.a), std::pair("B", &shown.b)})
            if (operand->matrix == scene.plan.find(matrix))
                if (OperandHere* here = shown_operands->at(operand->row, operand->column))
                    *here = {true, operand->step == scene.state.step, operand->value};
    }
}

LaneNow lane_now(Scene& scene) {
    LaneNow shown;
    const std::uint32_t warp = scene.thread().warp(scene.state, scene.replay);
    shown.work = &scene.view.lanes.work(scene.replay, warp, scene.thread().lane());
    const LaneWork& work = *shown.work;
    const std::uint32_t last =
        warp < scene.state.warps.size() ? scene.state.warps[warp].step : kNoStep;
    shown.product = last == kNoStep ? 0 : work.products_from(last);
    if (shown.product < work.products.size()) {
        // Its multiply-adds follow the request in flight.
        if (work.products[shown.product].step == last && scene.state.step == last)
            shown.lit = lit_product(scene, work, shown.product);
        while (shown.product + 1 < work.products.size() && shown.lit != kNoIndex &&
               shown.lit >= work.products[shown.product + 1].first)
            ++shown.product;
        shown.k = work.products[shown.product].k;
    }
    shown.a = {work.rows, k_loaded_with(shown.k, work.k_of_a)};
    shown.b = {k_loaded_with(shown.k, work.k_of_b), work.columns};
    // Shows only operands with the shown k. Registers keep older ones, but these are not used
    // again.
    if (last != kNoStep) fill_operands(scene, last, shown);
    return shown;
}

// The layout of a lane's fragments: a at the left of the sums, b above them.
struct Places {
    float numbers_h = 0;  // height of the column numbers of C
    CellWindow a, b, sums;
};
Places places_in(const Scene& scene, const Rect& area, const LaneNow& shown) {
    const std::size_t rows = shown.a.rows.size(), columns = shown.b.columns.size();
    const std::size_t a = shown.a.columns.size(), b = shown.b.rows.size();
    const float gap = scene.u(8), numbers_w = text_width("000 ", scene.number(Align::kRight));
    Places places;
    places.numbers_h = scene.f(14);
    const float height = area.h - places.numbers_h - gap, width = area.w - numbers_w - gap;
    const float pitch_y =
        std::min(std::floor(height / static_cast<float>(rows + b)), scene.u(6) + scene.f(20));
    const float pitch_x = std::min(std::floor(width / static_cast<float>(columns + a)),
                                   std::max(pitch_y, scene.f(38)));
    const auto window = [&](float x, float y, std::size_t down, std::size_t across) {
        CellWindow grid{.rows = static_cast<std::uint32_t>(down),
                        .columns = static_cast<std::uint32_t>(across)};
        grid.show_all({x, y}, {pitch_x, pitch_y});
        return grid;
    };
    const float x = area.x + numbers_w, y = area.y + places.numbers_h;
    const float sums_x = x + static_cast<float>(a) * pitch_x + gap;
    const float sums_y = y + static_cast<float>(b) * pitch_y + gap;
    places.a = window(x, sums_y, rows, a);
    places.b = window(sums_x, y, b, columns);
    places.sums = window(sums_x, sums_y, rows, columns);
    return places;
}

constexpr Cell kNothingYet{CellLook::kNeverWritten, ColorRole::kNone};

// The font size in pixels for values of `digits` digits. 0 if they do not fit.
float value_px(const Scene& scene, const CellWindow& places, std::size_t digits) {
    const float fits =
        places.pitch_x / (0.66f * static_cast<float>(std::max<std::size_t>(digits, 1)));
    const float px = std::min({fits, places.pitch_y * 0.72f, scene.f(14)});
    return px < scene.look.px(9.5f) ? 0 : px;
}

// `lit`: the operand of the highlighted product; outside of the grid: none.
void draw_operands(Scene& scene, const CellWindow& places, const Operands& operands, ColorRole role,
                   Element lit) {
    const CellRect all = places.all();
    CellGrid grid = places.grid(scene.look, all, 3, kNothingYet);
    for_each_element(all, [&](Element at) {
        const OperandHere& operand = operands.cells[all.index_of(at)];
        if (operand.read)
            grid.cells[all.index_of(at)] = {operand.now ? CellLook::kInFlight
                                            : at == lit ? CellLook::kSolid
                                                        : CellLook::kValid,
                                            role};
    });
    add_cell_grid(scene.look, grid);
    for_each_element(all, [&](Element at) {
        const OperandHere& operand = operands.cells[all.index_of(at)];
        const Rect cell = places.cell(at);
        const CellText text = text_of(operand.value);
        if (operand.read)
            draw_in_cell(scene, cell, text.view(), grid.cells[all.index_of(at)],
                         value_px(scene, places, text.length));
        if (at == lit)
            stroke_rect(cell.inset(-1), scene.colors().accent, scene.look.hair(),
                        scene.look.tight());
    });
}

std::string register_text(float value) { return std::string(text_of(value).view()); }

// "C[3][4] += A[3][7] × B[7][4] = 2 × 5"; `at`: among the lane's sums.
void hover_sum(Scene& scene, LaneNow& shown, Element at, float sum) {
    const LaneWork& work = *shown.work;
    const std::uint32_t row = work.rows[at.row], column = work.columns[at.column];
    const auto name = [&](const char* array, std::uint32_t r, std::uint32_t c) {
        return element_name(scene.trace.arrays[scene.plan.find(array)], r, c);
    };
    scene.hover.role = ColorRole::kC;
    scene.hover.title = name("C", row, column) + " = " + register_text(sum);
    if (shown.k == kNoIndex) return;
    scene.hover.add("+ " + name("A", row, shown.k) + " \xc3\x97 " + name("B", shown.k, column));
    const OperandHere *a = shown.a.at(row, shown.k), *b = shown.b.at(shown.k, column);
    if (a != nullptr && b != nullptr && a->read && b->read)
        scene.hover.add("+ " + register_text(a->value) + " \xc3\x97 " + register_text(b->value));
}

void draw_sums(Scene& scene, const CellWindow& places, LaneNow& shown, Element lit) {
    const LaneWork& work = *shown.work;
    const CellRect all = places.all();
    CellGrid grid = places.grid(scene.look, all, 3, kNothingYet);
    const float of = static_cast<float>(std::max(1u, scene.trace.launch.k));
    const auto sum_at = [&](Element at) {
        return scene.sum_of({work.rows[at.row], work.columns[at.column]});
    };
    // Draws values in all cells or in none: a single value would look like the only one.
    std::size_t digits = 1;
    for_each_element(all, [&](Element at) {
        const PartialSum* const sum = sum_at(at);
        if (sum == nullptr) return;
        digits = std::max(digits, text_of(sum->value).length);
        const float share = std::min(1.0f, static_cast<float>(sum->multiply_adds) / of);
        grid.cells[all.index_of(at)] = {at == lit ? CellLook::kSolid : CellLook::kPartialBar,
                                        ColorRole::kC,
                                        static_cast<std::uint8_t>(std::lround(255 * share)), 0};
        if (at == lit) scene.lit_sum = static_cast<std::uint32_t>(sum - scene.state.sums.data());
    });
    add_cell_grid(scene.look, grid);
    const float px = value_px(scene, places, digits);
    for_each_element(all, [&](Element at) {
        const PartialSum* const sum = sum_at(at);
        if (sum == nullptr) return;
        const Rect cell = places.cell(at);
        if (sum->multiply_adds > 0 || sum->stored)
            draw_in_cell(scene, cell, text_of(sum->value).view(), grid.cells[all.index_of(at)], px);
        if (scene.points_at(cell)) hover_sum(scene, shown, at, sum->value);
    });
}

// Draws the row numbers of C beside a, and the column numbers above b.
void draw_numbers(Scene& scene, const Places& places, const LaneNow& shown) {
    const TextStyle above = scene.number(Align::kCenter), beside = scene.number(Align::kRight);
    const auto &rows = shown.a.rows, &columns = shown.b.columns;
    const bool fit = text_width(std::to_string(columns.back()), above) <= places.b.pitch_x - 1;
    for (std::uint32_t i = 0; i < columns.size() && fit; ++i)
        draw_text({places.b.cell({0, i}).center().x, places.b.window.y - places.numbers_h / 2},
                  std::to_string(columns[i]), above);
    for (std::uint32_t i = 0; i < rows.size() && beside.px <= places.a.pitch_y + 1; ++i)
        draw_text({places.a.window.x - scene.u(5), places.a.cell({i, 0}).center().y},
                  std::to_string(rows[i]), beside);
}

// "k 3: 8 of A and 8 of B give 64 multiply-adds"; the longest form that fits.
std::string lane_text(const LaneNow& shown, float width, const TextStyle& style) {
    const LaneWork& work = *shown.work;
    const std::string rows = std::to_string(work.rows.size());
    const std::string columns = std::to_string(work.columns.size());
    if (shown.k == kNoIndex) return rows + " \xc3\x97 " + columns + " sums";
    const std::string count = std::to_string(work.products[shown.product].count);
    const std::string k = "k " + std::to_string(shown.k) + ": ";
    return longest_that_fits(
        {k + rows + " of A and " + columns + " of B give " + count + " multiply-adds",
         k + rows + " \xc3\x97 " + columns + " multiply-adds", rows + " \xc3\x97 " + columns},
        width, style);
}

}  // namespace

void draw_fragments(Scene& scene) {
    const Rect& area = scene.layout.fragments;
    if (area.w <= 0 || area.h < scene.f(60)) return;
    LaneNow shown = lane_now(scene);
    const LaneWork& work = *shown.work;
    const float y = area.y + scene.f(11);
    const bool owns = !work.rows.empty() && !work.columns.empty();
    draw_heading(scene, {area.x, y}, area.w,
                 "Lane " + std::to_string(work.lane) + " of warp " + std::to_string(work.warp),
                 [&](float width, const TextStyle& style) {
                     return owns ? lane_text(shown, width, style) : "owns no sums";
                 });
    register_widget("stage.fragments", area);
    if (!owns) return;
    const float top = y + scene.f(scene.layout.small ? 12 : 16);
    const Places places = places_in(scene, {area.x, top, area.w, area.bottom() - top}, shown);
    if (places.sums.pitch_y < scene.look.px(5)) return;
    Element lit{kNoIndex, kNoIndex};
    if (shown.lit != kNoIndex && work.order[shown.lit] != kNoStep) {
        const Element sum = scene.element_of_sum(work.order[shown.lit]);
        lit = {place_in(work.rows, sum.row), place_in(work.columns, sum.column)};
    }
    lit = scene.pointed(places.sums).value_or(lit);
    draw_numbers(scene, places, shown);
    draw_operands(scene, places.a, shown.a, ColorRole::kA,
                  {lit.row, place_in(shown.a.columns, shown.k)});
    draw_operands(scene, places.b, shown.b, ColorRole::kB,
                  {place_in(shown.b.rows, shown.k), lit.column});
    draw_sums(scene, places.sums, shown, lit);
    register_widget("stage.fragments.a", places.a.window);
    register_widget("stage.fragments.b", places.b.window);
    register_widget("stage.fragments.c", places.sums.window);
}

}  // namespace tilereel::stage
