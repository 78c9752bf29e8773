#include <algorithm>
#include <cmath>

#include "app/stage/layout/layout_parts.h"
#include "app/stage/layout/stage_layout.h"

namespace tilereel::stage {
namespace {

MatrixView matrix_view(ImVec2 at, ImVec2 size, ImVec2 pitch, std::uint32_t rows,
                       std::uint32_t columns) {
    constexpr float kThinnest = 3;  // pixels; a matrix of one row must be visible
    return {.window = Rect{at.x, at.y, size.x, size.y}.at_least(kThinnest),
            .pitch_x = std::max(pitch.x, kThinnest / static_cast<float>(columns)),
            .pitch_y = std::max(pitch.y, kThinnest / static_cast<float>(rows)),
            .rows = rows,
            .columns = columns};
}

float legend_height(const Measure& m) { return m.small ? 0 : m.u(4) + m.f(20); }

Room room_for(const Measure& m, const SharedForm& form) {
    Room room;
    room.bottom = m.u(m.small ? 12 : 18) + legend_height(m) + m.registers_height();
    // By bank, the corner's text has no room beside B, so it is above A and B.
    room.stacked = form.by_bank() && !m.small;
    room.above = room.stacked ? m.u(20) + m.f(345) : 0;
    room.width = m.stage.w - m.left() - m.gap() - m.shared_gap() - form.width - m.right();
    room.height = m.stage.h - m.top() - room.above - m.between() - room.bottom;
    room.least_w = room.stacked ? 0 : std::min(m.corner_width(), room.width * 0.6f);
    room.least_h = room.stacked ? 0 : std::min(m.corner_height(), room.height * 0.6f);
    return room;
}

// How readable a form of shared memory and the matrices beside it are. 1 if all cells show their
// values at a good font size.
float worth_of(const Measure& m, const Room& room, const SharedForm& form, const MatrixFit& fit) {
    const float good = m.good_type();
    float matrices = std::min(fit.type / good, 1.0f);
    if (fit.type <= 0) matrices = 0.25f * std::min(fit.pitch_y / good, 1.0f);
    if (fit.cropped) matrices *= 0.75f + 0.25f * fit.share;
    float tiles = 1;
    if (form.by_bank())
        tiles = std::min(1.0f, form.pitch / m.u(22));
    else if (form.banks != BanksForm::kNone)
        tiles = std::min(1.0f, form.pitch / m.u(kTileValuesFrom)) *
                std::pow(std::min(1.0f, form.pitch / m.largest_tile_pitch(fit.pitch_y)), 0.12f) *
                (form.pitch < m.look.px(kTileValuesFrom) ? 0.6f : 1.0f);
    if (form.ring) tiles *= 0.9f;  // only one of several planes is shown large
    // Whether the corner has room for its long text.
    const bool long_corner = m.small || room.stacked || room.least_w >= m.f(290);
    return matrices * tiles * (long_corner ? 1.0f : 0.8f);
}

// The form in which tiles and matrices together are most readable. Another form than the first,
// which is the usual one, must be clearly better.
SharedForm choose_form(const Measure& m, const Watched& watched) {
    constexpr float kClearly = 1.08f;
    const std::vector<SharedForm> forms = shared_forms(m, m.stage);
    const float widest = m.stage.w * 0.6f;
    SharedForm chosen = forms.front();
    float best = 0;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        SharedForm form = forms[i];
        if (i > 0 && form.width > widest) continue;
        form.width = std::min(form.width, widest);
        const Room room = room_for(m, form);
        const float worth = worth_of(m, room, form, fit_matrices(m, room, watched));
        if (i > 0 && worth <= best * (chosen.width == forms[0].width ? kClearly : 1.0f)) continue;
        chosen = form;
        best = worth;
    }
    return chosen;
}

// Whether a large text in the corner leaves the matrices below it no room.
bool is_squeezed(const Measure& m, const SharedForm& form, const Watched& watched) {
    constexpr float kLeastPitch = 4;  // units
    const Room room = room_for(m, form);
    return room.stacked && m.look.text > 1 &&
           fit_matrices(m, room, watched).pitch_y < m.look.px(kLeastPitch);
}

// The first row or column of C to show: the begin of the watched part, or `focus` if the part is
// too large.
float first_of_c(std::uint32_t begin, std::uint32_t end, std::uint32_t focus, float shown,
                 std::uint32_t count) {
    if (static_cast<float>(end - begin) <= shown + 0.01f)
        return first_in_sight(begin, end, focus, shown, count);
    return std::min(static_cast<float>(focus), static_cast<float>(end) - std::floor(shown));
}

// Sets the first cells so that the watched part is visible.
void follow(const StageLayout& layout, Zoom& zoom) {
    const Watched& w = zoom.watched;
    const MatrixView &a = layout.a, &b = layout.b, &c = layout.c;
    zoom.pan = {first_of_c(w.c.column0, w.c.column1, w.column, c.visible_columns(), c.columns),
                first_of_c(w.c.row0, w.c.row1, w.row, c.visible_rows(), c.rows)};
    const float shown = std::min(a.visible_columns(), b.visible_rows());
    zoom.pan_k = first_in_sight(w.k0, w.k1, w.k, shown, a.columns);
}

// Places A, B and C beside and below the corner. Returns the pitch of their cells at zoom 1.
float place_matrices(const Measure& m, Room& room, Zoom& zoom, StageLayout& out) {
    const Launch& launch = m.trace.launch;
    MatrixFit fit = fit_matrices(m, room, zoom.watched);
    out.could_crop = fit.cropped;
    if (zoom.whole) fit = fit_matrices(m, room, {});
    out.cropped = fit.cropped;
    if (room.stacked) {  // the warps get the room that the matrices do not need
        const float used = fit.y.inner + fit.y.outer;
        const float more = std::clamp(room.height - used, 0.0f, m.f(80));
        room.above += more;
        room.height -= more;
    }
    const ImVec2 pitch{fit.pitch_x * zoom.zoom, fit.pitch_y * zoom.zoom};
    Split x = fit.x, y = fit.y;
    const float corner_w = std::max(x.inner, room.least_w);
    const float corner_h = std::max(y.inner, std::min(room.least_h, room.height - y.outer));
    if (zoom.zoom > 1) {  // the corner of C keeps its place; the windows grow away from it
        const auto px = [](std::uint32_t n, float each) { return static_cast<float>(n) * each; };
        x.inner = std::min(px(launch.k, pitch.x), corner_w);
        y.inner = std::min(px(launch.k, pitch.y), corner_h);
        x.outer = std::max(x.outer, std::min(px(launch.n, pitch.x), room.width - corner_w));
        y.outer = std::max(y.outer, std::min(px(launch.m, pitch.y), room.height - corner_h));
    }
    const ImVec2 c{m.stage.x + m.left() + corner_w + m.gap(),
                   m.stage.y + m.top() + room.above + corner_h + m.between()};
    out.a =
        matrix_view({c.x - m.gap() - x.inner, c.y}, {x.inner, y.outer}, pitch, launch.m, launch.k);
    out.b = matrix_view({c.x, c.y - m.between() - y.inner}, {x.outer, y.inner}, pitch, launch.k,
                        launch.n);
    out.c = matrix_view(c, {x.outer, y.outer}, pitch, launch.m, launch.n);
    if (zoom.follows_watched()) follow(out, zoom);
    scroll_matrices(out, zoom);
    const float label = m.small ? m.f(12) : m.u(5) + m.f(13);
    out.title_a = {out.a.window.x, c.y - label};
    out.title_c = {c.x, c.y - label};
    out.title_b = m.small ? ImVec2{c.x - m.u(10), out.b.window.y + m.f(12)}
                          : ImVec2{c.x, out.b.window.y - label};
    return std::min(fit.pitch_x, fit.pitch_y);
}

// Places the corner, the legend and, at the right, the column of shared memory. Spare width is
// added to the gap before that column and to the margin after it in equal parts.
void place_columns(const Measure& m, const Room& room, const SharedForm& form, const Zoom& zoom,
                   StageLayout& out) {
    const Rect& rect = m.stage;
    const float left = rect.x + m.left(), right = rect.right() - m.right();
    const Rect& c = out.c.window;
    const float spare = std::max(0.0f, right - form.width - c.right() - m.shared_gap());
    out.shared = {std::round(c.right() + m.shared_gap() + spare * 0.5f), rect.y,
                  std::min(form.width + (out.by_bank() ? 0 : spare * 0.5f), form.width * 1.25f),
                  rect.h - (m.small ? zoom.below_shared : m.fragments_height())};
    if (out.by_bank() && !m.small) out.shared.h -= legend_height(m) + m.u(10);
    out.corner = {left, rect.y, c.x - m.gap() - m.u(m.small ? 10 : 20) - left,
                  c.y - m.between() - rect.y};
    if (room.stacked)
        out.corner = {left, rect.y, out.shared.x - m.u(28) - left,
                      m.top() + room.above - m.u(12) - m.f(26)};
    out.small_corner = m.small || out.corner.w < m.f(268);
    if (m.small) return;
    out.legend = {left, rect.bottom() - m.u(11) - m.f(22), right - left, m.f(22)};
    // If tiles and banks form a column, the legend ends at the left of it.
    if (!out.by_bank()) out.legend.w = std::min(out.legend.w, out.shared.x - m.u(8) - left);
}

// Places what a lane holds in registers: below the matrices or, for its fragments in a large
// window, below shared memory.
void place_operands(const Measure& m, StageLayout& out) {
    const Rect& rect = m.stage;
    if (m.fragments.rows > 0 && !m.small) {
        const float w = rect.right() - m.right() - out.shared.x;
        out.fragments = {out.shared.x, out.shared.bottom(),
                         out.by_bank() ? w : std::min(out.shared.w, w),
                         m.fragments_height() - m.u(8)};
    }
    if (!m.plan.holds_operands() && !(m.small && m.fragments.rows > 0)) return;
    const float top = out.c.window.bottom() + m.u(m.small ? 12 : 18);
    const float bottom = rect.bottom() - m.u(6) - legend_height(m) - (m.small ? 0 : m.u(10));
    (m.plan.holds_operands() ? out.registers : out.fragments) =
        Rect{out.corner.x, top, out.shared.x - m.u(28) - out.corner.x, bottom - top};
}

// The strip between the matrices and shared memory.
void place_strip(const Measure& m, StageLayout& out) {
    if (out.arrays.empty()) return;
    // Above narrow matrices the corner may be wider than they are.
    const float left =
        std::max({out.b.window.right(), out.c.window.right(), out.corner.right()}) + m.u(6);
    out.strip = {left, m.stage.y, std::max(out.shared.x - m.u(6) - left, m.u(4)), m.stage.h};
    out.gate = out.strip;
    for (const Rect& panel : {out.registers, out.fragments})  // below the matrices
        if (panel.w > 0 && panel.x < left)
            out.gate.x = std::max(out.gate.x, std::min(panel.right(), out.strip.right() - m.u(4)));
    out.gate.w = out.strip.right() - out.gate.x;
    const float top = out.b.window.y;
    place_rack(m, {left, top, 0, out.c.window.bottom() - top}, out);
}

}  // namespace

