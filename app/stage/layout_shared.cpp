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

// From the middle of a title to its tile.
float title_above(const Measure& m) { return m.small ? m.u(4) + m.f(11) : m.u(19); }

// Beside tiles that fill a column, or below them.
void place_banks(const Measure& m, float column, bool beside, float tiles_end, StageLayout& out) {
    if (beside) {
        const float x = out.shared.x + column + m.tile_gap();
        out.bank_area = {x, out.shared.y, out.shared.right() - x, out.shared.h};
    } else {
        const float top = tiles_end + m.u(22);
        const float bottom = out.shared.bottom() - (m.small ? m.u(8) : 0);
        out.bank_area = {out.shared.x, top, out.shared.w - m.u(4), bottom - top};
    }
}

// Of a ring: the large plane of each array with the small ones, under each other.
void place_rings(const Measure& m, const Trace& trace, const StagePlan& plan,
                 const RingPlaces& places, float column, const TileHeights& heights,
                 StageLayout& out) {
    float y = out.shared.y + heights.title;
    for (std::size_t i = 0; i < plan.shared().size(); ++i) {
        const ArrayId id = plan.shared()[i].array;
        const std::vector<SharedView> views = views_of(trace.arrays[id], id, 0);
        SharedView large = views[out.planes[i]];
        large.pitch_x = large.pitch_y = places.pitch;
        const float w = places.pitch * static_cast<float>(large.columns);
        const float h = places.pitch * static_cast<float>(large.rows);
        // What flies comes from the left: there it does not cross the large plane.
        const float left =
            places.beside[i] ? std::min(column - w, 1.4f * small_width(m) + m.u(16)) : 0;
        large.window = {out.shared.x + left, y, w, h};
        large.title = {out.shared.x, y - (title_above(m))};
        out.arrays.push_back(large);
        Rect area{out.shared.x, y, left - m.u(16),
                  std::max(h, small_height(m) * static_cast<float>(views.size()))};
        if (!places.beside[i])
            area = {out.shared.x, large.window.bottom() + m.u(12), column, small_height(m)};
        if (views.size() > 1) add_ring(m, views, area, !places.beside[i], out);
        y = (views.size() > 1 ? std::max(area.bottom(), large.window.bottom())
                              : large.window.bottom()) +
            heights.between;
    }
    place_banks(m, column, heights.banks == 0, y - heights.between, out);
}

// Tiles under each other, the banks below them or, where that is too low, beside them.
void layout_tiles(const Measure& m, const Trace& trace, const StagePlan& plan,
                  const SharedForm& form, float matrix_pitch, StageLayout& out) {
    const SharedCells cells = shared_cells(trace, plan);
    const bool beside = form.banks == BanksForm::kEightRows;
    const TileHeights heights = tile_heights(m, beside);
    const float column = beside ? form.tiles : out.shared.w;
    if (form.ring) {
        const auto arrays = static_cast<std::uint32_t>(cells.of_arrays.size());
        const RingPlaces places =
            ring_places(m, cells, column, heights.left_of(out.shared.h, arrays),
                        m.largest_tile_pitch(matrix_pitch));
        return place_rings(m, trace, plan, places, column, heights, out);
    }
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
        view.title = {out.shared.x, y - (title_above(m))};
        y = view.window.bottom() + between;
    }
    place_banks(m, column, beside, y - between, out);
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

// From the last tile on: the banks and what is said of them.
float below_banks(const Measure& m, bool brief) {
    if (m.small) return m.u(60) + m.f(30);
    return brief ? m.u(88) + m.f(16) : m.u(110) + m.f(50);
}

