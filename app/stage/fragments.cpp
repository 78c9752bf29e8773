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
    float numbers_w = 0, numbers_h = 0;  // sizes of the row and column numbers of C; 0: no room
    Rect a, b, sums;
};
Places places_in(const Scene& scene, const Rect& area, const LaneNow& shown) {
    const auto rows = static_cast<float>(shown.work->rows.size());
    const auto columns = static_cast<float>(shown.work->columns.size());
    const auto a = static_cast<float>(shown.k_of_a.size());
    const auto b = static_cast<float>(shown.k_of_b.size());
    const float gap = scene.u(8);
    Places places;
    places.numbers_h = scene.f(14);
    places.numbers_w = text_width("000 ", Face::kMono, scene.f(11));
    const float height = area.h - places.numbers_h - gap;
    places.pitch_y = std::min(std::floor(height / (rows + b)), scene.u(6) + scene.f(20));
    const float width = area.w - places.numbers_w - gap;
    places.pitch_x =
        std::min(std::floor(width / (columns + a)), std::max(places.pitch_y, scene.f(38)));
    const float x = area.x + places.numbers_w, y = area.y + places.numbers_h;
    const float sums_x = x + a * places.pitch_x + gap, sums_y = y + b * places.pitch_y + gap;
    places.a = {x, sums_y, a * places.pitch_x, rows * places.pitch_y};
    places.b = {sums_x, y, columns * places.pitch_x, b * places.pitch_y};
    places.sums = {sums_x, sums_y, columns * places.pitch_x, rows * places.pitch_y};
    return places;
}

CellGrid grid_at(const Scene& scene, const Rect& rect, const Places& places, std::size_t rows,
                 std::size_t columns) {
    CellGrid grid;
    grid.at = rect.min();
    grid.pitch_x = places.pitch_x;
    grid.pitch_y = places.pitch_y;
    grid.rows = static_cast<std::uint32_t>(rows);
    grid.columns = static_cast<std::uint32_t>(columns);
    grid.gap = scene.u(2);
    grid.radius = scene.look.px(3);
    grid.cells.assign(rows * columns, {CellLook::kNeverWritten, ColorRole::kNone, 0, 0});
    return grid;
}

Rect cell_at(const Rect& of, const Places& places, std::size_t row, std::size_t column) {
    return {of.x + static_cast<float>(column) * places.pitch_x,
            of.y + static_cast<float>(row) * places.pitch_y, places.pitch_x, places.pitch_y};
}

// The font size in pixels for values of `digits` digits. 0 if they do not fit.
float value_px(const Scene& scene, const Places& places, std::size_t digits) {
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

// `lit_row`, `lit_column`: the operands of the highlighted product. An index beyond the operands
// highlights none.
void draw_operands(Scene& scene, const Rect& rect, const Places& places,
                   const std::vector<OperandHere>& operands, std::size_t rows, std::size_t columns,
                   ColorRole role, std::size_t lit_row, std::size_t lit_column) {
    CellGrid grid = grid_at(scene, rect, places, rows, columns);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const bool lit = i / columns == lit_row && i % columns == lit_column;
        if (operands[i].read)
            grid.cells[i] = {operands[i].now ? CellLook::kInFlight
                             : lit           ? CellLook::kSolid
                                             : CellLook::kValid,
                             role, 0, 0};
    }
    const std::vector<Cell> looks = grid.cells;
    add_cell_grid(scene.look, std::move(grid));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Rect cell = cell_at(rect, places, i / columns, i % columns);
        if (operands[i].read)
            draw_value(scene, cell, operands[i].value, looks[i].look != CellLook::kValid,
                       value_px(scene, places, text_of(operands[i].value).length));
        if (i / columns == lit_row && i % columns == lit_column)
            stroke_rect(cell.inset(-1), scene.colors().accent, scene.look.px(2), scene.look.px(4));
    }
}

struct SumsIndex {
    std::uint32_t row0, column0, columns;  // position in Regions::c
    [[nodiscard]] std::uint32_t of(std::uint32_t row, std::uint32_t column) const {
        return (row - row0) * columns + column - column0;
    }
};