void place_rack(const Measure& m, const Rect& beside, StageLayout& out) {
    if (m.plan.transfers().slots() == 0) return;
    const float gate = std::min(m.u(16), out.strip.w / 3);
    out.rack = {out.strip.x, beside.y, std::min(out.strip.w - gate, m.u(44)), beside.h};
}

void scroll_matrices(StageLayout& layout, Zoom& zoom) {
    MatrixView &a = layout.a, &b = layout.b, &c = layout.c;
    c.scroll_to(zoom.pan);
    zoom.pan = c.first();
    a.scroll_to({zoom.pan_k, zoom.pan.y});
    b.scroll_to({zoom.pan.x, zoom.pan_k});
    zoom.pan_k = std::max(a.column0, b.row0);
}

StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                         const StagePlan& plan, Zoom& zoom, std::uint32_t banks) {
    Measure m{look, rect, trace, plan, banks};
    const auto form_of = [&] {
        m.fragments = plan.fragments();
        // A lane's fragments are left out if the tiles or the corner need all of the room.
        if (!fragments_fit(m)) m.fragments = {};
        return choose_form(m, zoom.watched);
    };
    SharedForm form = form_of();
    if (is_squeezed(m, form, zoom.watched)) {
        m.small = true;
        form = form_of();
    }
    StageLayout out;
    out.all = rect;
    out.small = m.small;
    out.watched = zoom.watched;
    out.banks = form.banks;
    Room room = room_for(m, form);
    const float pitch = place_matrices(m, room, zoom, out);
    place_columns(m, room, form, zoom, out);
    layout_shared(m, form, pitch, zoom, out);
    place_operands(m, out);
    place_strip(m, out);
    return out;
}

}  // namespace tilereel::stage
