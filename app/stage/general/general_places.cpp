// The layout of the stage for a kernel that is not a matrix product, and of the windows onto all
// global arrays. If not all have room for readable values, some are large and the others are
// strips: a name and a small map.
#include <algorithm>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kGap = 20, kBelow = 10;               // units: gaps between arrays
constexpr float kReadRows = 2, kReadColumns = 4;      // smallest useful window, in cells
constexpr float kStripGap = 4;                        // units: gap between stacked strips
constexpr float kLeastBox = 40, kLeastStripMap = 48;  // units: smallest widths

// How useful this view of an array is: how much of the array it shows with readable values.
float worth_of(const GlobalView& view) {
    constexpr float kMany = 400;  // cells; more are not read at one glance
    const float cells = view.visible_columns() * view.visible_rows();
    const auto all = static_cast<float>(view.shape.cells());
    const float share = std::sqrt(std::min(cells / std::min(std::max(all, 1.0f), kMany), 1.0f));
    const float columns = std::min(view.visible_columns() / std::max(view.wanted, 1.0f), 1.0f);
    // A few values tell more than all cells without values.
    return view.holds_values() ? 0.3f + 0.7f * share * columns : 0.25f * share;
}

// Whether the name and some values can be read.
bool is_readable(const Measure& m, const GeneralView& chosen, const GlobalView& view) {
    const Array& array = m.trace.arrays[view.array];
    if (text_width(array.name, Face::kSemiBold, m.f(kLeastNameType)) > view.box.w) return false;
    if (chosen.shows_whole(array.name) || array.type == ElementType::kBytes) return true;
    const auto rows = static_cast<float>(view.rows), columns = static_cast<float>(view.columns);
    return view.holds_values() && view.visible_rows() >= std::min(kReadRows, rows) - 0.01f &&
           view.visible_columns() >= std::min({kReadColumns, columns, view.wanted}) - 0.01f;
}

float box_width(const Measure& m, const Rect& area, std::uint32_t across) {
    return (area.w - m.u(kGap) * static_cast<float>(across - 1)) / static_cast<float>(across);
}

// Boxes with these heights, row by row.
std::vector<Rect> boxes_in_rows(const Measure& m, const Rect& area, std::uint32_t count,
                                std::uint32_t across, const std::vector<float>& heights) {
    const float w = box_width(m, area, across), pitch = w + m.u(kGap);
    std::vector<Rect> boxes;
    float y = area.y;
    for (std::uint32_t i = 0; i < count; ++i) {
        boxes.push_back({std::round(area.x + static_cast<float>(i % across) * pitch), std::round(y),
                         w, heights[i / across]});
        if (i % across == across - 1) y += heights[i / across] + m.u(kBelow);
    }
    return boxes;
}

struct Tried {
    ArrayPlaces places{};
    float worth = -1;
    bool readable = false;  // all arrays are readable
};

// Places the strips below the large arrays in equal columns, with maps or, in a low window, with
// names only. Strips without room get an empty box, and the last place is kept free for text about
// them. Returns the y position at which the large arrays end.
float place_strips(const Measure& m, const GeneralView& view, const Rect& area, std::uint32_t count,
                   ArrayPlaces& places) {
    const float name =
        widest(view.plan.arrays(), Face::kSemiBold, m.f(kLeastNameType),
               [&m](const GlobalArray& array) { return m.trace.arrays[array.id].name; });
    const float h = m.f(18) + m.u(2), pitch = h + m.u(kStripGap);
    const float least_large = m.u(kBelow) + m.u(18) + m.f(42) + 1.5f * m.good_type();
    const auto room =
        static_cast<std::uint32_t>(std::max(0.0f, std::floor((area.h - least_large) / pitch)));
    const auto fitting = [&](float width) {  // number of strips side by side
        const float each = width + m.u(kGap);
        return std::min(count,
                        static_cast<std::uint32_t>(std::max(1.0f, (area.w + m.u(kGap)) / each)));
    };
    std::uint32_t across = fitting(name + m.u(8) + m.u(kLeastStripMap));
    if (count > across * room) across = fitting(name + m.u(8));
    const std::uint32_t down = std::min((count + across - 1) / across, room);
    const bool hides = count > across * room;
    const std::uint32_t shown = hides ? std::max(across * down, 1u) - 1 : count;
    const float w = box_width(m, area, across);
    const float top = area.bottom() - static_cast<float>(down) * pitch + m.u(kStripGap);
    const CellWindow grid{{area.x, top, area.w, 0}, w + m.u(kGap), pitch};
    for (std::uint32_t i = 0; i < count; ++i) {
        const Rect cell = grid.cell({i / across, i % across});
        places.strips.push_back(i < shown ? Rect{std::round(cell.x), std::round(cell.y), w, h}
                                          : Rect{});
    }
    return down > 0 ? top - m.u(kBelow) : area.bottom();
}

