// The column of shared memory: its form, the tiles and the banks.
#include "app/stage/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kSmallestTilePitch = 11;  // units: below, a tile is shown by bank
constexpr float kNumberRow = 13;          // units: a row that holds a number of 11
constexpr float kColumn = 268;            // units: the column of the design

// One view a plane. `banks`: columns of one that is shown by bank; 0: as a tile.
std::vector<SharedView> views_of(const Array& array, ArrayId id, std::uint32_t banks) {
    std::vector<SharedView> views;
    for (std::uint32_t plane = 0; plane < array.planes(); ++plane) {
        SharedView view;
        view.array = id;
        view.plane = plane;
        view.planes = array.planes();
        view.by_bank = banks > 0;
        view.row_count = view.rows = array.rows_of_plane();
        view.first_row = plane * view.row_count;
        view.leading_dimension = view.columns = array.leading_dimension;
        view.used_columns = array.columns;
        view.first_word = array.base_bytes / 4 + view.first_row * array.leading_dimension;
        if (view.by_bank) {
            const std::uint32_t words = view.row_count * view.leading_dimension;
            view.banks = view.columns = banks;
            view.rows = (view.first_word % banks + words + banks - 1) / banks;
        }
        views.push_back(view);
    }
    return views;
}

// Heights of a column of tiles that are not cells.
struct TileHeights {
    float title = 0, between = 0, banks = 0, bottom = 0;
    [[nodiscard]] float left_of(float height, std::uint32_t arrays) const {
        return height - title - between * static_cast<float>(arrays - 1) - banks - bottom;
    }
};
TileHeights tile_heights(const Measure& m, bool beside) {
    if (m.small && beside) return {m.f(16) + m.u(15), m.f(14) + m.u(22), 0, m.u(20)};
    if (m.small) return {m.f(16) + m.u(15), m.f(14) + m.u(22), m.u(103) + m.f(62), m.u(8)};
    const float banks = beside ? 0 : m.u(62 + 35) + m.f(88);
    return {m.u(29) + m.f(55), m.u(18) + m.f(34), banks, m.u(beside ? 20 : 31)};
}

// Tiles under each other, the banks below them or, where that is too low, beside them.
void layout_tiles(const Measure& m, const Trace& trace, const StagePlan& plan,
                  const SharedForm& form, float matrix_pitch, StageLayout& out) {
    const SharedCells cells = shared_cells(trace, plan);
    const bool beside = form.banks == BanksForm::kEightRows;
    const TileHeights heights = tile_heights(m, beside);
    const float column = beside ? form.tiles : out.shared.w;
    const float height = heights.left_of(out.shared.h, cells.arrays);
    float pitch =
        std::min({m.largest_tile_pitch(matrix_pitch), column / static_cast<float>(cells.columns),
                  height / static_cast<float>(cells.rows)});
    pitch = std::max(std::floor(pitch), 2.0f);
    float between = heights.between;
    if (cells.arrays > 1) {  // very many: their names come closer
        const float rest = out.shared.h - heights.title - heights.banks - heights.bottom -
                           pitch * static_cast<float>(cells.rows);
        between = std::clamp(rest / static_cast<float>(cells.arrays - 1), 0.0f, between);
    }
    float y = out.shared.y + heights.title;
    for (const SharedUse& use : plan.shared())
        for (const SharedView& view : views_of(trace.arrays[use.array], use.array, 0))
            out.arrays.push_back(view);
    for (SharedView& view : out.arrays) {
        view.pitch_x = view.pitch_y = pitch;
        view.window = {out.shared.x, y, pitch * static_cast<float>(view.columns),
                       pitch * static_cast<float>(view.rows)};
        view.title = {out.shared.x, y - (m.small ? m.u(15) : m.u(19))};
        y = view.window.bottom() + between;
    }
    y -= between;
    if (beside) {
        const float x = out.shared.x + column + m.tile_gap();
        out.bank_area = {x, out.shared.y, out.shared.right() - x, out.shared.h};
    } else {
        const float top = y + m.u(22);
        const float bottom = out.shared.bottom() - (m.small ? m.u(8) : 0);
        out.bank_area = {out.shared.x, top, out.shared.w - m.u(4), bottom - top};
    }
}

