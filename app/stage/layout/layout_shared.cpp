// The column of shared memory: its form, the tiles and the banks.
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kSmallestTilePitch = 11;  // units; with a smaller pitch, a tile is shown by bank
constexpr float kColumn = 268;            // units: default width of the column

// The heights in a column of tiles, without the tiles themselves.
struct TileHeights {
    float title = 0, between = 0, banks = 0, bottom = 0;
    // What `height` leaves for the tiles of so many arrays.
    [[nodiscard]] float height_for_tiles(float height, float arrays) const {
        return height - title - between * (arrays - 1) - banks - bottom;
    }
};
TileHeights tile_heights(const Measure& m, bool beside) {
    if (m.small && beside) return {m.f(16) + m.u(15), m.f(14) + m.u(22), 0, m.u(12)};
    if (m.small) return {m.f(16) + m.u(15), m.f(14) + m.u(22), m.u(103) + m.f(62), m.u(8)};
    const float banks = beside ? 0 : m.u(62 + 35) + m.f(88);
    return {m.u(29) + m.f(55), m.u(18) + m.f(34), banks, m.u(beside ? 20 : 31)};
}

// The distance from the middle of a title to its tile.
float title_above(const Measure& m) { return m.small ? m.u(4) + m.f(11) : m.u(19); }

// Places the banks beside tiles that fill a column, or below the tiles.
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

// Stacks the tiles. The banks are below them or, if there is not enough height, beside them. In a
// ring only one plane of each array is large, and its small planes are beside it or below it.
void layout_tiles(const Measure& m, const SharedForm& form, float matrix_pitch, StageLayout& out) {
    const SharedCells& cells = m.cells;
    const bool beside = form.banks == BanksForm::kEightRows;
    const TileHeights heights = tile_heights(m, beside);
    const float column = beside ? form.tiles : out.shared.w;
    const float largest = m.largest_tile_pitch(matrix_pitch);
    MultiBufferPlaces places;
    float between = heights.between;
    if (form.ring) {
        places =
            ring_places(m, column, heights.height_for_tiles(out.shared.h, cells.arrays()), largest);
    } else {
        const float down = heights.height_for_tiles(out.shared.h, cells.planes) / cells.rows;
        places.pitch =
            std::max(std::floor(std::min({largest, column / cells.columns, down})), 2.0f);
        if (cells.planes > 1)  // with very many arrays the titles move closer together
            between =
                std::clamp((heights.height_for_tiles(out.shared.h, 1) - places.pitch * cells.rows) /
                               (cells.planes - 1),
                           0.0f, between);
    }
    float y = out.shared.y + heights.title;
    for (std::size_t i = 0; i < m.plan.shared().size(); ++i) {
        const ArrayId id = m.plan.shared()[i].array;
        const std::vector<SharedView> planes = views_of(m.trace.arrays[id], id, 0);
        const bool ring = form.ring && planes.size() > 1;
        const bool ring_beside = ring && places.beside[i];
        const float w = places.pitch * static_cast<float>(planes.front().columns);
        // Cells fly in from the left, where they do not cross the large plane.
        const float left = ring_beside ? std::min(column - w, 1.4f * small_width(m) + m.u(16)) : 0;
        for (const SharedView& plane : planes) {
            if (ring && plane.plane != out.planes[i]) continue;
            SharedView& tile = out.arrays.emplace_back(plane);
            tile.show_all({out.shared.x + left, y}, {places.pitch, places.pitch});
            tile.title = {out.shared.x, y - title_above(m)};
            y = tile.window.bottom() + between;
        }
        if (!ring) continue;
        const Rect large = out.arrays.back().window;
        Rect area{out.shared.x, large.bottom() + m.u(12), column, small_height(m)};
        if (ring_beside)
            area = {out.shared.x, large.y, left - m.u(16),
                    std::max(large.h, small_height(m) * static_cast<float>(planes.size()))};
        add_ring(m, planes, area, !ring_beside, out);
        y = std::max(area.bottom(), large.bottom()) + between;
    }
    place_banks(m, column, beside, y - between, out);
}

