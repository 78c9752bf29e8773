#include "app/stage/layout.h"

#include <algorithm>
#include <cmath>

namespace tilereel::stage {
namespace {

constexpr float kSmallestTilePitch = 11;  // units: below, a tile is shown by bank
constexpr float kLargestSharedPitch = 48, kLargestPitch = 42;
constexpr std::uint32_t kBanks = kBankColumns;

// Lengths that depend on the size of the window and of the text.
struct Measure {
    const Look& look;
    bool small = false;
    bool crowded = false;     // small, and narrow besides
    bool many_warps = false;  // too many for one lane each
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return std::round(look.font_px(units)); }
    [[nodiscard]] float left() const { return u(small ? 20 : 24); }
    [[nodiscard]] float right() const { return u(small ? 20 : 16); }
    [[nodiscard]] float gap() const { return std::max(u(28), small ? f(26) : 0); }
    [[nodiscard]] float shared_gap() const { return u(small ? 44 : 40); }
    [[nodiscard]] float top() const { return small ? u(15) : u(19) + f(30); }
    [[nodiscard]] float between() const { return small ? f(24) : u(9) + f(28); }
    // Banks beside the tiles: both grow with the text, but less.
    [[nodiscard]] float stretch() const { return std::clamp(look.text, 1.0f, 1.5f); }
    [[nodiscard]] float tile_column() const { return u((crowded ? 152 : 192) * stretch()); }
    [[nodiscard]] float tile_gap() const { return u(crowded ? 20 : 40); }
    [[nodiscard]] float bank_column() const { return u((crowded ? 108 : 130) * stretch()); }
    [[nodiscard]] float corner_width() const { return small ? f(214) : f(300); }
    [[nodiscard]] float corner_height() const {
        return small ? f(many_warps ? 262 : 190) : u(16) + f(300);
    }
};

// Whole pixels where cells stand apart; where they touch, sixteenths do.
float whole_pitch(float pitch, float apart_from) {
    return pitch >= apart_from ? std::floor(pitch)
                               : std::max(std::floor(pitch * 16) / 16, 1.0f / 64);
}

// The largest pitch at which `inner` cells (at least `least` pixels) and `outer` cells fit.
float fitting_pitch(float length, std::uint32_t inner, std::uint32_t outer, float least) {
    const float together = length / static_cast<float>(inner + outer);
    if (together * static_cast<float>(inner) >= least) return together;
    return std::max(length - least, length * 0.25f) / static_cast<float>(outer);
}

struct Split {  // of a length between the k cells and the cells of C
    float inner = 0, outer = 0;
};
Split split(float length, float inner_want, float outer_want, float inner_least) {
    Split s;
    s.inner = std::min(inner_want, std::max(length / 2, length - outer_want));
    s.outer = std::min(outer_want, length - std::max(s.inner, inner_least));
    s.outer = std::max(s.outer, std::min(outer_want, length / 4));
    return s;
}

float scrolled(float& first, float shown_px, float pitch, std::uint32_t count) {
    const float most = std::max(0.0f, static_cast<float>(count) - shown_px / pitch);
    return std::clamp(first, 0.0f, most);
}

MatrixView matrix_view(ImVec2 at, float width, float height, float pitch, std::uint32_t rows,
                       std::uint32_t columns) {
    constexpr float kThinnest = 3;  // pixels: a matrix of one row is still to be seen
    MatrixView view;
    view.rows = rows;
    view.columns = columns;
    view.window = {at.x, at.y, std::max(width, kThinnest), std::max(height, kThinnest)};
    view.pitch_x = std::max(pitch, kThinnest / static_cast<float>(columns));
    view.pitch_y = std::max(pitch, kThinnest / static_cast<float>(rows));
    return view;
}

SharedView view_of(const Array& array, ArrayId id, bool by_bank) {
    SharedView view;
    view.array = id;
    view.by_bank = by_bank;
    view.array_rows = array.rows;
    view.leading_dimension = array.leading_dimension;
    view.used_columns = array.columns;
    view.first_word = array.base_bytes / 4;
    view.rows = array.rows;
    view.columns = array.leading_dimension;
    if (by_bank) {
        const std::uint32_t words = array.rows * array.leading_dimension;
        view.columns = kBanks;
        view.rows = (view.first_word % kBanks + words + kBanks - 1) / kBanks;
    }
    return view;
}

// Widest array in cells, and rows of all.
struct SharedCells {
    std::uint32_t columns = 1, rows = 1;
    std::uint32_t arrays = 0;
};
SharedCells shared_cells(const Trace& trace, const StagePlan& plan) {
    SharedCells cells;
    cells.rows = 0;
    for (const SharedUse& use : plan.shared()) {
        const Array& array = trace.arrays[use.array];
        cells.columns = std::max(cells.columns, array.leading_dimension);
        cells.rows += array.rows;
        ++cells.arrays;
    }
    cells.rows = std::max(cells.rows, 1u);
    return cells;
}

// Tiles under each other, the banks below them or, in a low window, beside them.
void layout_tiles(const Measure& m, const Trace& trace, const StagePlan& plan, StageLayout& out) {
    const SharedCells cells = shared_cells(trace, plan);
    const bool beside = out.banks == BanksForm::kEightRows;
    const float n = static_cast<float>(cells.arrays);
    const float title = beside ? m.f(16) + m.u(15) : m.u(29) + m.f(55);
    const float between = beside ? m.f(14) + m.u(22) : m.u(18) + m.f(34);
    const float banks = beside ? 0 : m.u(62 + 35) + m.f(88);
    const float bottom = m.u(beside ? 20 : 31);
    const float column = beside ? m.tile_column() : out.shared.w;
    const float height = out.shared.h - title - between * (n - 1) - banks - bottom;
    float pitch = std::min({m.u(kLargestSharedPitch), column / static_cast<float>(cells.columns),
                            height / static_cast<float>(cells.rows)});
    pitch = std::max(std::floor(pitch), 2.0f);
    float y = out.shared.y + title;
    for (const SharedUse& use : plan.shared()) {
        SharedView view = view_of(trace.arrays[use.array], use.array, false);
        view.pitch_x = view.pitch_y = pitch;
        view.window = {out.shared.x, y, pitch * static_cast<float>(view.columns),
                       pitch * static_cast<float>(view.rows)};
        view.title = {out.shared.x, y - (beside ? m.u(15) : m.u(19))};
        y = view.window.bottom() + between;
        out.arrays.push_back(view);
    }
    y -= between;
    if (beside) {
        const float x = out.shared.x + column + m.tile_gap();
        out.bank_area = {x, out.shared.y, out.shared.right() - x, out.shared.h};
    } else {
        const float top = y + m.u(22);
        out.bank_area = {out.shared.x, top, out.shared.w - m.u(4), out.shared.bottom() - top};
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

// One column a bank; the array with conflicts gets the taller rows.
void layout_by_bank(const Measure& m, const Trace& trace, const StagePlan& plan, StageLayout& out) {
    const float pitch_x = std::floor(out.shared.w / kBanks);
    const float title = out.small ? m.f(16) + m.u(15) : m.u(30) + m.f(55);
    const float between = m.u(14) + m.f(24);
    const float below = out.small ? m.u(60) + m.f(30) : m.u(110) + m.f(50);
    std::uint32_t tall = 0, low = 0;
    for (const SharedUse& use : plan.shared()) {
        const SharedView view = view_of(trace.arrays[use.array], use.array, true);
        (is_tall(trace, plan, use) ? tall : low) += view.rows;
    }
    const float n = static_cast<float>(plan.shared().size());
    const float height = out.shared.h - title - between * (n - 1) - below;
    const float low_pitch =
        low == 0
            ? 0
            : std::max(2.0f, std::floor(std::min(m.u(3), height * 0.3f / static_cast<float>(low))));
    const float rest = height - low_pitch * static_cast<float>(low);
    const float tall_pitch = std::max(
        2.0f, std::floor(std::min(m.u(16), rest / static_cast<float>(std::max(1u, tall)))));
    float y = out.shared.y + title;
    for (const SharedUse& use : plan.shared()) {
        SharedView view = view_of(trace.arrays[use.array], use.array, true);
        view.pitch_x = pitch_x;
        view.pitch_y = is_tall(trace, plan, use) ? tall_pitch : low_pitch;
        view.window = {out.shared.x, y, pitch_x * kBanks,
                       view.pitch_y * static_cast<float>(view.rows)};
        view.title = {out.shared.x, y - m.u(7) - m.f(6)};
        y = view.window.bottom() + between;
        out.arrays.push_back(view);
    }
    y += m.u(20) - between;
    out.bank_area = {out.shared.x, y, pitch_x * kBanks, out.shared.bottom() - y};
}

float shared_width(const Measure& m, const StageLayout& out, bool any_shared, float legend_free) {
    if (!any_shared) return m.u(out.small ? 300 : 268);
    if (out.by_bank) {
        const float room = out.all.w - legend_free;
        return std::floor(std::clamp(room * 0.56f / kBanks, m.u(9), m.u(26))) * kBanks;
    }
    return out.banks == BanksForm::kEightRows ? m.tile_column() + m.tile_gap() + m.bank_column()
                                              : m.u(268);
}

}  // namespace

StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                         const StagePlan& plan, Zoom& zoom) {
    StageLayout out;
    out.all = rect;
    const float height_units = rect.h / look.scale, width_units = rect.w / look.scale;
    out.small = height_units < 480 + 140 * look.text || width_units < 600 + 300 * look.text;
    const Measure m{look, out.small, width_units<560 * look.text, trace.launch.warps()> 8};
    const SharedCells cells = shared_cells(trace, plan);
    const bool any_shared = cells.arrays > 0;
    const bool low = height_units < 440 + 200 * look.text;
    out.by_bank =
        any_shared && (low ? m.tile_column() : m.u(268)) / static_cast<float>(cells.columns) <
                          m.u(kSmallestTilePitch);
    out.banks = !any_shared   ? BanksForm::kNone
                : out.by_bank ? BanksForm::kOneRow
                : low         ? BanksForm::kEightRows
                              : BanksForm::kTwoRows;
    const float legend = out.small ? 0 : m.u(4) + m.f(20);
    float shared = shared_width(m, out, any_shared, m.left() + m.gap() + m.right());
    shared = std::min(shared, rect.w * 0.6f);

    // The matrices: pitch from what is left of the width and the height.
    const Launch& launch = trace.launch;
    const float width = rect.w - m.left() - m.gap() - m.shared_gap() - shared - m.right();
    const float bottom = m.u(out.small ? 12 : 18) + legend;
    // By bank there is no room for the corner's words beside B: they stand above A and B.
    const bool stacked = out.by_bank && !out.small;
    float above = stacked ? m.u(20) + m.f(345) : 0;
    const float height = rect.h - m.top() - above - m.between() - bottom;
    const float least_w = stacked ? 0 : std::min(m.corner_width(), width * 0.6f);
    const float least_h = stacked ? 0 : std::min(m.corner_height(), height * 0.6f);
    const float base = whole_pitch(
        std::min({fitting_pitch(width, launch.k, launch.n, least_w),
                  fitting_pitch(height, launch.k, launch.m, least_h), m.u(kLargestPitch)}),
        m.look.px(6));
    if (stacked) {  // what the matrices leave free goes to the warps
        const float used = base * static_cast<float>(launch.k + launch.m);
        above += std::clamp(height - used, 0.0f, m.f(80));
    }
    const float pitch = zoom.factor > 1 ? base * zoom.factor : base;
    const auto cells_px = [pitch](std::uint32_t n) { return static_cast<float>(n) * pitch; };
    const Split x = split(width, cells_px(launch.k), cells_px(launch.n), least_w);
    const float left_over = rect.h - m.top() - above - m.between() - bottom;
    const Split y = split(left_over, cells_px(launch.k), cells_px(launch.m), least_h);
    const float corner_w = std::max(x.inner, least_w);
    const float corner_h = std::max(y.inner, std::min(least_h, left_over - y.outer));

    const float c_x = rect.x + m.left() + corner_w + m.gap();
    const float c_y = rect.y + m.top() + above + corner_h + m.between();
    out.a =
        matrix_view({c_x - m.gap() - x.inner, c_y}, x.inner, y.outer, pitch, launch.m, launch.k);
    out.b = matrix_view({c_x, c_y - m.between() - y.inner}, x.outer, y.inner, pitch, launch.k,
                        launch.n);
    out.c = matrix_view({c_x, c_y}, x.outer, y.outer, pitch, launch.m, launch.n);
    zoom.column = scrolled(zoom.column, x.outer, pitch, launch.n);
    zoom.row = scrolled(zoom.row, y.outer, pitch, launch.m);
    zoom.k = scrolled(zoom.k, std::min(x.inner, y.inner), pitch, launch.k);
    float k_of_a = zoom.k, k_of_b = zoom.k;
    out.a.column0 = scrolled(k_of_a, x.inner, pitch, launch.k);
    out.b.row0 = scrolled(k_of_b, y.inner, pitch, launch.k);
    out.a.row0 = out.c.row0 = zoom.row;
    out.b.column0 = out.c.column0 = zoom.column;

    const float label = out.small ? m.f(12) : m.u(5) + m.f(13);
    out.title_a = {out.a.window.x, c_y - label};
    out.title_c = {c_x, c_y - label};
    out.title_b_beside = out.small;
    out.title_b = out.small ? ImVec2{c_x - m.u(10), out.b.window.y + m.f(12)}
                            : ImVec2{c_x, out.b.window.y - label};
    out.corner = {rect.x + m.left(), rect.y, corner_w - m.u(out.small ? 10 : 20),
                  c_y - m.between() - rect.y};

    // Shared memory, to the right; spare width widens the gap before it, evenly on both sides.
    const float spare =
        std::max(0.0f, rect.w - (c_x - rect.x) - x.outer - m.right() - shared - m.shared_gap());
    const float shared_x = std::round(out.c.window.right() + m.shared_gap() + spare * 0.5f);
    if (stacked)
        out.corner = {rect.x + m.left(), rect.y, shared_x - m.u(28) - rect.x - m.left(),
                      m.top() + above - m.u(12) - m.f(26)};
    out.small_corner = out.small || out.corner.w < m.f(268);
    const float shared_h = out.by_bank && !out.small ? rect.h - legend - m.u(10) : rect.h;
    out.shared = {shared_x, rect.y,
                  std::min(shared + (out.by_bank ? 0 : spare * 0.5f), shared * 1.25f), shared_h};
    if (!out.small)
        out.legend = {rect.x + m.left(), rect.bottom() - m.u(11) - m.f(22),
                      rect.w - m.left() - m.right(), m.f(22)};
    // Beside a column of tiles and banks the legend ends before it.
    if (!out.by_bank) out.legend.w = std::min(out.legend.w, out.shared.x - m.u(8) - out.legend.x);
    if (out.by_bank)
        layout_by_bank(m, trace, plan, out);
    else
        layout_tiles(m, trace, plan, out);
    return out;
}

}  // namespace tilereel::stage