// What there is to see: the arrays with the most conflicts; without any, those that are padded
// against them; else all.
bool is_tall(const Trace& trace, const StagePlan& plan, const SharedUse& use) {
    std::uint64_t worst = 0;
    bool any_padded = false;
    const auto padded = [&trace](const SharedUse& other) {
        const Array& array = trace.arrays[other.array];
        return array.leading_dimension > array.columns;
    };
    for (const SharedUse& other : plan.shared()) {
        worst = std::max(worst, other.conflicts);
        any_padded = any_padded || padded(other);
    }
    if (worst > 0) return use.conflicts == worst;
    return !any_padded || padded(use);
}

// Whole pixels; of rows that are too low for that, eighths.
float whole_or_part(float pitch) {
    return pitch >= 2 ? std::floor(pitch) : std::max(std::floor(pitch * 8) / 8, 0.125f);
}

// One column a bank; the array with conflicts gets the taller rows.
void layout_by_bank(const Measure& m, const Trace& trace, const StagePlan& plan,
                    std::uint32_t banks, StageLayout& out) {
    const float pitch_x = std::floor(out.shared.w / static_cast<float>(banks));
    const float title = out.small ? m.f(16) + m.u(15) : m.u(30) + m.f(55);
    const float between = m.u(14) + m.f(24);
    const float below = out.small ? m.u(60) + m.f(30) : m.u(110) + m.f(50);
    std::uint32_t tall = 0, low = 0;
    std::vector<bool> is_tall_view;
    for (const SharedUse& use : plan.shared())
        for (const SharedView& view : views_of(trace.arrays[use.array], use.array, banks)) {
            is_tall_view.push_back(is_tall(trace, plan, use));
            (is_tall_view.back() ? tall : low) += view.rows;
            out.arrays.push_back(view);
        }
    const float n = static_cast<float>(out.arrays.size());
    const float height = out.shared.h - title - between * (n - 1) - below;
    // The low ones give way until a lane's number fits into a tall row.
    const auto pitch_of_low = [&](float most) {
        const float share = height * 0.3f / static_cast<float>(std::max(1u, low));
        return low == 0 ? 0 : whole_or_part(std::min(m.u(most), share));
    };
    const auto pitch_of_tall = [&](float low_pitch) {
        const float rest = height - low_pitch * static_cast<float>(low);
        const float share = rest / static_cast<float>(std::max(1u, tall));
        return whole_or_part(std::min(m.u(16), share));
    };
    const float low_pitch = pitch_of_low(pitch_of_tall(pitch_of_low(3)) < m.u(kNumberRow) ? 2 : 3);
    const float tall_pitch = pitch_of_tall(low_pitch);
    const float width = pitch_x * static_cast<float>(banks);
    float y = out.shared.y + title;
    for (std::size_t i = 0; i < out.arrays.size(); ++i) {
        SharedView& view = out.arrays[i];
        view.pitch_x = pitch_x;
        view.pitch_y = is_tall_view[i] ? tall_pitch : low_pitch;
        view.window = {out.shared.x, y, width, view.pitch_y * static_cast<float>(view.rows)};
        view.title = {out.shared.x, y - m.u(7) - m.f(6)};
        y = view.window.bottom() + between;
    }
    y += m.u(20) - between;
    out.bank_area = {out.shared.x, y, width, out.shared.bottom() - y};
}

// What tiles and banks may fill: where a lane's operands and sums stand below them, less.
float shared_height(const Measure& m, const Rect& stage) {
    return stage.h - (m.small ? 0 : m.fragments_height());
}

SharedForm by_bank_form(const Measure& m, const Rect& stage, std::uint32_t banks) {
    const auto columns = static_cast<float>(banks);
    const float room = stage.w - m.left() - m.gap() - m.right();
    const float pitch =
        std::floor(std::clamp(room * 0.56f / columns, m.u(9), m.u(banks < kBankColumns ? 34 : 26)));
    return {true, BanksForm::kOneRow, 0, pitch * columns};
}

}  // namespace