// Tries to make `large` arrays large and the others strips. If all are large, each has a box of a
// suitable shape. If not, the boxes are equal and suit any array.
Tried try_large(const Measure& m, const GeneralView& view, const Rect& area, std::uint32_t large) {
    const std::vector<GlobalArray>& arrays = view.plan.arrays();
    const bool all = large == arrays.size();
    ArrayPlaces places;
    Rect room = area;
    if (!all) {
        const auto strips = static_cast<std::uint32_t>(arrays.size()) - large;
        const float end = place_strips(m, view, area, strips, places);
        room.h = std::max(end - area.y, m.u(kLeastBox));
    }
    Tried best;
    for (std::uint32_t across = 1; across <= large; ++across) {
        const float w = box_width(m, room, across);
        if (w < m.u(kLeastBox)) break;
        const auto down = static_cast<float>((large + across - 1) / across);
        const std::vector<float> heights =
            all ? heights_of(m, view, across, w, room.h)
                : std::vector<float>(large, (room.h - m.u(kBelow) * (down - 1)) / down);
        Tried tried{.places = places, .worth = 0, .readable = true};
        tried.places.large = boxes_in_rows(m, room, large, across, heights);
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            const GlobalView placed =
                place_one(m, arrays[i], view, tried.places.large[all ? i : 0]);
            tried.worth += worth_of(placed);
            tried.readable = tried.readable && is_readable(m, view, placed);
        }
        const bool better = tried.worth > best.worth * 1.001f;
        if (tried.readable != best.readable ? tried.readable : better) best = std::move(tried);
    }
    return best;
}

ArrayPlaces arrange(const Measure& m, const GeneralView& view, const Rect& area) {
    Tried tried;
    for (auto large = static_cast<std::uint32_t>(view.plan.arrays().size());
         large > 0 && !tried.readable; --large)
        tried = try_large(m, view, area, large);
    return std::move(tried.places);
}

// The array at each place for each step. Arrays that the user has raised keep their place.
ArrayPlacement placement_of(const Trace& trace, const GeneralView& view, std::size_t places) {
    const std::vector<GlobalArray>& arrays = view.plan.arrays();
    std::vector<const std::vector<std::uint32_t>*> steps;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        steps.push_back(&view.plan.uses().steps(arrays[i].id));
        const std::string& name = trace.arrays[arrays[i].id].name;
        if (std::ranges::find(view.raised, name) != view.raised.end()) kept.push_back(i);
    }
    return ArrayPlacement(steps, std::max<std::size_t>(places, 1), kept);
}

// The places are computed again only if an input has changed, so nothing moves during playback.
void arrange_anew_if_needed(const Measure& m, GeneralView& view, const Rect& area) {
    GeneralView::Arranged& known = view.arranged;
    const GeneralView::ArrangedFor wanted{view.plan.replay(), area,    m.look.scale,
                                          m.look.text,        m.small, view};
    if (known.inputs == wanted) return;
    known.inputs = wanted;
    known.places = arrange(m, view, area);
    // If there are several places, at least one follows the accesses.
    const std::size_t most = std::max<std::size_t>(known.places.large.size(), 2) - 1;
    while (view.raised.size() > most) view.raised.erase(view.raised.begin());
    known.inputs.choices.raised = view.raised;
    known.placement = placement_of(m.trace, view, known.places.large.size());
}