std::string register_text(float value) { return std::string(text_of(value).view()); }

// "C[3][4] += A[3][7] × B[7][4] = 2 × 5"
void hover_sum(Scene& scene, const LaneNow& shown, std::size_t row, std::size_t column, float sum) {
    const LaneWork& work = *shown.work;
    const auto name = [&](const char* array, std::uint32_t r, std::uint32_t c) {
        return element_name(scene.trace.arrays[scene.plan.find(array)], r, c);
    };
    scene.hover.any = true;
    scene.hover.role = ColorRole::kC;
    scene.hover.title =
        name("C", work.rows[row], work.columns[column]) + " = " + register_text(sum);
    if (shown.k == kNoIndex) return;
    scene.hover.lines.push_back("+ " + name("A", work.rows[row], shown.k) + " \xc3\x97 " +
                                name("B", shown.k, work.columns[column]));
    const OperandHere& a = shown.a[row * shown.k_of_a.size() + place_in(shown.k_of_a, shown.k)];
    const OperandHere& b = shown.b[place_in(shown.k_of_b, shown.k) * work.columns.size() + column];
    if (a.read && b.read)
        scene.hover.lines.push_back("+ " + register_text(a.value) + " \xc3\x97 " +
                                    register_text(b.value));
}

void draw_sums(Scene& scene, const Places& places, const LaneNow& shown, std::size_t lit_row,
               std::size_t lit_column) {
    const LaneWork& work = *shown.work;
    const CellRect own = scene.replay.regions().c;
    const SumsIndex index{own.row0, own.column0, own.column1 - own.column0};
    CellGrid grid = grid_at(scene, places.sums, places, work.rows.size(), work.columns.size());
    const float all = static_cast<float>(std::max(1u, scene.trace.launch.k));
    const std::size_t columns = work.columns.size();
    std::vector<const PartialSum*> sums(grid.cells.size());
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        const std::uint32_t at = index.of(work.rows[i / columns], work.columns[i % columns]);
        if (at >= scene.state.sums.size()) continue;
        sums[i] = &scene.state.sums[at];
        const float share = std::min(1.0f, static_cast<float>(sums[i]->multiply_adds) / all);
        grid.cells[i] = {CellLook::kPartialBar, ColorRole::kC,
                         static_cast<std::uint8_t>(std::lround(255 * share)), 0};
        if (i / columns == lit_row && i % columns == lit_column) {
            grid.cells[i].look = CellLook::kSolid;
            scene.lit_sum = at;
        }
    }
    const std::vector<Cell> looks = grid.cells;
    add_cell_grid(scene.look, std::move(grid));
    // Draws values in all cells or in none: a single value would look like the only one.
    std::size_t digits = 1;
    for (const PartialSum* sum : sums)
        if (sum != nullptr) digits = std::max(digits, text_of(sum->value).length);
    const float px = value_px(scene, places, digits);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i] == nullptr) continue;
        const Rect cell = cell_at(places.sums, places, i / columns, i % columns);
        const bool lit = looks[i].look == CellLook::kSolid;
        if (sums[i]->multiply_adds > 0 || sums[i]->stored)
            draw_value(scene, cell, sums[i]->value, lit, px);
        if (scene.mouse_here && cell.contains(scene.mouse))
            hover_sum(scene, shown, i / columns, i % columns, sums[i]->value);
    }
}

// Draws the row numbers of C beside a, and the column numbers above b.
void draw_numbers(Scene& scene, const Places& places, const LaneNow& shown) {
    const TextStyle style = scene.text(Face::kMono, 11, scene.colors().ink3, Align::kCenter);
    const std::string widest = std::to_string(shown.work->columns.back());
    const bool fit = text_width(widest, style.face, style.px) <= places.pitch_x - 1;
    for (std::size_t i = 0; i < shown.work->columns.size() && fit; ++i)
        draw_text({places.b.x + (static_cast<float>(i) + 0.5f) * places.pitch_x,
                   places.b.y - places.numbers_h / 2},
                  std::to_string(shown.work->columns[i]), style);
    if (style.px > places.pitch_y + 1) return;
    for (std::size_t i = 0; i < shown.work->rows.size(); ++i)
        draw_text(
            {places.a.x - scene.u(5), places.a.y + (static_cast<float>(i) + 0.5f) * places.pitch_y},
            std::to_string(shown.work->rows[i]),
            scene.text(Face::kMono, 11, scene.colors().ink3, Align::kRight));
}

