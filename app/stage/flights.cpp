// Cells on their way from global to shared memory.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "app/stage/flight_path.h"
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
constexpr float kAppears = 0.06f;       // share of the path of a cell that comes from outside
// Rows of shared memory that a store fills from the same columns: how much lower the next one's
// curve is, in cells.
constexpr float kTransposedApart = 2.5f;

ImVec2 inside(const Rect& rect, ImVec2 p) {
    return {std::clamp(p.x, rect.x, rect.right()), std::clamp(p.y, rect.y, rect.bottom())};
}

// The same for all cells between two arrays, so that a row stays level.
float bow_of(const Rect& from, const Rect& to) {
    const ImVec2 a = from.center(), b = to.center();
    return kBow * std::hypot(b.x - a.x, b.y - a.y);
}

struct Airborne {
    MovingCell cell;
    FlightPath path;
    FlyingCell ends;
    float along = 0;
    const Flight* flight = nullptr;
    std::uint32_t plane = 0;             // of the array in which it lands
    std::uint32_t request = 0, row = 0;  // the loading step, and the row in the matrix
    int target_y = 0;                    // y of the row in which it lands, pixels
    float bow = 0;                       // of its path
    const DrawnFlight* drawn = nullptr;
    // Cells of one column that land in one row.
    [[nodiscard]] auto column() const {
        return std::tuple(request, flight->store_step, drawn->lands_in, flight->from_column);
    }
    [[nodiscard]] std::pair<ArrayId, std::uint32_t> lands() const { return {flight->to, plane}; }
    // Cells with the same key leave and land in the same row.
    [[nodiscard]] auto together() const { return std::tuple(request, row, plane, target_y); }
};

// Calls change(paths) with the paths of all neighbours that have the same key.
template <class Key, class Change>
void for_each_group(std::span<Airborne> flying, Key key, Change&& change) {
    std::vector<FlightPath> paths;
    for (std::size_t first = 0, last = 0; first < flying.size(); first = last) {
        paths.clear();
        while (last < flying.size() && (flying[last].*key)() == (flying[first].*key)())
            paths.push_back(flying[last++].path);
        change(paths);
        for (std::size_t i = first; i < last; ++i) flying[i].path = paths[i - first];
    }
}

// Sorts the cells by rows, and keeps each row level. Where columns become rows, keeps each column
// together, and the columns apart.
void keep_apart(std::vector<Airborne>& flying, float pitch) {
    const auto transposed = std::ranges::stable_partition(
        flying, [](const Airborne& one) { return !one.drawn->transposed; });
    std::ranges::stable_sort(transposed, {}, &Airborne::column);
    for_each_group(transposed, &Airborne::column, [&](std::vector<FlightPath>& paths) {
        lower_together(paths, transposed.front().bow);
    });
    for (Airborne& one : transposed)
        one.path.over.y += kTransposedApart * pitch * static_cast<float>(one.drawn->lands_in);
    const std::span<Airborne> level(flying.begin(), transposed.begin());
    std::ranges::stable_sort(level, {}, &Airborne::together);
    for_each_group(level, &Airborne::together,
                   [](std::vector<FlightPath>& paths) { keep_level(paths); });
}

// Those of `flights` that come from this array.
std::vector<Airborne> airborne(const Scene& scene, ArrayId from,
                               const std::vector<FlightUnderWay>& flights) {
    std::vector<Airborne> found, at_edge;
    const MatrixView* m = matrix_of_array(scene, from);
    if (m == nullptr) return found;
    for (const auto& [flight, along, drawn] : flights) {
        const SharedView* to = view_of_row(scene, flight.to, flight.to_row);
        if (flight.from != from || to == nullptr) continue;
        const Element at = flight.target();
        const Target target = target_of(scene, *to, at);
        Airborne one;
        one.ends = {m->cell(flight.source()), target.cell};
        // A cell that is scrolled out of view leaves from, or lands at, the window's edge.
        one.bow = bow_of(m->window, target.window);
        one.path =
            path_of(inside(m->window, one.ends.from.center()),
                    inside(target.window, one.ends.to.center()), one.bow, scene.layout.corner);
        one.drawn = &drawn;
        one.along = along;
        one.cell.role = scene.plan.role(from);
        one.cell.radius = scene.look.tight();
        one.flight = &flight;
        one.plane = to->plane;
        one.request = flight.load_step;
        one.row = flight.from_row;
        one.target_y = static_cast<int>(to->cell_of(at).y);
        const bool from_outside = !m->window.contains(one.ends.from.center());
        (from_outside && along < kAppears ? at_edge : found).push_back(one);
    }
    // Many rows at the edge would cover each other. They appear when they have left it, unless
    // nothing else flies to their array.
    std::set<std::pair<ArrayId, std::uint32_t>> seen;
    for (const Airborne& one : found) seen.insert(one.lands());
    for (const Airborne& one : at_edge)
        if (!seen.contains(one.lands())) found.push_back(one);
    keep_apart(found, m->pitch_y);
    for (Airborne& one : found)
        one.cell.rect =
            one.ends.at(one.along, one.path.at(one.along), scene.u(2), one.drawn->transposed);
    return found;
}

