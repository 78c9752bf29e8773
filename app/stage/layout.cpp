#include "app/stage/layout.h"

#include <algorithm>
#include <cmath>

#include "app/stage/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kLargestPitch = 104;  // units: what fills the stage with a handful of elements

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

float legend_height(const Measure& m) { return m.small ? 0 : m.u(4) + m.f(20); }

// What the matrices may fill: everything but shared memory, titles and margins.
struct Room {
    float width = 0, height = 0;
    float least_w = 0, least_h = 0;  // of the corner
    float above = 0;                 // by bank: the corner's words above A and B
    float bottom = 0;
    bool stacked = false;
    [[nodiscard]] float pitch(const Measure& m, const Launch& launch) const {
        return whole_pitch(
            std::min({fitting_pitch(width, launch.k, launch.n, least_w),
                      fitting_pitch(height, launch.k, launch.m, least_h), m.u(kLargestPitch)}),
            m.look.px(6));
    }
};
Room room_for(const Measure& m, const Rect& rect, const SharedForm& form) {
    Room room;
    room.bottom = m.u(m.small ? 12 : 18) + legend_height(m) + m.registers_height();
    // By bank there is no room for the corner's words beside B: they stand above A and B.
    room.stacked = form.by_bank && !m.small;
    room.above = room.stacked ? m.u(20) + m.f(345) : 0;
    room.width = rect.w - m.left() - m.gap() - m.shared_gap() - form.width - m.right();
    room.height = rect.h - m.top() - room.above - m.between() - room.bottom;
    room.least_w = room.stacked ? 0 : std::min(m.corner_width(), room.width * 0.6f);
    room.least_h = room.stacked ? 0 : std::min(m.corner_height(), room.height * 0.6f);
    return room;
}

// The form that leaves the matrices their values, if they have them in the narrowest one, and half
// of their size at least. Among those one that shows the values of a tile, and of these the one in
// which tiles and matrices together are the largest.
SharedForm choose_form(const Measure& m, const Rect& rect, const Launch& launch,
                       const SharedCells& cells, std::uint32_t banks) {
    const std::vector<SharedForm> forms = shared_forms(m, rect, cells, banks);
    const float values = m.look.px(kValuesFrom), tile_values = m.look.px(kTileValuesFrom);
    SharedForm chosen = forms.front();
    chosen.width = std::min(chosen.width, rect.w * 0.6f);
    const Room room_before = room_for(m, rect, chosen);
    const float before = room_before.pitch(m, launch);
    // The corner's words stand in their long form.
    const auto long_corner = [&](const Room& room) {
        return m.small || room.stacked || room.least_w >= m.f(290);
    };
    // Best with its values and all planes large; without values, with one plane of each large.
    const auto rank = [&](const SharedForm& form) {
        return form.pitch >= tile_values ? form.ring ? 2 : 3 : form.ring ? 1 : 0;
    };
    const auto worth = [&](const SharedForm& form) {
        const float pitch = room_for(m, rect, form).pitch(m, launch);
        const float of_tile = std::min(form.pitch, m.largest_tile_pitch(pitch));
        return std::pair(rank(form), pitch * of_tile);
    };
    for (const SharedForm& form : forms) {
        if (form.width > rect.w * 0.6f) continue;
        const Room room = room_for(m, rect, form);
        const float after = room.pitch(m, launch);
        const bool spared = after >= before * 0.5f && (before < values || after >= values) &&
                            (long_corner(room) || !long_corner(room_before) || !form.ring);
        if (spared && worth(form) > worth(chosen)) chosen = form;
    }
    return chosen;
}

}  // namespace

float scrolled(float first, float shown_px, float pitch, std::uint32_t count) {
    const float most = std::max(0.0f, static_cast<float>(count) - shown_px / pitch);
    return std::clamp(first, 0.0f, most);
}

StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                         const StagePlan& plan, Zoom& zoom, std::uint32_t banks) {
    StageLayout out;
    out.all = rect;
    const float height_units = rect.h / look.scale, width_units = rect.w / look.scale;
    out.small = height_units < 480 + 140 * look.text || width_units < 600 + 300 * look.text;
    Measure m{look, out.small, width_units<560 * look.text, trace.launch.warps()> 8,
              plan.holds_operands(), plan.fragments()};
    // No room for it where the tiles or the corner need all of it.
    if (!fragments_fit(m, rect, shared_cells(trace, plan))) m.fragments = {};
    const Launch& launch = trace.launch;
    const SharedForm form = choose_form(m, rect, launch, shared_cells(trace, plan), banks);
    out.by_bank = form.by_bank;
    out.banks = form.banks;

    // The matrices: pitch from what is left of the width and the height.
    Room room = room_for(m, rect, form);
    const float base = room.pitch(m, launch);
    if (room.stacked) {  // what the matrices leave free goes to the warps
        const float used = base * static_cast<float>(launch.k + launch.m);
        room.above += std::clamp(room.height - used, 0.0f, m.f(80));
    }
    const float pitch = zoom.factor > 1 ? base * zoom.factor : base;
    const auto cells_px = [pitch](std::uint32_t n) { return static_cast<float>(n) * pitch; };
    const float left_over = rect.h - m.top() - room.above - m.between() - room.bottom;
    const auto unzoomed = [base](std::uint32_t n) { return static_cast<float>(n) * base; };
    Split x = split(room.width, unzoomed(launch.k), unzoomed(launch.n), room.least_w);
    Split y = split(left_over, unzoomed(launch.k), unzoomed(launch.m), room.least_h);
    const float corner_w = std::max(x.inner, room.least_w);
    const float corner_h = std::max(y.inner, std::min(room.least_h, left_over - y.outer));
    if (zoom.factor > 1) {  // C's corner stays; the windows grow away from it
        x.inner = std::min(cells_px(launch.k), corner_w);
        y.inner = std::min(cells_px(launch.k), corner_h);
        x.outer = std::max(x.outer, std::min(cells_px(launch.n), room.width - corner_w));
        y.outer = std::max(y.outer, std::min(cells_px(launch.m), left_over - corner_h));
    }

    const float c_x = rect.x + m.left() + corner_w + m.gap();
    const float c_y = rect.y + m.top() + room.above + corner_h + m.between();
    out.a =
        matrix_view({c_x - m.gap() - x.inner, c_y}, x.inner, y.outer, pitch, launch.m, launch.k);
    out.b = matrix_view({c_x, c_y - m.between() - y.inner}, x.outer, y.inner, pitch, launch.k,
                        launch.n);
    out.c = matrix_view({c_x, c_y}, x.outer, y.outer, pitch, launch.m, launch.n);
    zoom.column = scrolled(zoom.column, x.outer, pitch, launch.n);
    zoom.row = scrolled(zoom.row, y.outer, pitch, launch.m);
    zoom.k = scrolled(zoom.k, std::min(x.inner, y.inner), pitch, launch.k);
    out.a.column0 = scrolled(zoom.k, x.inner, pitch, launch.k);
    out.b.row0 = scrolled(zoom.k, y.inner, pitch, launch.k);
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
        std::max(0.0f, rect.w - (c_x - rect.x) - x.outer - m.right() - form.width - m.shared_gap());
    const float shared_x = std::round(out.c.window.right() + m.shared_gap() + spare * 0.5f);
    if (room.stacked)
        out.corner = {rect.x + m.left(), rect.y, shared_x - m.u(28) - rect.x - m.left(),
                      m.top() + room.above - m.u(12) - m.f(26)};
    out.small_corner = out.small || out.corner.w < m.f(268);
    float shared_h = out.by_bank && !out.small ? rect.h - legend_height(m) - m.u(10) : rect.h;
    if (!out.small) shared_h -= m.fragments_height();
    out.shared = {shared_x, rect.y,
                  std::min(form.width + (out.by_bank ? 0 : spare * 0.5f), form.width * 1.25f),
                  shared_h};
    if (!out.small)
        out.legend = {rect.x + m.left(), rect.bottom() - m.u(11) - m.f(22),
                      rect.w - m.left() - m.right(), m.f(22)};
    // Beside a column of tiles and banks the legend ends before it.
    if (!out.by_bank) out.legend.w = std::min(out.legend.w, out.shared.x - m.u(8) - out.legend.x);
    layout_shared(m, trace, plan, form, banks, base, zoom, out);
    if (m.fragments.rows > 0 && !out.small)
        out.fragments = {out.shared.x, out.shared.bottom(),
                         out.by_bank
                             ? rect.right() - m.right() - out.shared.x
                             : std::min(out.shared.w, rect.right() - m.right() - out.shared.x),
                         m.fragments_height() - m.u(8)};
    if (m.registers || (out.small && m.fragments.rows > 0)) {
        const float top = out.c.window.bottom() + m.u(m.small ? 12 : 18);
        const float bottom = rect.bottom() - m.u(6) - legend_height(m) - (m.small ? 0 : m.u(10));
        (m.registers ? out.registers : out.fragments) = Rect{
            out.corner.x, top, out.shared.x - m.u(28) - out.corner.x, bottom - top};
    }
    return out;
}

}  // namespace tilereel::stage