// "k 3: 8 of A and 8 of B give 64 multiply-adds"; the longest form that fits.
std::string lane_text(const LaneNow& shown, float width, float px) {
    const LaneWork& work = *shown.work;
    const std::string rows = std::to_string(work.rows.size());
    const std::string columns = std::to_string(work.columns.size());
    if (shown.k == kNoIndex) return rows + " \xc3\x97 " + columns + " sums";
    const std::string count = std::to_string(work.products[shown.product].count);
    const std::string k = "k " + std::to_string(shown.k) + ": ";
    for (const std::string& words :
         {k + rows + " of A and " + columns + " of B give " + count + " multiply-adds",
          k + rows + " \xc3\x97 " + columns + " multiply-adds"})
        if (text_width(words, Face::kRegular, px) <= width) return words;
    return rows + " \xc3\x97 " + columns;
}

}  // namespace

void draw_fragments(Scene& scene) {
    const Rect& area = scene.layout.fragments;
    if (area.w <= 0 || area.h < scene.f(60)) return;
    const LaneNow shown = lane_now(scene);
    const LaneWork& work = *shown.work;
    const float y = area.y + scene.f(11);
    const std::string title =
        "Lane " + std::to_string(work.lane) + " of warp " + std::to_string(work.warp);
    const float w =
        draw_text({area.x, y}, title,
                  scene.text(Face::kSemiBold, scene.layout.small ? 15 : 18, scene.colors().ink));
    const float x = area.x + w + scene.u(10);
    const bool owns = !work.rows.empty() && !work.columns.empty();
    draw_text_shrunk(scene, {x, y}, area.right() - x,
                     owns ? lane_text(shown, area.right() - x, scene.f(14)) : "owns no sums",
                     scene.text(Face::kRegular, 14, scene.colors().ink2));
    register_widget("stage.fragments", area);
    if (!owns) return;
    const float top = y + scene.f(scene.layout.small ? 12 : 16);
    const Places places = places_in(scene, {area.x, top, area.w, area.bottom() - top}, shown);
    if (places.pitch_y < scene.look.px(5)) return;
    std::size_t row = kNoIndex, column = kNoIndex;
    const CellRect own = scene.replay.regions().c;
    if (shown.lit != kNoIndex && work.order[shown.lit] != kNoStep) {
        const std::uint32_t columns = std::max(1u, own.column1 - own.column0);
        row = place_in(work.rows, own.row0 + work.order[shown.lit] / columns);
        column = place_in(work.columns, own.column0 + work.order[shown.lit] % columns);
    }
    if (scene.mouse_here && places.sums.contains(scene.mouse)) {  // the sum under the mouse
        row = static_cast<std::size_t>((scene.mouse.y - places.sums.y) / places.pitch_y);
        column = static_cast<std::size_t>((scene.mouse.x - places.sums.x) / places.pitch_x);
    }
    draw_numbers(scene, places, shown);
    draw_operands(scene, places.a, places, shown.a, work.rows.size(), shown.k_of_a.size(),
                  ColorRole::kA, row, place_in(shown.k_of_a, shown.k));
    draw_operands(scene, places.b, places, shown.b, shown.k_of_b.size(), work.columns.size(),
                  ColorRole::kB, place_in(shown.k_of_b, shown.k), column);
    draw_sums(scene, places, shown, row, column);
    register_widget("stage.fragments.a", places.a);
    register_widget("stage.fragments.b", places.b);
    register_widget("stage.fragments.c", places.sums);
}

}  // namespace tilereel::stage