// One column a bank; the array with conflicts gets the taller rows.
void layout_by_bank(const Measure& m, const Trace& trace, const StagePlan& plan,
                    std::uint32_t banks, StageLayout& out) {
    const float pitch_x = std::floor(out.shared.w / static_cast<float>(banks));
    const float title = out.small ? m.f(16) + m.u(15) : m.u(30) + m.f(55);
    const float between = m.u(14) + m.f(24);
    std::uint32_t tall = 0, low = 0;
    std::vector<std::vector<SharedView>> planes;
    float rings = 0;
    for (std::size_t i = 0; i < plan.shared().size(); ++i) {
        const SharedUse& use = plan.shared()[i];
        planes.push_back(views_of(trace.arrays[use.array], use.array, banks));
        (is_tall(trace, plan, use) ? tall : low) += planes[i][out.planes[i]].rows;
        if (planes[i].size() > 1) rings += ring_below(m);
    }
    const float n = static_cast<float>(planes.size());
    // Many rows: what stands below the banks gives way.
    const float free = out.shared.h - title - between * (n - 1) - rings;
    const bool many = free - below_banks(m, false) < m.look.px(1) * static_cast<float>(tall + low);
    const float height = free - below_banks(m, many);
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
    for (std::size_t i = 0; i < planes.size(); ++i) {
        SharedView view = planes[i][out.planes[i]];
        view.pitch_x = pitch_x;
        view.pitch_y = is_tall(trace, plan, plan.shared()[i]) ? tall_pitch : low_pitch;
        view.window = {out.shared.x, y, width, view.pitch_y * static_cast<float>(view.rows)};
        view.title = {out.shared.x, y - (m.small ? m.u(4) + m.f(10) : m.u(7) + m.f(6))};
        out.arrays.push_back(view);
        y = view.window.bottom() + between;
        if (planes[i].size() == 1) continue;
        const float top = view.window.bottom() + ring_below(m) - small_height(m);
        add_ring(m, planes[i], {out.shared.x, top, width, small_height(m)}, true, out);
        y += ring_below(m);
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

// As narrow as possible and as wide as the values want, the banks beside the tiles or below them.
void add_ring_forms(const Measure& m, const Rect& stage, const SharedCells& cells, float column,
                    bool low, std::vector<SharedForm>& forms) {
    const float beside = m.tile_gap() + m.bank_column();
    std::vector<float> widths{column};
    float row = 0;  // of small planes
    for (const PlaneCells& array : cells.of_arrays)
        row = std::max(row, small_width(m) * static_cast<float>(array.planes));
    if (row > column) widths.push_back(row);
    for (const float units : {kTileValuesFrom, 16.0f, kValuesFrom, 24.0f}) {
        const float tile = std::ceil(m.look.px(units)) * static_cast<float>(cells.columns);
        for (const float width : {tile, tile + m.u(16) + small_width(m)})
            if (width > column) widths.push_back(width);
    }
    const auto arrays = static_cast<std::uint32_t>(cells.of_arrays.size());
    for (const float width : widths)
        for (const bool banks_beside : {true, false}) {
            if (low && !banks_beside) continue;
            const float height =
                tile_heights(m, banks_beside).left_of(shared_height(m, stage), arrays);
            const float pitch = ring_places(m, cells, width, height, m.largest_tile_pitch(0)).pitch;
            if (pitch > 0)
                forms.push_back({false, banks_beside ? BanksForm::kEightRows : BanksForm::kTwoRows,
                                 banks_beside ? width : 0, banks_beside ? width + beside : width,
                                 pitch, true});
        }
}

}  // namespace

SharedCells shared_cells(const Trace& trace, const StagePlan& plan) {
    SharedCells cells;
    cells.rows = 0;
    for (const SharedUse& use : plan.shared()) {
        const Array& array = trace.arrays[use.array];
        cells.columns = std::max(cells.columns, array.leading_dimension);
        cells.rows += array.rows;
        cells.words += array.rows_of_plane() * array.leading_dimension;
        cells.arrays += array.planes();
        cells.of_arrays.push_back({array.rows_of_plane(), array.leading_dimension, array.planes()});
    }
    cells.rows = std::max(cells.rows, 1u);
    return cells;
}

bool fragments_fit(const Measure& m, const Rect& stage, const SharedCells& cells) {
    constexpr float kLeastPitch = 5, kLeastByBank = 0.5f;  // units
    if (m.small)  // below the matrices, of which C keeps some height
        return stage.h - m.top() - m.between() - m.u(12) - m.fragments_height() >=
               m.corner_height() + m.u(60);
    const float columns = static_cast<float>(cells.columns), rows = static_cast<float>(cells.rows);
    const bool by_bank = m.u(kColumn) / columns < m.u(kSmallestTilePitch);
    if (by_bank)
        return shared_height(m, stage) - m.u(50) - m.f(85) - below_banks(m, true) -
                   (cells.rings() ? ring_below(m) * static_cast<float>(cells.of_arrays.size())
                                  : 0) >=
               m.look.px(kLeastByBank) * static_cast<float>(cells.words) / kBankColumns;
    const TileHeights heights = tile_heights(m, true);
    if (cells.rings() &&
        ring_places(m, cells, m.look.px(kTileValuesFrom) * columns + small_width(m) + m.u(kColumn),
                    heights.left_of(shared_height(m, stage),
                                    static_cast<std::uint32_t>(cells.of_arrays.size())),
                    m.largest_tile_pitch(0))
                .pitch >= m.look.px(kTileValuesFrom))
        return true;
    return heights.left_of(shared_height(m, stage), cells.arrays) >= m.look.px(kLeastPitch) * rows;
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
    if (cells.rings()) add_ring_forms(m, stage, cells, column, low, forms);
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
    out.planes = zoom.planes;
    out.planes.resize(plan.shared().size());
    for (std::size_t i = 0; i < out.planes.size(); ++i)
        out.planes[i] = std::min(out.planes[i], trace.arrays[plan.shared()[i].array].planes() - 1);
    if (out.by_bank)
        layout_by_bank(m, trace, plan, banks, out);
    else
        layout_tiles(m, trace, plan, form, matrix_pitch, out);
    zoom.shared_first.resize(out.arrays.size());
    for (std::size_t i = 0; i < out.arrays.size(); ++i) {
        SharedView& view = out.arrays[i];
        if (view.small) continue;
        ImVec2& first = zoom.shared_first[i];
        view.pitch_x *= zoom.shared_factor;
        view.pitch_y *= zoom.shared_factor;
        first.x = view.column0 = scrolled(first.x, view.window.w, view.pitch_x, view.columns);
        first.y = view.row0 = scrolled(first.y, view.window.h, view.pitch_y, view.rows);
    }
}

}  // namespace tilereel::stage