// The height for tiles and banks: the stage without the panel of a lane's operands and sums.
float shared_height(const Measure& m, const Rect& stage) {
    return stage.h - (m.small ? 0 : m.fragments_height());
}

// The forms with the banks beside tiles of this width, and below them.
SharedForm banks_beside(const Measure& m, float tiles, float pitch, bool ring = false) {
    return {BanksForm::kEightRows, tiles, tiles + m.tile_gap() + m.bank_column(), pitch, ring};
}
SharedForm banks_below(float tiles, float pitch, bool ring = false) {
    return {BanksForm::kTwoRows, 0, tiles, pitch, ring};
}

// Adds forms from the narrowest to the width that the values need.
void add_ring_forms(const Measure& m, const Rect& stage, float column, bool low,
                    std::vector<SharedForm>& forms) {
    std::vector<float> widths{column};
    float row = 0;  // width of a row of small planes
    for (const PlaneCells& array : m.cells.of_arrays)
        row = std::max(row, small_width(m) * array.planes);
    if (row > column) widths.push_back(row);
    for (const float units : {kTileValuesFrom, 16.0f, kValuesFrom, 24.0f}) {
        const float tile = std::ceil(m.look.px(units)) * m.cells.columns;
        for (const float width : {tile, tile + m.u(16) + small_width(m)})
            if (width > column) widths.push_back(width);
    }
    for (const float width : widths)
        for (const bool beside : {true, false}) {
            if (low && !beside) continue;
            const float height =
                tile_heights(m, beside).height_for_tiles(shared_height(m, stage), m.cells.arrays());
            const float pitch = ring_places(m, width, height, m.largest_tile_pitch(0)).pitch;
            if (pitch > 0)
                forms.push_back(beside ? banks_beside(m, width, pitch, true)
                                       : banks_below(width, pitch, true));
        }
}

// The size in bytes of a cell in the picture by bank: an element. Two elements of 2 bytes are in
// the same bank. If the elements do not divide a row of all banks evenly, they are drawn as words
// of 4 bytes.
std::uint32_t bytes_by_bank(const Array& array, std::uint32_t banks) {
    const std::uint32_t size = array.element_bytes;
    return size > 0 && 4 * banks % size == 0 ? size : 4;
}

}  // namespace

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
        if (view.by_bank) {
            const std::uint32_t size = bytes_by_bank(array, banks), columns = 4 * banks / size;
            const std::uint32_t cells = view.row_count * view.leading_dimension;
            view.first_cell = array.base_bytes / size + view.first_row * view.leading_dimension;
            view.columns = columns;
            view.rows = (view.first_cell % columns + cells + columns - 1) / columns;
        }
        views.push_back(view);
    }
    return views;
}

SharedCells shared_cells(const Trace& trace, const StagePlan& plan) {
    SharedCells cells;
    cells.rows = 0;
    for (const SharedUse& use : plan.shared()) {
        const Array& array = trace.arrays[use.array];
        const PlaneCells plane{static_cast<float>(array.rows_of_plane()),
                               static_cast<float>(array.leading_dimension),
                               static_cast<float>(array.planes())};
        cells.columns = std::max(cells.columns, plane.columns);
        cells.rows += static_cast<float>(array.rows);
        cells.words += plane.rows * plane.columns;
        cells.planes += plane.planes;
        cells.of_arrays.push_back(plane);
    }
    cells.rows = std::max(cells.rows, 1.0f);
    return cells;
}