SharedCells shared_cells(const Trace& trace, const StagePlan& plan) {
    SharedCells cells;
    cells.rows = 0;
    for (const SharedUse& use : plan.shared()) {
        const Array& array = trace.arrays[use.array];
        cells.columns = std::max(cells.columns, array.leading_dimension);
        cells.rows += array.rows;
        cells.words += array.rows * array.leading_dimension;
        cells.arrays += array.planes();
    }
    cells.rows = std::max(cells.rows, 1u);
    return cells;
}

bool fragments_fit(const Measure& m, const Rect& stage, const SharedCells& cells) {
    constexpr float kLeastPitch = 5, kLeastByBank = 1;  // units
    if (m.small)  // below the matrices, of which C keeps some height
        return stage.h - m.top() - m.between() - m.u(12) - m.fragments_height() >=
               m.corner_height() + m.u(60);
    const float columns = static_cast<float>(cells.columns), rows = static_cast<float>(cells.rows);
    const bool by_bank = m.u(kColumn) / columns < m.u(kSmallestTilePitch);
    if (by_bank)
        return shared_height(m, stage) - m.u(160) - m.f(135) >=
               m.look.px(kLeastByBank) * static_cast<float>(cells.words) / kBankColumns;
    return tile_heights(m, true).left_of(shared_height(m, stage), cells.arrays) >=
           m.look.px(kLeastPitch) * rows;
}

std::vector<SharedForm> shared_forms(const Measure& m, const Rect& stage, const SharedCells& cells,
                                     std::uint32_t banks) {
    if (cells.arrays == 0) return {{false, BanksForm::kNone, 0, m.u(m.small ? 300 : kColumn)}};
    const bool low = stage.h / m.look.scale < 440 + 200 * m.look.text;
    const auto columns = static_cast<float>(cells.columns), rows = static_cast<float>(cells.rows);
    const float column = low ? m.tile_column() : m.u(kColumn);
    if (column / columns < m.u(kSmallestTilePitch)) return {by_bank_form(m, stage, banks)};
    std::vector<SharedForm> forms;
    const float beside = m.tile_gap() + m.bank_column();
    if (low)
        forms.push_back({false, BanksForm::kEightRows, column, column + beside});
    else
        forms.push_back({false, BanksForm::kTwoRows, 0, column});
    const auto tallest = [&](bool banks_beside) {
        return std::floor(
            tile_heights(m, banks_beside).left_of(shared_height(m, stage), cells.arrays) / rows);
    };
    const float pitch = forms[0].pitch = std::floor(std::min(column / columns, tallest(low)));
    if (const float narrow = m.largest_tile_pitch(0) * columns; low && narrow < column)
        forms.push_back({false, BanksForm::kEightRows, narrow, narrow + beside,
                         std::min(m.largest_tile_pitch(0), tallest(true))});
    if (pitch >= m.look.px(kValuesFrom)) return forms;
    // Too small for values: wider, with the banks beside the tiles or below them.
    const float values = std::ceil(m.look.px(kValuesFrom * m.stretch()));
    if (const float wanted = std::min(tallest(true), values); wanted > pitch)
        forms.push_back(
            {false, BanksForm::kEightRows, wanted * columns, wanted * columns + beside, wanted});
    for (const float units : {kValuesFrom, 16.0f, kTileValuesFrom})
        if (const float wanted = std::ceil(m.look.px(units)); wanted <= tallest(false))
            forms.push_back({false, BanksForm::kTwoRows, 0, wanted * columns, wanted});
    return forms;
}

void layout_shared(const Measure& m, const Trace& trace, const StagePlan& plan,
                   const SharedForm& form, std::uint32_t banks, float matrix_pitch, Zoom& zoom,
                   StageLayout& out) {
    if (out.by_bank)
        layout_by_bank(m, trace, plan, banks, out);
    else
        layout_tiles(m, trace, plan, form, matrix_pitch, out);
    zoom.shared_first.resize(out.arrays.size());
    for (std::size_t i = 0; i < out.arrays.size(); ++i) {
        SharedView& view = out.arrays[i];
        ImVec2& first = zoom.shared_first[i];
        view.pitch_x *= zoom.shared_factor;
        view.pitch_y *= zoom.shared_factor;
        first.x = view.column0 = scrolled(first.x, view.window.w, view.pitch_x, view.columns);
        first.y = view.row0 = scrolled(first.y, view.window.h, view.pitch_y, view.rows);
    }
}

}  // namespace tilereel::stage