GlobalView place_strip(const Measure& m, const GlobalArray& here, const GeneralView& chosen,
                       const Rect& box) {
    GlobalView view = place_one(m, here, chosen, box);
    const float name =
        text_width(m.trace.arrays[here.id].name, Face::kSemiBold, m.f(kLeastNameType)) + m.u(8);
    view.box = box;
    view.strip = true;
    view.window = {box.x, box.y, 0, 0};
    // A map that is too narrow to read is left out.
    const float map = box.w - name >= m.u(24) ? box.w - name : 0;
    view.map = {box.x + name, box.y + m.u(2), map, box.h - m.u(4)};
    view.can_change = false;
    return view;
}

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
    float height = above_banks(m) + below_banks(m, false) + m.u(20);
    for (const SharedUse& use : m.plan.shared()) {
        const std::vector<SharedView> views =
            views_of(m.trace.arrays[use.array], use.array, m.banks);
        height += tall_row(m) * static_cast<float>(views.front().rows);
        if (views.size() > 1) height += ring_below(m);
    }
    return height + between_arrays(m) * std::max(m.cells.arrays() - 1, 0.0f);
}

}  // namespace

std::vector<GlobalView> place_globals(const Measure& m, GeneralView& view, const Followed& followed,
                                      const Rect& area) {
    arrange_anew_if_needed(m, view, area);
    const std::vector<GlobalArray>& arrays = view.plan.arrays();
    const ArrayPlaces& places = view.arranged.places;
    std::vector<GlobalView> views;
    if (arrays.empty() || places.large.empty()) return views;
    const std::vector<std::size_t>& placement = view.arranged.placement.at(followed.step);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const std::string& name = m.trace.arrays[arrays[i].id].name;
        const std::size_t place = placement[i], large = places.large.size();
        if (place >= large) {
            views.push_back(place_strip(m, arrays[i], view, places.strips[place - large]));
            if (const auto origin = view.origins.find(name); origin != view.origins.end())
                origin->second.placed = false;  // so that it does not glide when it is large again
            continue;
        }
        views.push_back(place_one(m, arrays[i], view, places.large[place]));
        if (views.back().whole())
            view.origins.erase(name);
        else
            follow_accesses(m, view, name, followed, views.back());
    }
    return views;
}

GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                             const StagePlan& plan, GeneralView& view, const Followed& followed,
                             Zoom& zoom, std::uint32_t banks, StageLayout& out) {
    const Measure m{look, rect, trace, plan, banks};
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
        // Where the arrays would have no room for values, they get the place of the warps.
        const float rest = inner.right() - layout.head.right() - warps_w - 2 * gap;
        if (!m.small || rest >= m.f(215))
            layout.warps = {layout.head.right() + gap, inner.y + m.u(8), warps_w, top_h - m.u(12)};
        else
            layout.barrier = {std::round(layout.head.right() + (gap - m.u(kBarrierWidth)) / 2),
                              inner.y + m.u(8), m.u(kBarrierWidth), top_h - m.u(12)};
        place_shared(m, {inner.x, inner.y + top_h, inner.w, inner.bottom() - inner.y - top_h}, zoom,
                     out);
    } else {
        layout.warps = {inner.x, layout.head.bottom(), head_w,
                        inner.bottom() - layout.head.bottom() - m.u(8)};
        out.shared = {inner.right() - right_w, inner.y, right_w, inner.h};
    }
    const float left = (layout.warps.w > 0 && shared ? layout.warps : layout.head).right() + gap;
    const float right = shared ? inner.right() : out.shared.x - gap;
    layout.globals = {left, inner.y + m.u(10), std::max(right - left, m.u(60)), top_h - m.u(14)};
    if (view.plan.left_out() > 0) layout.globals.h -= m.f(22);  // room for the text that says so
    layout.views = place_globals(m, view, followed, layout.globals);
    if (shared) {
        // Copies move up and down in the margin at the right of all arrays, clear of the edge.
        out.strip = {inner.right() + m.u(2), rect.y, m.right() - m.u(8), rect.h};
        out.gate = out.strip;
        place_rack(m, {0, layout.globals.y + m.f(20), 0, inner.h - m.f(30)}, out);
    }
    return layout;
}

}  // namespace tilereel::stage
