// Cells on their way from global to shared memory.
#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "app/stage/cropped_start.h"
#include "app/stage/flight_path.h"
#include "app/stage/moving.h"
#include "app/stage/ring.h"
#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"
#include "app/ui/fonts.h"

namespace tilereel::stage {
namespace {

constexpr float kTail = 0.09f;          // share of the path
constexpr float kTailGone = 0.875f;     // the tail is not drawn after this share of the path
constexpr std::size_t kMostTails = 96;  // with more, tails would hide the cells
constexpr float kBow = 0.16f;           // height of the curve as a share of the distance
// A transposing store fills several rows of shared memory at once: how much lower the curve to the
// next row is, in cells.
constexpr float kTransposedApart = 2.5f;

ImVec2 inside(const Rect& rect, ImVec2 p) {
    return {std::clamp(p.x, rect.x, rect.right()), std::clamp(p.y, rect.y, rect.bottom())};
}

struct Airborne {
    MovingCell cell;
    FlyingCell flying;
    CroppedStart start;
    float along = 0;  // share of the path, from 0 to 1
    const Flight* flight = nullptr;
    std::uint32_t plane = 0;             // of the array in which it lands
    std::uint32_t request = 0, row = 0;  // the loading step, and the row in the matrix
    int target_y = 0;                    // y of the row in which it lands, pixels
    const DrawnFlight* drawn = nullptr;
    // `gap`: between two cells of a grid.
    [[nodiscard]] Rect rect_at(float t, float gap) const {
        const Rect rect = flying.at(t, gap, drawn->transposed);
        return start.unrolls_at(t) ? start.unrolled(t, flying.curve.shares(t).x, rect) : rect;
    }
    // Cells with the same key leave and land in the same row.
    [[nodiscard]] auto row_key() const { return std::tuple(request, row, plane, target_y); }
};

// The key by which cells are sorted: by row. Those that are transposed come last, by column.
auto order_of(const Airborne& one) {
    const Flight& flight = *one.flight;
    using Key = std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    if (one.drawn->transposed)
        return Key{true, one.request, flight.store_step, one.drawn->lands_in, flight.from_column};
    return Key{false, one.request, one.row, one.plane, static_cast<std::uint32_t>(one.target_y)};
}

std::vector<Airborne> sorted_by_row(std::vector<Airborne> cells) {
    if (std::ranges::is_sorted(cells, {}, order_of)) return cells;
    std::vector<std::pair<decltype(order_of(cells[0])), std::size_t>> order;
    order.reserve(cells.size());
    for (const Airborne& one : cells) order.emplace_back(order_of(one), order.size());
    std::ranges::sort(order);
    std::vector<Airborne> sorted;
    sorted.reserve(cells.size());
    for (const auto& [key, index] : order) sorted.push_back(cells[index]);
    return sorted;
}

// The curve of all cells that fly from a part of a matrix to a shared array.
FlightCurve curve_between(const Scene& scene, const MatrixView& from, const CellRect& part,
                          const Target& to) {
    const ImVec2 a = from.window.center(), b = to.window.center();
    const Rect cells = from.cells(part), &seen = from.window;
    const ImVec2 half{from.pitch_x / 2, from.pitch_y / 2};
    const ImVec2 first{std::clamp(cells.x, seen.x, seen.right() - half.x) + half.x,
                       std::clamp(cells.y, seen.y, seen.bottom() - half.y) + half.y};
    return curve_of(first, {to.window.x + to.cell.w / 2, to.window.y + to.cell.h / 2},
                    kBow * std::hypot(b.x - a.x, b.y - a.y), scene.layout.corner);
}

// What the cells that fly to one shared array in one phase have in common.
struct Route {
    const SharedView* to;
    std::uint32_t phase;
    CellRect part;  // the cells of the matrix that the phase touches
    FlightCurve curve;
};

const Route& route_of(std::vector<Route>& routes, const Scene& scene, const MatrixView& matrix,
                      ArrayId from, const SharedView& to, std::uint32_t phase,
                      const Target& target) {
    const auto known = std::ranges::find_if(
        routes, [&](const Route& route) { return route.to == &to && route.phase == phase; });
    if (known != routes.end()) return *known;
    const CellRect part = scene.replay.regions().touched(from, phase);
    return routes.emplace_back(&to, phase, part, curve_between(scene, matrix, part, target));
}

// Whether a cell from outside the window first flies up or down, out of its upper or lower edge.
bool leaves_upright(const Airborne& one, const Rect& corner) {
    FlightCurve curve = one.flying.curve;
    if (!one.start.leaves_upright() || curve.turn > 1) return false;
    curve.upright = true;
    return height_at_corner(curve, one.flying.from.center(), one.flying.to.center(), corner) <= 0;
}

// Whether the cell is drawn. One that starts outside the window is drawn if it has come out of the
// window's edge, is on the stage and does not cover the corner.
bool is_shown(const StageLayout& layout, const Airborne& one) {
    if (!one.start.cropped()) return true;
    const Rect &rect = one.cell.rect, &all = layout.all;
    return one.start.is_out(one.along, rect) && !rect.overlaps(layout.corner) && rect.x >= all.x &&
           rect.right() <= all.right() && rect.y >= all.y && rect.bottom() <= all.bottom();
}

// Those of `flights` that come from this array.
std::vector<Airborne> airborne(const Scene& scene, ArrayId from,
                               const std::vector<FlightUnderWay>& flights) {
    std::vector<Airborne> found;
    const MatrixView* m = matrix_of_array(scene, from);
    if (m == nullptr) return found;
    const float gap = scene.u(2);
    std::vector<Route> routes;
    for (const auto& [flight, along, drawn] : flights) {
        const SharedView* to = view_of_row(scene, flight.to, flight.to_row);
        if (flight.from != from || to == nullptr) continue;
        const Element at = flight.target();
        const Target target = target_of(scene, *to, at);
        Airborne one;
        const Route& route = route_of(routes, scene, *m, from, *to, drawn.phase, target);
        one.start = CroppedStart(*m, flight.source(), route.part, target.cell);
        // A cell whose target is scrolled out of view lands at the window's edge.
        const ImVec2 lands = inside(target.window, target.cell.center());
        one.flying = {one.start.cell(), Rect::around(lands, target.cell.size()), route.curve};
        one.flying.curve.upright = leaves_upright(one, scene.layout.corner);
        // Cells for different rows fly at different heights.
        if (drawn.transposed)
            one.flying.curve.bow -=
                kTransposedApart * m->pitch_y * static_cast<float>(drawn.lands_in);
        one.drawn = &drawn;
        one.along = along;
        one.cell.rect = one.rect_at(along, gap);
        if (!is_shown(scene.layout, one)) continue;
        one.cell.role = scene.plan.role(from);
        one.cell.radius = scene.look.tight();
        one.flight = &flight;
        one.plane = to->plane;
        one.request = flight.load_step;
        one.row = flight.from_row;
        one.target_y = static_cast<int>(to->cell_of(at).y);
        found.push_back(one);
    }
    return sorted_by_row(std::move(found));
}

// One bar for each row, from its first to its last cell.
std::vector<Airborne> rows_as_bars(const std::vector<Airborne>& cells) {
    std::vector<Airborne> bars;
    for (const Airborne& cell : cells) {
        if (bars.empty() || bars.back().row_key() != cell.row_key()) {
            bars.push_back(cell);
            continue;
        }
        Rect& bar = bars.back().cell.rect;
        bar = bar.joined(cell.cell.rect);
    }
    return bars;
}

void draw_tails(Scene& scene, const std::vector<Airborne>& cells) {
    for (const Airborne& a : cells) {
        if (a.along > kTailGone) continue;
        const ImVec2 head = a.cell.rect.center();
        const float behind = std::max(0.0f, a.along - kTail);
        const Rect end = a.rect_at(behind, scene.u(2));
        if (a.start.unrolls_at(behind) || !a.start.is_out(behind, end)) continue;
        const ImU32 color = mix(scene.colors().panel, scene.colors().solid(a.cell.role), 0.55f);
        draw_list()->AddLine(end.center(), head, color, scene.look.px(2));
    }
}

void draw_moving(Scene& scene, const std::vector<Airborne>& flying) {
    std::vector<MovingCell> moving;
    moving.reserve(flying.size());
    for (const Airborne& one : flying) {
        moving.push_back(one.cell);
        scene.flying.push_back(one.cell.rect);
    }
    add_moving_cells(scene.look, std::move(moving));
}

// Draws the values of cells that no later row covers.
void draw_values(Scene& scene, const std::vector<Airborne>& cells) {
    const std::vector<Airborne> rows = rows_as_bars(cells);
    std::size_t row = 0;
    for (const Airborne& a : cells) {
        while (rows[row].row_key() != a.row_key()) ++row;
        const CellText text = text_of(a.flight->value);
        const Rect cell = a.cell.rect.inset(-scene.u(1));
        const float px = cell_type(scene.look, cell.w, cell.h, static_cast<int>(text.length));
        if (px <= 0) continue;
        const Rect inner = a.cell.rect.inset(a.cell.rect.h * 0.2f);
        const bool covered = std::ranges::any_of(
            std::span(rows).subspan(row + 1),
            [&](const Airborne& later) { return later.cell.rect.overlaps(inner); });
        if (!covered) draw_in_cell(scene, a.cell.rect, text.view(), {a.cell.look, a.cell.role}, px);
    }
}

// Whether the cells of a request fly one by one, because their values can be read.
bool flies_in_cells(const Scene& scene, ArrayId from) {
    const MatrixView* const m = matrix_of_array(scene, from);
    if (m == nullptr || scene.plan.flies_as_bars(from)) return false;
    const auto digits = static_cast<std::size_t>(scene.plan.digits_of_inputs());
    return m->pitch_x >= scene.look.px(kValuesFrom) && scene.type_in(*m, digits) > 0;
}

// Requests all font sizes that a value needs during its flight, before the first flight. Adding
// fonts to the atlas takes the time of several frames.
void ask_for_type(const Scene& scene, ArrayId from) {
    const MatrixView* const m = matrix_of_array(scene, from);
    if (m == nullptr || !flies_in_cells(scene, from)) return;
    const float smallest = scene.look.px(kLeastType);
    const auto digits = static_cast<std::size_t>(scene.plan.digits_of_inputs());
    float least = 1e9f, most = 0;
    for (const SharedView& view : scene.layout.arrays) {
        least = std::min({least, std::max(scene.type_in(*m, digits), smallest),
                          std::max(scene.type_in(view, digits), smallest)});
        // During its flight a cell can be as wide as at one end and as high as at the other.
        most = std::max(most, cell_type(scene.look, std::max(m->pitch_x, view.pitch_x),
                                        std::max(m->pitch_y, view.pitch_y), 1));
    }
    for (float px = std::floor(least); px <= std::ceil(most); ++px)
        static_cast<void>(font(Face::kMonoBold, px));
}

void draw_array(Scene& scene, ArrayId from, const std::vector<FlightUnderWay>& flights) {
    ask_for_type(scene, from);
    if (!flies_in_cells(scene, from)) return;
    const std::vector<Airborne> cells = airborne(scene, from, flights);
    if (cells.empty()) return;
    if (cells.size() <= kMostTails) draw_tails(scene, cells);
    draw_moving(scene, cells);
    draw_values(scene, cells);
}

}  // namespace

void draw_flights(Scene& scene) {
    const TextInMotion in_motion;
    const Clip clip(scene.layout.all);
    draw_moving_legs(
        scene,
        [&](ArrayId from) -> std::optional<Origin> {
            const MatrixView* const m = matrix_of_array(scene, from);
            if (m == nullptr) return std::nullopt;
            return Origin{m->window,
                          [m](const Flight& flight) { return m->cell(flight.source()); }};
        },
        [&](ArrayId from) { return flies_in_cells(scene, from); });
    const std::vector<FlightUnderWay> flights = flights_under_way(scene);
    for (const char* name : {"A", "B"}) draw_array(scene, scene.plan.find(name), flights);
}

}  // namespace tilereel::stage
