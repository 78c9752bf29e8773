#include "app/stage/motion/moving.h"

#include <algorithm>
#include <span>
#include <vector>

#include "app/stage/shared/ring.h"
#include "app/stage/transfer_path.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::size_t kMostPieces = 2 * kWarpSize;  // with more, an object would not be one

// What an object is drawn from. Rectangles in pixels.
struct Object {
    const Leg& leg;
    ColorRole role = ColorRole::kNone;
    Rect source{};                     // the visible part of its cells
    std::vector<Rect> pieces{};        // its target: runs of adjacent cells
    Rect target{};                     // around all pieces
    std::vector<Rect> from{}, to{};    // its cells, by Leg::flights
    bool whole = true;                 // its cells fill `source`, and all of them are visible
    float type_from = 0, type_to = 0;  // font sizes of the values at both ends; 0: not legible
};

// What is drawn of an object in this frame.
struct DrawnObject {
    bool arrives = false;  // on its way out of the strip
    std::vector<Rect> pieces;
    std::vector<Rect> cells;  // by Leg::flights; empty: the values cannot be read
    std::vector<bool> whole;  // whether all of a cell is seen
    float type = 0;           // font size of the values
    Rect all;
};

// The part of a cell in the window; at the window's edge if it is outside.
Rect seen(const Rect& cell, const Rect& window) {
    const Rect part = cell.cut(window);
    if (part.w > 0 && part.h > 0) return part;
    const ImVec2 size{std::min(cell.w, window.w), std::min(cell.h, window.h)};
    return {std::clamp(cell.x, window.x, window.right() - size.x),
            std::clamp(cell.y, window.y, window.bottom() - size.y), size.x, size.y};
}

