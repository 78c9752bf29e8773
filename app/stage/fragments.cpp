// One lane: the operands that it has read and between them its sums, arranged like the rows and
// columns of C that they belong to.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/stage/lane_now.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

// The layout of a lane's fragments: a at the left of the sums, b above them.
struct Places {
    float pitch_x = 0, pitch_y = 0;
    float numbers_h = 0;  // height of the column numbers of C
    CellWindow a, b, sums;
};
Places places_in(const Scene& scene, const Rect& area, const LaneNow& shown) {
    const std::size_t rows = shown.work->rows.size(), columns = shown.work->columns.size();
    const std::size_t a = shown.k_of_a.size(), b = shown.k_of_b.size();
    const float gap = scene.u(8), numbers_w = text_width("000 ", Face::kMono, scene.f(11));
    Places places;
    places.numbers_h = scene.f(14);
    const float height = area.h - places.numbers_h - gap, width = area.w - numbers_w - gap;
    places.pitch_y =
        std::min(std::floor(height / static_cast<float>(rows + b)), scene.u(6) + scene.f(20));
    places.pitch_x = std::min(std::floor(width / static_cast<float>(columns + a)),
                              std::max(places.pitch_y, scene.f(38)));
    const auto window = [&](float x, float y, std::size_t down, std::size_t across) {
        return CellWindow{{x, y, static_cast<float>(across) * places.pitch_x,
                           static_cast<float>(down) * places.pitch_y},
                          places.pitch_x,
                          places.pitch_y,
                          0,
                          0,
                          static_cast<std::uint32_t>(down),
                          static_cast<std::uint32_t>(across)};
    };
    const float x = area.x + numbers_w, y = area.y + places.numbers_h;
    const float sums_x = x + static_cast<float>(a) * places.pitch_x + gap;
    const float sums_y = y + static_cast<float>(b) * places.pitch_y + gap;
    places.a = window(x, sums_y, rows, a);
    places.b = window(sums_x, y, b, columns);
    places.sums = window(sums_x, sums_y, rows, columns);
    return places;
}

constexpr Cell kNothingYet{CellLook::kNeverWritten, ColorRole::kNone, 0, 0};

// The font size in pixels for values of `digits` digits. 0 if they do not fit.
float value_px(const Scene& scene, const CellWindow& places, std::size_t digits) {
    const float fits =
        places.pitch_x / (0.66f * static_cast<float>(std::max<std::size_t>(digits, 1)));
    const float px = std::min({fits, places.pitch_y * 0.72f, scene.f(14)});
    return px < scene.look.px(9.5f) ? 0 : px;
}

void draw_value(Scene& scene, const Rect& cell, float value, bool on_solid, float px) {
    if (px <= 0) return;
    const CellText text = text_of(value);
    draw_text(
        cell.center(), text.view(),
        {Face::kMonoBold, px, on_solid ? scene.colors().on : scene.colors().ink, Align::kCenter});
}

// `lit`: the operand of the highlighted product; outside of the grid: none.
void draw_operands(Scene& scene, const CellWindow& places, const std::vector<OperandHere>& operands,
                   ColorRole role, Element lit) {
    const CellRect all{0, 0, places.rows, places.columns};
    CellGrid grid = places.grid(scene.look, all, 3, kNothingYet);
    for_each_element(all, [&](Element at) {
        const OperandHere& operand = operands[all.index_of(at)];
        if (operand.read)
            grid.cells[all.index_of(at)] = {operand.now ? CellLook::kInFlight
                                            : at == lit ? CellLook::kSolid
                                                        : CellLook::kValid,
                                            role, 0, 0};
    });
    add_cell_grid(scene.look, std::move(grid));
    for_each_element(all, [&](Element at) {
        const OperandHere& operand = operands[all.index_of(at)];
        const Rect cell = places.cell(at);
        if (operand.read)
            draw_value(scene, cell, operand.value, operand.now || at == lit,
                       value_px(scene, places, text_of(operand.value).length));
        if (at == lit)
            stroke_rect(cell.inset(-1), scene.colors().accent, scene.look.hair(),
                        scene.look.tight());
    });
}

std::string register_text(float value) { return std::string(text_of(value).view()); }