bool fragments_fit(const Measure& m) {
    constexpr float kLeastPitch = 5, kLeastByBank = 0.5f;  // units
    const SharedCells& cells = m.cells;
    if (m.small)  // below the matrices; C keeps some of its height
        return m.stage.h - m.top() - m.between() - m.u(12) - m.fragments_height() >=
               m.corner_height() + m.u(60);
    const float height = shared_height(m, m.stage);
    if (m.u(kColumn) / cells.columns < m.u(kSmallestTilePitch))  // by bank
        return height - m.u(50) - m.f(85) - below_banks(m, true) -
                   (cells.rings() ? ring_below(m) * cells.arrays() : 0) >=
               m.look.px(kLeastByBank) * cells.words / kBankColumns;
    const TileHeights heights = tile_heights(m, true);
    const float values = m.look.px(kTileValuesFrom);
    if (cells.rings() &&
        ring_places(m, values * cells.columns + small_width(m) + m.u(kColumn),
                    heights.height_for_tiles(height, cells.arrays()), m.largest_tile_pitch(0))
                .pitch >= values)
        return true;
    return heights.height_for_tiles(height, cells.planes) >= m.look.px(kLeastPitch) * cells.rows;
}

std::vector<SharedForm> shared_forms(const Measure& m, const Rect& stage) {
    const SharedCells& cells = m.cells;
    if (cells.planes == 0) {  // only the memory request: as wide as its text needs, or narrower
        const float column = m.small ? 300 : kColumn;
        std::vector<SharedForm> forms;
        for (const float units : {column * m.stretch(), column, 240.0f})
            forms.push_back({BanksForm::kNone, 0, m.u(units)});
        return forms;
    }
    const bool low = stage.h / m.look.scale < 440 + 200 * m.look.text;
    const float column = low ? m.tile_column() : m.u(kColumn);
    if (column / cells.columns < m.u(kSmallestTilePitch)) return {by_bank_form(m, stage)};
    const auto tallest = [&](bool beside) {
        const float height =
            tile_heights(m, beside).height_for_tiles(shared_height(m, stage), cells.planes);
        return std::floor(height / cells.rows);
    };
    const float pitch = std::floor(std::min(column / cells.columns, tallest(low)));
    std::vector<SharedForm> forms{low ? banks_beside(m, column, pitch)
                                      : banks_below(column, pitch)};
    // Narrower than the default column, to leave room for the values of the matrices: as wide as
    // tiles that the height limits and their titles.
    if (const float narrow = std::max(pitch * cells.columns, m.f(100)); low && narrow < column)
        forms.push_back(banks_beside(m, narrow, pitch));
    for (const float units : {48.0f, 38.0f, 30.0f, 24.0f}) {
        const float tile = m.u(units * m.stretch());
        if (low && tile * cells.columns < column && tile < tallest(true))
            forms.push_back(banks_beside(m, tile * cells.columns, tile));
    }
    if (pitch >= m.look.px(kValuesFrom)) return forms;
    if (cells.rings()) add_ring_forms(m, stage, column, low, forms);
    // If values do not fit: wider, with the banks beside the tiles or below them.
    const float values = std::ceil(m.look.px(kValuesFrom * m.stretch()));
    if (const float wanted = std::min(tallest(true), values); wanted > pitch)
        forms.push_back(banks_beside(m, wanted * cells.columns, wanted));
    for (const float units : {kValuesFrom, 16.0f, kTileValuesFrom})
        if (const float wanted = std::ceil(m.look.px(units)); wanted <= tallest(false))
            forms.push_back(banks_below(wanted * cells.columns, wanted));
    return forms;
}

void layout_shared(const Measure& m, const SharedForm& form, float matrix_pitch, Zoom& zoom,
                   StageLayout& out) {
    out.planes = zoom.planes;
    out.planes.resize(m.plan.shared().size());
    for (std::size_t i = 0; i < out.planes.size(); ++i)
        out.planes[i] =
            std::min(out.planes[i], m.trace.arrays[m.plan.shared()[i].array].planes() - 1);
    if (out.by_bank())
        layout_by_bank(m, out);
    else
        layout_tiles(m, form, matrix_pitch, out);
    zoom.shared_pan.resize(out.arrays.size());
    for (std::size_t i = 0; i < out.arrays.size(); ++i) {
        SharedView& view = out.arrays[i];
        if (view.small) continue;
        view.pitch_x *= zoom.shared_zoom;
        view.pitch_y *= zoom.shared_zoom;
        view.scroll_to(zoom.shared_pan[i]);
        zoom.shared_pan[i] = view.first();
    }
}

}  // namespace tilereel::stage
