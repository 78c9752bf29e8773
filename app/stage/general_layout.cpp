// Where everything lies on the stage of a kernel that is no matrix product.
#include <algorithm>
#include <cmath>

#include "app/stage/general.h"
#include "app/stage/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kLargestCell = 40, kSmallestCell = 2.75f;  // units

struct Extent {
    std::uint64_t first_row = 0, rows = 1;
    std::uint32_t first_column = 0, columns = 1;
};

Extent whole_of(const GlobalArray& array, std::uint32_t row_length) {
    const std::uint64_t rows = (array.cells + row_length - 1) / row_length;
    const auto columns = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(row_length, std::max<std::uint64_t>(array.cells, 1)));
    return {0, std::max<std::uint64_t>(rows, 1), 0, columns};
}

// The rows that the block uses. Of an array wider than can be shown, also only the columns.
Extent part_of(const GlobalArray& array, std::uint32_t row_length) {
    Extent part = whole_of(array, row_length);
    if (array.used.empty()) return part;
    part.first_row = array.used.first / row_length;
    part.rows = (array.used.last - 1) / row_length + 1 - part.first_row;
    if (part.rows == 1) {
        part.first_column = static_cast<std::uint32_t>(array.used.first % row_length);
        part.columns =
            static_cast<std::uint32_t>((array.used.last - 1) % row_length) + 1 - part.first_column;
    }
    return part;
}

float pitch_for(const Measure& m, const Extent& extent, float w, float h) {
    return std::min({w / static_cast<float>(extent.columns), h / static_cast<float>(extent.rows),
                     m.u(kLargestCell) * m.stretch()});
}

// Name and type, and below them the choosers.
float title_height(const Measure& m) { return m.u(20) + m.f(42); }

GlobalView place(const Measure& m, const GlobalArray& array, const GeneralView& chosen,
                 const std::string& name, const Rect& box) {
    const auto row = chosen.rows.find(name);
    GlobalView view;
    view.array = array.id;
    view.role = array.role;
    view.box = box;
    view.row_length = std::max(row != chosen.rows.end() ? row->second : array.guessed_row, 1u);
    view.cells = array.cells;
    const Extent whole = whole_of(array, view.row_length), part = part_of(array, view.row_length);
    view.all_rows = whole.rows;
    const float h = std::max(box.h - title_height(m), m.u(8));
    const float whole_pitch = pitch_for(m, whole, box.w, h),
                part_pitch = pitch_for(m, part, box.w, h);
    const float values = m.look.px(kValuesFrom);
    view.can_change = part_pitch > whole_pitch * 1.2f;
    // Values are what a picture is looked at for; without them, where in the array the block works.
    view.part = view.can_change && whole_pitch < values && part_pitch >= values;
    if (const auto asked = chosen.whole.find(name); asked != chosen.whole.end() && view.can_change)
        view.part = !asked->second;
    const Extent& shown = view.part ? part : whole;
    view.first_row = shown.first_row;
    view.rows = shown.rows;
    view.first_column = shown.first_column;
    view.columns = shown.columns;
    view.pitch = view.part ? part_pitch : whole_pitch;
    if (view.pitch >= m.look.px(kSmallestCell)) view.pitch = std::max(std::floor(view.pitch), 1.0f);
    view.window = {box.x, box.y + title_height(m), view.pitch * static_cast<float>(view.columns),
                   view.pitch * static_cast<float>(view.rows)};
    return view;
}

// Equal boxes in rows and columns; of all such arrangements the one with the largest cells.
std::vector<GlobalView> place_all(const Measure& m, const Trace& trace, const GeneralView& chosen,
                                  const Rect& area) {
    const std::vector<GlobalArray>& arrays = chosen.plan.arrays();
    std::vector<GlobalView> best;
    float best_worth = -1;
    const auto n = static_cast<std::uint32_t>(arrays.size());
    for (std::uint32_t across = 1; across <= n; ++across) {
        const std::uint32_t down = (n + across - 1) / across;
        const float gap = m.u(20);
        const float w =
            (area.w - gap * static_cast<float>(across - 1)) / static_cast<float>(across);
        const float h =
            (area.h - m.u(10) * static_cast<float>(down - 1)) / static_cast<float>(down);
        if (w < m.u(40) || h < title_height(m) + m.u(10)) continue;
        std::vector<GlobalView> views;
        float worth = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            const Rect box{area.x + static_cast<float>(i % across) * (w + gap),
                           area.y + static_cast<float>(i / across) * (h + m.u(10)), w, h};
            views.push_back(place(m, arrays[i], chosen, trace.arrays[arrays[i].id].name, box));
            worth += std::min(views.back().pitch, m.look.px(kValuesFrom) * 1.3f);
        }
        if (worth > best_worth) best = std::move(views), best_worth = worth;
    }
    return best;
}