// "C[3][4] += A[3][7] × B[7][4] = 2 × 5"; `at`: among the lane's sums.
void hover_sum(Scene& scene, const LaneNow& shown, Element at, float sum) {
    const LaneWork& work = *shown.work;
    const std::uint32_t row = work.rows[at.row], column = work.columns[at.column];
    const auto name = [&](const char* array, std::uint32_t r, std::uint32_t c) {
        return element_name(scene.trace.arrays[scene.plan.find(array)], r, c);
    };
    scene.hover.role = ColorRole::kC;
    scene.hover.title = name("C", row, column) + " = " + register_text(sum);
    if (shown.k == kNoIndex) return;
    scene.hover.add("+ " + name("A", row, shown.k) + " \xc3\x97 " + name("B", shown.k, column));
    const OperandHere& a = shown.a[at.row * shown.k_of_a.size() + place_in(shown.k_of_a, shown.k)];
    const OperandHere& b =
        shown.b[place_in(shown.k_of_b, shown.k) * work.columns.size() + at.column];
    if (a.read && b.read)
        scene.hover.add("+ " + register_text(a.value) + " \xc3\x97 " + register_text(b.value));
}

void draw_sums(Scene& scene, const CellWindow& places, const LaneNow& shown, Element lit) {
    const LaneWork& work = *shown.work;
    const CellRect all{0, 0, places.rows, places.columns};
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
    add_cell_grid(scene.look, std::move(grid));
    const float px = value_px(scene, places, digits);
    for_each_element(all, [&](Element at) {
        const PartialSum* const sum = sum_at(at);
        if (sum == nullptr) return;
        const Rect cell = places.cell(at);
        if (sum->multiply_adds > 0 || sum->stored)
            draw_value(scene, cell, sum->value, at == lit, px);
        if (scene.points_at(cell)) hover_sum(scene, shown, at, sum->value);
    });
}

// Draws the row numbers of C beside a, and the column numbers above b.
void draw_numbers(Scene& scene, const Places& places, const LaneNow& shown) {
    const TextStyle style = scene.text(Face::kMono, 11, scene.colors().ink3, Align::kCenter);
    const std::string widest = std::to_string(shown.work->columns.back());
    const bool fit = text_width(widest, style) <= places.pitch_x - 1;
    for (std::size_t i = 0; i < shown.work->columns.size() && fit; ++i)
        draw_text({places.b.window.x + (static_cast<float>(i) + 0.5f) * places.pitch_x,
                   places.b.window.y - places.numbers_h / 2},
                  std::to_string(shown.work->columns[i]), style);
    if (style.px > places.pitch_y + 1) return;
    for (std::size_t i = 0; i < shown.work->rows.size(); ++i)
        draw_text({places.a.window.x - scene.u(5),
                   places.a.window.y + (static_cast<float>(i) + 0.5f) * places.pitch_y},
                  std::to_string(shown.work->rows[i]),
                  scene.text(Face::kMono, 11, scene.colors().ink3, Align::kRight));
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
    const LaneNow shown = lane_now(scene);
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
    if (places.pitch_y < scene.look.px(5)) return;
    Element lit{kNoIndex, kNoIndex};
    if (shown.lit != kNoIndex && work.order[shown.lit] != kNoStep) {
        const Element sum = scene.element_of_sum(work.order[shown.lit]);
        lit = {place_in(work.rows, sum.row), place_in(work.columns, sum.column)};
    }
    if (const auto pointed = places.sums.at(scene.mouse); pointed && scene.mouse_here)
        lit = *pointed;
    draw_numbers(scene, places, shown);
    draw_operands(scene, places.a, shown.a, ColorRole::kA,
                  {lit.row, place_in(shown.k_of_a, shown.k)});
    draw_operands(scene, places.b, shown.b, ColorRole::kB,
                  {place_in(shown.k_of_b, shown.k), lit.column});
    draw_sums(scene, places.sums, shown, lit);
    register_widget("stage.fragments.a", places.a.window);
    register_widget("stage.fragments.b", places.b.window);
    register_widget("stage.fragments.c", places.sums.window);
}

}  // namespace tilereel::stage