// One bar for each row, from its first to its last cell.
std::vector<Airborne> rows_as_bars(const std::vector<Airborne>& cells) {
    std::vector<Airborne> bars;
    for (const Airborne& cell : cells) {
        if (bars.empty() || bars.back().together() != cell.together()) {
            bars.push_back(cell);
            continue;
        }
        Rect& bar = bars.back().cell.rect;
        bar = bar.joined(cell.cell.rect);
    }
    return bars;
}

// The bars for many rows.
std::vector<Airborne> as_bars(const Scene& scene, const std::vector<Airborne>& cells) {
    std::vector<Airborne> bars = rows_as_bars(cells);
    // The bars are translucent, even where so many of them overlap.
    Rect all = bars.front().cell.rect;
    float area = 0;
    for (const Airborne& bar : bars) {
        all = all.joined(bar.cell.rect);
        area += bar.cell.rect.w * bar.cell.rect.h;
    }
    const float layers = std::max(1.0f, area / std::max(all.w * all.h, 1.0f));
    const auto alpha = static_cast<std::uint8_t>(std::max(24.0f, 170 / layers));
    for (Airborne& bar : bars) {
        bar.cell.radius = scene.look.px(3);
        bar.cell.alpha = alpha;
        // The gap around a low bar would be larger than the bar.
        if (bar.cell.rect.h >= scene.look.px(5)) continue;
        bar.cell.look = CellLook::kSolid;
        bar.cell.radius = 0;
    }
    return bars;
}

void draw_tails(Scene& scene, const std::vector<Airborne>& cells) {
    for (const Airborne& a : cells) {
        if (a.along > kTailGone) continue;
        const ImVec2 head = a.path.at(a.along);
        const ImVec2 end = a.path.at(std::max(0.0f, a.along - kTail));
        const ImU32 color = mix(scene.colors().panel, scene.colors().solid(a.cell.role), 0.55f);
        draw_list()->AddLine(end, head, color, scene.look.px(2));
    }
}

// Groups cells that fly without values by their target array, or target plane. Each group gets one
// name.
void note_groups(Scene& scene, ArrayId from, const std::vector<Airborne>& flying) {
    for (const Airborne& one : flying) {
        const auto known = std::ranges::find_if(scene.groups, [&](const FlyingGroup& g) {
            return g.from == from && g.to == one.flight->to && g.plane == one.plane;
        });
        if (known != scene.groups.end())
            known->parts.push_back(one.cell.rect);
        else
            scene.groups.push_back({from, one.flight->to, one.plane, {one.cell.rect}});
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

// Draws the values of cells that no later row covers. Returns false if no cell has room for its
// value.
bool draw_values(Scene& scene, const std::vector<Airborne>& cells) {
    const std::vector<Airborne> rows = rows_as_bars(cells);
    std::size_t row = 0;
    bool any = false;
    for (const Airborne& a : cells) {
        while (rows[row].together() != a.together()) ++row;
        const CellText text = text_of(a.flight->value);
        const Rect cell = a.cell.rect.inset(-scene.u(1));
        const float px = cell_type(scene.look, cell.w, cell.h, static_cast<int>(text.length));
        if (px <= 0) continue;
        any = true;
        const Rect inner = a.cell.rect.inset(a.cell.rect.h * 0.2f);
        const bool covered = std::ranges::any_of(
            std::span(rows).subspan(row + 1),
            [&](const Airborne& later) { return later.cell.rect.overlaps(inner); });
        if (!covered) draw_in_cell(scene, a.cell.rect, text.view(), {a.cell.look, a.cell.role}, px);
    }
    return any;
}

// Requests all font sizes that a value needs during its flight, before the first flight. Adding
// fonts to the atlas takes the time of several frames.
void ask_for_type(const Scene& scene, ArrayId from) {
    const MatrixView* const m = matrix_of_array(scene, from);
    if (m == nullptr || scene.plan.flies_as_bars(from)) return;
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
    const std::vector<Airborne> cells = airborne(scene, from, flights);
    if (cells.empty()) return;
    if (scene.plan.flies_as_bars(from)) {
        const std::vector<Airborne> bars = as_bars(scene, cells);
        draw_moving(scene, bars);
        return note_groups(scene, from, bars);
    }
    if (cells.size() <= kMostTails) draw_tails(scene, cells);
    draw_moving(scene, cells);
    if (!draw_values(scene, cells)) note_groups(scene, from, rows_as_bars(cells));
}

}  // namespace

void draw_flights(Scene& scene) {
    const TextInMotion in_motion;
    const Clip clip(scene.layout.all);
    const std::vector<FlightUnderWay> flights = flights_under_way(scene);
    for (const char* name : {"A", "B"}) draw_array(scene, scene.plan.find(name), flights);
}

}  // namespace tilereel::stage