// Shared memory as declared where its cells hold values, else by bank.
void place_shared(const Measure& m, const Rect& area, const Trace& trace, const StagePlan& plan,
                  Zoom& zoom, std::uint32_t banks, StageLayout& out) {
    out.shared = area;
    SharedForm form = by_bank_form(m, area, banks);
    for (const SharedForm& other : shared_forms(m, area, shared_cells(trace, plan), banks))
        if (!other.by_bank && other.pitch >= m.look.px(kValuesFrom) && other.width <= area.w)
            form = other;
    out.by_bank = form.by_bank;
    out.banks = form.banks;
    layout_shared(m, trace, plan, form, banks, 0, zoom, out);
}

}  // namespace

Rect GlobalView::rect_of(std::uint64_t cell) const {
    const auto row = static_cast<float>(cell / row_length - first_row);
    const auto column = static_cast<float>(cell % row_length) - static_cast<float>(first_column);
    return {window.x + column * pitch, window.y + row * pitch, pitch, pitch};
}

bool GlobalView::at(ImVec2 point, std::uint64_t& cell) const {
    if (!window.contains(point)) return false;
    const auto row = static_cast<std::uint64_t>((point.y - window.y) / pitch) + first_row;
    const auto column = static_cast<std::uint64_t>((point.x - window.x) / pitch) + first_column;
    cell = row * row_length + column;
    return shows(cell);
}

GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                             const StagePlan& plan, const GeneralView& view, Zoom& zoom,
                             std::uint32_t banks, StageLayout& out) {
    const float height_units = rect.h / look.scale, width_units = rect.w / look.scale;
    out.all = rect;
    out.small = height_units < 480 + 140 * look.text || width_units < 600 + 300 * look.text;
    out.small_corner = true;
    const Measure m{look, out.small, width_units<560 * look.text, trace.launch.warps()> 8};
    GeneralLayout layout;
    const float legend = out.small ? 0 : m.u(8) + m.f(22);
    Rect inner{rect.x + m.left(), rect.y, rect.w - m.left() - m.right(), rect.h - legend};
    if (legend > 0) layout.legend = {inner.x, inner.bottom(), inner.w, m.f(22)};
    const float gap = m.u(out.small ? 20 : 32);
    const bool shared = !plan.shared().empty();
    const float top_h = shared ? std::floor(inner.h * 0.44f) : inner.h - m.u(8);
    const float head_w = std::clamp(inner.w * 0.24f, m.f(170), std::max(m.f(170), m.u(320)));
    layout.head = {inner.x, inner.y, head_w, shared ? top_h : m.f(150) + m.u(30)};
    const float right_w = shared ? 0 : std::clamp(inner.w * 0.27f, m.u(240), m.u(420));
    if (shared) {
        const float warps_w = std::clamp(inner.w * 0.24f, m.f(150), m.u(360));
        layout.warps = {layout.head.right() + gap, inner.y + m.u(8), warps_w, top_h - m.u(12)};
        place_shared(m, {inner.x, inner.y + top_h, inner.w, inner.bottom() - inner.y - top_h},
                     trace, plan, zoom, banks, out);
    } else {
        layout.warps = {inner.x, layout.head.bottom(), head_w,
                        inner.bottom() - layout.head.bottom() - m.u(8)};
        out.shared = {inner.right() - right_w, inner.y, right_w, inner.h};
    }
    const float left = (shared ? layout.warps : layout.head).right() + gap;
    const float right = shared ? inner.right() : out.shared.x - gap;
    layout.globals = {left, inner.y + m.u(10), std::max(right - left, m.u(60)), top_h - m.u(14)};
    layout.views = place_all(m, trace, view, layout.globals);
    return layout;
}

}  // namespace tilereel::stage
