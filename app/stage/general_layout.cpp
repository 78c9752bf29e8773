// The layout of the stage for a kernel that is not a matrix product.
#include <algorithm>
#include <cmath>

#include "app/stage/general.h"
#include "app/stage/layout_parts.h"

namespace tilereel::stage {
namespace {

// Shows shared memory as declared if its cells have room for values, otherwise by bank.
void place_shared(const Measure& m, const Rect& area, Zoom& zoom, StageLayout& out) {
    out.shared = area;
    SharedForm form = by_bank_form(m, area);
    for (const SharedForm& other : shared_forms(m, area))
        if (!other.by_bank() && other.pitch >= m.look.px(kValuesFrom) && other.width <= area.w)
            form = other;
    out.banks = form.banks;
    layout_shared(m, form, 0, zoom, out);
}

// The height that shared memory, its banks and their request need when shown by bank.
float height_by_bank(const Measure& m) {
    const float title = m.small ? m.f(16) + m.u(15) : m.u(30) + m.f(55);
    float height = title + below_banks(m, false) + m.u(20);
    for (const SharedUse& use : m.plan.shared()) {
        const std::vector<SharedView> views =
            views_of(m.trace.arrays[use.array], use.array, m.banks);
        height += m.u(16 * m.stretch()) * static_cast<float>(views.front().rows);
        if (views.size() > 1) height += ring_below(m);
    }
    return height + (m.u(14) + m.f(24)) * std::max(m.cells.arrays() - 1, 0.0f);
}

}  // namespace

GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                             const StagePlan& plan, GeneralView& view, const Followed& followed,
                             Zoom& zoom, std::uint32_t banks, StageLayout& out) {
    const Measure m(look, rect, trace, plan, banks);
    out.all = rect;
    out.small = m.small;
    out.small_corner = true;
    GeneralLayout layout;
    const float legend = out.small ? 0 : m.u(8) + m.f(22);
    Rect inner{rect.x + m.left(), rect.y, rect.w - m.left() - m.right(), rect.h - legend - m.u(10)};
    if (legend > 0) layout.legend = {inner.x, inner.bottom(), inner.w, m.f(22)};
    const float gap = m.u(out.small ? 20 : 32);
    const bool shared = !plan.shared().empty();
    // Shared memory gets the height that it needs, but leaves a share to the global arrays.
    const float top_h =
        shared
            ? std::floor(std::clamp(inner.h - height_by_bank(m), inner.h * 0.42f, inner.h * 0.6f))
            : inner.h - m.u(8);
    // Without shared memory, the warps with their labels are below the head.
    const float least_head = shared ? m.f(170) : std::max(m.f(170), m.u(226));
    const float head_w = std::clamp(inner.w * 0.2f, least_head, std::max(least_head, m.u(320)));
    layout.head = {inner.x, inner.y, head_w, shared ? top_h : m.f(150) + m.u(30)};
    const float right_w = shared ? 0 : std::clamp(inner.w * 0.27f, m.u(240), m.u(420));
    if (shared) {
        const float warps_w = std::clamp(inner.w * 0.2f, m.f(150), m.u(360));
        layout.warps = {layout.head.right() + gap, inner.y + m.u(8), warps_w, top_h - m.u(12)};
        place_shared(m, {inner.x, inner.y + top_h, inner.w, inner.bottom() - inner.y - top_h}, zoom,
                     out);
    } else {
        layout.warps = {inner.x, layout.head.bottom(), head_w,
                        inner.bottom() - layout.head.bottom() - m.u(8)};
        out.shared = {inner.right() - right_w, inner.y, right_w, inner.h};
    }
    const float left = (shared ? layout.warps : layout.head).right() + gap;
    const float right = shared ? inner.right() : out.shared.x - gap;
    layout.globals = {left, inner.y + m.u(10), std::max(right - left, m.u(60)), top_h - m.u(14)};
    if (view.plan.left_out() > 0) layout.globals.h -= m.f(22);  // room for the text that says so
    layout.views = place_globals(m, view, followed, layout.globals);
    return layout;
}

}  // namespace tilereel::stage