void find_source(const Scene& scene, const Origin& origin, Object& object) {
    const std::vector<Flight>& flights = scene.replay.flights();
    Rect first;
    float area = 0;
    for (const std::uint32_t i : object.leg.flights) {
        const Rect cell = origin.cell_of(flights[i]);
        const Rect part = cell.cut(origin.window);
        object.from.push_back(part);
        if (part.w <= 0 || part.h <= 0) {
            object.whole = false;
            continue;
        }
        area += part.w * part.h;
        if (object.source.w <= 0) {
            object.source = first = part;
            continue;
        }
        object.source = object.source.joined(part);
        if (part.y == first.y) first = first.joined(part);
    }
    if (object.source.w <= 0)
        object.source = seen(origin.cell_of(flights[object.leg.flights.front()]), origin.window);
    // Cells that are far apart: the object leaves from the first of their rows.
    if (object.source.w * object.source.h > 2.5f * area && area > 0) object.source = first;
    object.whole = object.whole && object.source.w * object.source.h < 1.05f * area;
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

void find_target(const Scene& scene, Object& object) {
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
void find_type(const Scene& scene, const Origin& origin, Object& object) {
    object.type_from = object.type_to = 1e9f;
    for (const std::uint32_t i : object.leg.flights) {
        const Flight& flight = scene.replay.flights()[i];
        const std::size_t digits = text_of(flight.value).length;
        const Rect from = origin.cell_of(flight);
        object.type_from = std::min(
            object.type_from, cell_type(scene.look, from.w, from.h, static_cast<int>(digits)));
        if (const SharedView* const to = view_of_row(scene, flight.to, flight.to_row))
            object.type_to = std::min(object.type_to, scene.type_in(*to, digits));
    }
}

std::optional<Object> object_of(const Scene& scene, const OriginOf& origin_of, const Leg& leg) {
    const ArrayId from = scene.replay.flights()[leg.flights.front()].from;
    std::optional<Origin> origin = origin_of(from);
    if (!origin) return std::nullopt;
    origin->window = origin->window.cut(scene.layout.all);
    if (origin->window.w <= 0 || origin->window.h <= 0) return std::nullopt;
    Object object{leg, scene.plan.role(from)};
    find_source(scene, *origin, object);
    find_target(scene, object);
    if (object.pieces.empty()) return std::nullopt;
    find_type(scene, *origin, object);
    return object;
}

// Where the object is between its load and its store: its slot, or the strip.
Rect resting_place(const Scene& scene, const Object& object) {
    const Rect& strip = scene.layout.strip;
    if (object.leg.kind != LegKind::kDirect && scene.layout.rack.h > 0)
        return slot_of_rack(scene, object.leg.slot);
    return {strip.x, object.source.y, std::min(strip.w, object.source.w), object.source.h};
}

// The share of `rect` of one of several pieces: side by side.
Rect share_of(const Rect& rect, std::size_t piece, std::size_t of) {
    const float w = rect.w / static_cast<float>(of);
    return {rect.x + static_cast<float>(piece) * w, rect.y, w, rect.h};
}

// The place of `part` of `whole` in `place`.
Rect mapped(const Rect& part, const Rect& whole, const Rect& place) {
    const float x = place.w / whole.w, y = place.h / whole.h;
    return {place.x + (part.x - whole.x) * x, place.y + (part.y - whole.y) * y, part.w * x,
            part.h * y};
}

// Places the cells if their values can be read. In the strip, where it is narrow, an object turns
// from the order of its source to that of its target, so no cell crosses another.
void place_cells(const Object& object, std::span<const Sliding> pieces, DrawnObject& drawn) {
    const bool arrives = drawn.arrives;
    drawn.type = arrives ? object.type_to : object.type_from;
    if (!object.whole || object.to.size() != object.leg.flights.size() || drawn.type <= 0 ||
        pieces.front().turns)
        return;
    for (std::size_t i = 0; i < object.to.size(); ++i) {
        std::size_t at = 0;
        if (arrives)
            while (at < pieces.size() && !object.pieces[at].contains(object.to[i].center())) ++at;
        if (at == pieces.size()) return drawn.cells.clear();
        const Rect cell = arrives ? mapped(object.to[i], object.pieces[at], pieces[at].full)
                                  : mapped(object.from[i], object.source, pieces[at].full);
        drawn.cells.push_back(cell.cut(pieces[at].seen));
        drawn.whole.push_back(drawn.cells.back().w > cell.w - 0.5f);
    }
}

DrawnObject drawn_at(const Scene& scene, const Object& object, double progress) {
    const Rect rest = resting_place(scene, object);
    const LegKind kind = object.leg.kind;
    float t = eased(progress);
    DrawnObject drawn;
    drawn.arrives = kind == LegKind::kStore || (kind == LegKind::kDirect && t >= 0.5f);
    if (kind == LegKind::kDirect) t = drawn.arrives ? 2 * t - 1 : 2 * t;
    std::vector<Sliding> sliding;
    if (!drawn.arrives) sliding.push_back(into_strip(object.source, rest, t));
    for (std::size_t i = 0; drawn.arrives && i < object.pieces.size(); ++i) {
        const Rect& piece = object.pieces[i];
        sliding.push_back(out_of_strip(share_of(rest, i, object.pieces.size()),
                                       gate_of(scene.layout.gate, piece), piece, t));
    }
    for (const Sliding& piece : sliding) {
        drawn.all = drawn.pieces.empty() ? piece.seen : drawn.all.joined(piece.seen);
        drawn.pieces.push_back(piece.seen);
    }
    place_cells(object, sliding, drawn);
    return drawn;
}

void draw_object(Scene& scene, const Object& object, const DrawnObject& drawn) {
    std::vector<MovingCell> cells;
    for (const Rect& rect : drawn.cells.empty() ? drawn.pieces : drawn.cells) {
        const float gap = std::min(rect.w, rect.h) >= scene.look.px(5) ? scene.u(1) : 0;
        if (rect.w <= 2 * gap) continue;
        cells.push_back({rect.inset(gap), gap > 0 ? CellLook::kInFlight : CellLook::kSolid,
                         object.role, 255, gap > 0 ? scene.look.px(2) : 0});
    }
    add_moving_cells(scene.look, std::move(cells));
    scene.flying.insert(scene.flying.end(), drawn.pieces.begin(), drawn.pieces.end());
    register_widget("stage.moving." + std::to_string(object.leg.step), drawn.all);
}

// Draws the values of an object that no later object covers.
void draw_values(const Scene& scene, const Object& object, const DrawnObject& drawn,
                 std::span<const DrawnObject> later) {
    for (std::size_t i = 0; i < drawn.cells.size(); ++i) {
        const Rect& cell = drawn.cells[i];
        const bool covered = std::ranges::any_of(
            later, [&](const DrawnObject& one) { return one.all.overlaps(cell); });
        if (covered || !drawn.whole[i]) continue;
        const CellText text = text_of(scene.replay.flights()[object.leg.flights[i]].value);
        draw_in_cell(scene, cell, text.view(), {CellLook::kInFlight, object.role}, drawn.type);
    }
}

// The cells from which an object comes, its target and, while the replay stands, its way.
void draw_ends(Scene& scene, const Object& object) {
    const ImU32 color = scene.colors().solid(object.role);
    const float line = std::max(1.0f, scene.look.px(1.5f));
    stroke_rect(object.source, color, line, scene.look.px(2));
    for (const Rect& piece : object.pieces) dashed_rect(piece, color, line, scene.u(4));
    if (scene.workbench.moving()) return;
    const ImVec2 a{object.source.right(), object.source.center().y};
    const ImVec2 rest = resting_place(scene, object).center();
    const ImVec2 b{object.target.x, object.target.center().y};
    const ImU32 faint = mix(scene.colors().panel, color, 0.6f);
    const ImVec2 way[] = {a, {rest.x, a.y}, {rest.x, b.y}, b};
    for (int i = 0; i < 3; ++i) draw_list()->AddLine(way[i], way[i + 1], faint, scene.look.hair());
}

}  // namespace

void draw_moving_legs(Scene& scene, const OriginOf& origin_of) {
    if (scene.layout.strip.h <= 0) return;
    const Clip clip(scene.layout.all);
    const std::vector<MovingLeg> moving = moving_legs(scene);
    std::vector<Object> objects;
    std::vector<DrawnObject> drawn;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const auto& [leg, progress] = moving[i];
        std::optional<Object> object = object_of(scene, origin_of, leg);
        if (!object) continue;
        if (i + 1 == moving.size()) {
            draw_ends(scene, *object);
            if (scene.route) scene.route->source = object->source;
            if (scene.route) scene.route->target = object->target;
        }
        drawn.push_back(drawn_at(scene, *object, progress));
        objects.push_back(std::move(*object));
    }
    for (std::size_t i = 0; i < objects.size(); ++i) draw_object(scene, objects[i], drawn[i]);
    for (std::size_t i = 0; i < objects.size(); ++i)
        draw_values(scene, objects[i], drawn[i], std::span(drawn).subspan(i + 1));
}

}  // namespace tilereel::stage
