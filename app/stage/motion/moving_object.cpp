#include "app/stage/motion/moving_object.h"

#include <algorithm>
#include <cmath>

#include "app/stage/shared/ring.h"

namespace tilereel::stage {
namespace {

constexpr std::size_t kMostPieces = 2 * kWarpSize;  // with more, an object would not be one

// The part of a cell in the window; at the window's edge if it is outside.
Rect seen(const Rect& cell, const Rect& window) {
    const Rect part = cell.cut(window);
    if (part.w > 0 && part.h > 0) return part;
    const ImVec2 size{std::min(cell.w, window.w), std::min(cell.h, window.h)};
    return {std::clamp(cell.x, window.x, window.right() - size.x),
            std::clamp(cell.y, window.y, window.bottom() - size.y), size.x, size.y};
}

// Joins neighbours: the piece before in the same row or the same column.
void add_piece(std::vector<Rect>& pieces, const Rect& cell) {
    constexpr float kNear = 1.5f;  // pixels
    if (!pieces.empty()) {
        Rect& last = pieces.back();
        const bool in_row = std::abs(last.y - cell.y) < 0.5f && std::abs(last.h - cell.h) < 0.5f &&
                            cell.x <= last.right() + kNear && last.x <= cell.right() + kNear;
        const bool in_column = std::abs(last.x - cell.x) < 0.5f &&
                               std::abs(last.w - cell.w) < 0.5f &&
                               cell.y <= last.bottom() + kNear && last.y <= cell.bottom() + kNear;
        if (in_row || in_column) {
            last = last.joined(cell);
            return;
        }
    }
    pieces.push_back(cell);
}

// A bar at the edge of the window beyond which a cell lies, as long as the cell; empty if the cell
// lies beyond a corner.
Rect bar_at_edge(const Rect& cell, const Rect& window, float least) {
    const float x = std::max(cell.x, window.x), right = std::min(cell.right(), window.right());
    const float y = std::max(cell.y, window.y), bottom = std::min(cell.bottom(), window.bottom());
    const float low = std::max(0.35f * cell.h, least), thin = std::max(0.35f * cell.w, least);
    if (right > x) return {x, cell.y < window.y ? window.y : window.bottom() - low, right - x, low};
    if (bottom > y)
        return {cell.x < window.x ? window.x : window.right() - thin, y, thin, bottom - y};
    return {};
}

// The bars of cells that are all outside the window.
Rect edge_of_source(const Scene& scene, const Origin& origin, const Leg& leg) {
    const std::vector<Flight>& flights = scene.replay.flights();
    Rect edge;
    for (const std::uint32_t i : leg.flights) {
        const Rect bar = bar_at_edge(origin.cell_of(flights[i]), origin.window, scene.look.px(4));
        if (bar.w <= 0) continue;
        if (edge.w <= 0)
            edge = bar;
        else if (bar.y == edge.y || bar.x == edge.x)  // at the same edge
            edge = edge.joined(bar);
    }
    return edge.w > 0 ? edge : seen(origin.cell_of(flights[leg.flights.front()]), origin.window);
}

// The visible parts of its cells, by Leg::flights. While a window scrolls, some of them lie in it
// and others on the small map of the array: then only those in the window count.
void find_cells(const Scene& scene, const Origin& origin, MovingObject& object) {
    float tallest = 0;
    std::vector<Rect> cells;
    for (const std::uint32_t i : object.leg.flights) {
        cells.push_back(origin.cell_of(scene.replay.flights()[i]));
        object.from.push_back(cells.back().cut(origin.window));
        if (object.from.back().w > 0) tallest = std::max(tallest, cells.back().h);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Rect& part = object.from[i];
        if (cells[i].h < tallest / 2) part = {};
        object.is_whole.push_back(part.w > cells[i].w - 0.5f && part.h > cells[i].h - 0.5f);
    }
}

void find_source(const Scene& scene, const Origin& origin, MovingObject& object) {
    find_cells(scene, origin, object);
    Rect first;
    float area = 0;
    for (const Rect& part : object.from) {
        if (part.w <= 0 || part.h <= 0) continue;
        area += part.w * part.h;
        add_piece(object.runs, part);
        if (object.source.w <= 0) {
            object.source = first = part;
            continue;
        }
        object.source = object.source.joined(part);
        if (part.y == first.y) first = first.joined(part);
    }
    object.outside = object.source.w <= 0;
    if (object.outside) object.source = edge_of_source(scene, origin, object.leg);
    // Cells that are far apart: the object leaves from the first of their rows.
    if (object.source.w * object.source.h > 2.5f * area && area > 0) object.source = first;
    std::vector<Rect> rows;
    for (const Rect& run : object.runs) add_piece(rows, run);  // rows below each other
    object.runs = std::move(rows);
    if (object.runs.size() > kMostPieces) object.runs = {object.source};
}

void find_target(const Scene& scene, MovingObject& object) {
    std::vector<Rect> runs;
    for (const std::uint32_t i : object.leg.flights) {
        const Flight& flight = scene.replay.flights()[i];
        const SharedView* to = view_of_row(scene, flight.to, flight.to_row);
        if (to == nullptr) continue;
        const Target at = target_of(scene, *to, flight.target());  // a buffer may change its place
        const Rect cell = seen(at.cell, at.window);
        object.to.push_back(cell);
        add_piece(runs, cell);
        object.target = object.target.w > 0 ? object.target.joined(cell) : cell;
    }
    for (const Rect& run : runs) add_piece(object.pieces, run);
    if (object.pieces.size() > kMostPieces) object.pieces = {object.target};
}

// The font sizes in which the values of all its cells can be read at both ends. They are those of
// the grids, also for cells that a window cuts and while a buffer changes its place: other sizes
// would have to be rasterized first.
void find_type(const Scene& scene, const Origin& origin, MovingObject& object) {
    object.type_from = object.type_to = 1e9f;
    for (std::size_t i = 0; i < object.from.size(); ++i) {
        const Flight& flight = scene.replay.flights()[object.leg.flights[i]];
        const std::size_t digits = text_of(flight.value).length;
        const Rect from = origin.cell_of(flight);
        if (object.outside || object.from[i].w > 0)
            object.type_from = std::min(
                object.type_from, cell_type(scene.look, from.w, from.h, static_cast<int>(digits)));
        if (const SharedView* const to = view_of_row(scene, flight.to, flight.to_row))
            object.type_to = std::min(object.type_to, scene.type_in(*to, digits));
    }
}

}  // namespace

std::optional<MovingObject> moving_object_of(const Scene& scene, const OriginOf& origin_of,
                                             const Leg& leg) {
    const ArrayId from = scene.replay.flights()[leg.flights.front()].from;
    std::optional<Origin> origin = origin_of(from);
    if (!origin) return std::nullopt;
    origin->window = origin->window.cut(scene.layout.all);
    if (origin->window.w <= 0 || origin->window.h <= 0) return std::nullopt;
    MovingObject object{leg, scene.plan.role(from)};
    find_source(scene, *origin, object);
    find_target(scene, object);
    if (object.pieces.empty()) return std::nullopt;
    find_type(scene, *origin, object);
    return object;
}

}  // namespace tilereel::stage
