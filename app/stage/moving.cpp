#include "app/stage/moving.h"

#include <algorithm>

#include "app/stage/transfer_path.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::size_t kMostPieces = 2 * kWarpSize;  // with more, an object would not be one

// What an object is drawn from. Rectangles in pixels.
struct Object {
    const Leg& leg;
    ColorRole role = ColorRole::kNone;
    Rect source;               // the visible part of its cells
    std::vector<Rect> pieces;  // its target: runs of adjacent cells
    Rect target;               // around all pieces
    bool whole = true;         // its cells fill `source`, each with its value
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
        const Rect cell = seen(to->cell_of(flight.target()), to->window);
        add_piece(runs, cell);
        object.target = object.target.w > 0 ? object.target.joined(cell) : cell;
    }
    for (const Rect& run : runs) add_piece(object.pieces, run);
    if (object.pieces.size() > kMostPieces) object.pieces = {object.target};
}

std::optional<Object> object_of(const Scene& scene, const OriginOf& origin_of, const Leg& leg) {
    const ArrayId from = scene.replay.flights()[leg.flights.front()].from;
    const std::optional<Origin> origin = origin_of(from);
    if (!origin || origin->window.w <= 0 || origin->window.h <= 0) return std::nullopt;
    Object object{leg, scene.plan.role(from), {}, {}, {}};
    find_source(scene, *origin, object);
    find_target(scene, object);
    if (object.pieces.empty()) return std::nullopt;
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

std::vector<Rect> rects_at(const Scene& scene, const Object& object, double progress) {
    const Rect rest = resting_place(scene, object);
    const LegKind kind = object.leg.kind;
    float t = eased(progress);
    if (kind == LegKind::kLoad) return {into_strip(object.source, rest, t)};
    if (kind == LegKind::kDirect && t < 0.5f) return {into_strip(object.source, rest, 2 * t)};
    if (kind == LegKind::kDirect) t = 2 * t - 1;
    std::vector<Rect> rects;
    for (std::size_t i = 0; i < object.pieces.size(); ++i) {
        const Rect& piece = object.pieces[i];
        rects.push_back(out_of_strip(share_of(rest, i, object.pieces.size()),
                                     gate_of(scene.layout.strip, piece), piece, t));
    }
    return rects;
}

// The values in an object whose cells are still large enough.
void draw_values(Scene& scene, const Object& object, const Rect& rect) {
    if (!object.whole || object.leg.kind == LegKind::kStore) return;
    const std::vector<Flight>& flights = scene.replay.flights();
    CellRect all;
    for (const std::uint32_t i : object.leg.flights) include(all, flights[i].source());
    const float w = rect.w / static_cast<float>(all.columns());
    const float h = rect.h / static_cast<float>(all.rows());
    for (const std::uint32_t i : object.leg.flights) {
        const CellText text = text_of(flights[i].value);
        const float px = cell_type(scene.look, w, h, static_cast<int>(text.length));
        const Rect cell{rect.x + static_cast<float>(flights[i].from_column - all.column0) * w,
                        rect.y + static_cast<float>(flights[i].from_row - all.row0) * h, w, h};
        draw_in_cell(scene, cell, text.view(), {CellLook::kInFlight, object.role}, px);
    }
}

void draw_object(Scene& scene, const Object& object, double progress) {
    std::vector<MovingCell> cells;
    Rect all;
    for (const Rect& rect : rects_at(scene, object, progress)) {
        all = cells.empty() ? rect : all.joined(rect);
        const float gap = std::min(rect.w, rect.h) >= scene.look.px(5) ? scene.u(1) : 0;
        const float radius = gap > 0 ? scene.look.px(2) : 0;
        cells.push_back({rect.inset(gap), gap > 0 ? CellLook::kInFlight : CellLook::kSolid,
                         object.role, 255, radius});
        scene.flying.push_back(rect);
    }
    const Rect first = cells.front().rect;
    const bool one = cells.size() == 1;
    add_moving_cells(scene.look, std::move(cells));
    if (one) draw_values(scene, object, first);
    register_widget("stage.moving." + std::to_string(object.leg.step), all);
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

void note_route(Scene& scene, const Object& object) {
    const std::vector<Flight>& flights = scene.replay.flights();
    const Flight& first = flights[object.leg.flights.front()];
    const Array& to = scene.trace.arrays[first.to];
    const std::uint32_t plane = plane_of(to, first.to_row);
    std::vector<Element> from_elements, to_elements;
    for (const std::uint32_t i : object.leg.flights) {
        from_elements.push_back(flights[i].source());
        to_elements.push_back(
            {flights[i].to_row - plane * to.rows_of_plane(), flights[i].to_column});
    }
    const std::string source = part_words(scene.trace.arrays[first.from], 0, from_elements);
    const std::string target = part_words(to, plane, to_elements);
    const std::string name = plane_name(to, plane);
    scene.route = {first.from,
                   plane,
                   first.to,
                   object.source,
                   {source + " to " + target, source + " to " + name, "to " + target,
                    scene.trace.arrays[first.from].name + " to " + name, "to " + name}};
}

}  // namespace

std::string part_words(const Array& array, std::uint32_t plane,
                       const std::vector<Element>& elements) {
    CellRect all;
    for (const Element at : elements) include(all, at);
    std::vector<Element> distinct = elements;
    const auto key = [](Element at) { return std::pair(at.row, at.column); };
    std::ranges::sort(distinct, {}, key);
    const auto last = std::ranges::unique(distinct, {}, key);
    const auto count = static_cast<std::size_t>(last.begin() - distinct.begin());
    const std::string name = plane_name(array, plane);
    const auto range = [&](const char* one, std::uint32_t begin, std::uint32_t end) {
        const bool several = end > begin + 1;
        return std::string(one) + (several ? "s " : " ") + std::to_string(begin) +
               (several ? " to " + std::to_string(end - 1) : "") + " of " + name;
    };
    if (count == std::size_t{all.rows()} * all.columns()) {
        if (array.rows <= 1 && count > 1)
            return name + "[" + std::to_string(all.column0) + ".." +
                   std::to_string(all.column1 - 1) + "]";
        if (array.rows <= 1) return name + "[" + std::to_string(all.column0) + "]";
        if (count == 1)
            return name + "[" + std::to_string(all.row0) + "][" + std::to_string(all.column0) + "]";
        if (all.columns() == 1 || all.rows() >= 2 * all.columns())
            return range("column", all.column0, all.column1);
        return range("row", all.row0, all.row1);
    }
    return std::to_string(count) + " values of " + name;
}

void draw_moving_legs(Scene& scene, const OriginOf& origin_of,
                      const std::function<bool(ArrayId)>& in_cells) {
    if (scene.layout.strip.h <= 0) return;
    const Clip clip(scene.layout.all);
    const std::vector<MovingLeg> moving = moving_legs(scene);
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const auto& [leg, progress] = moving[i];
        const std::optional<Object> object = object_of(scene, origin_of, leg);
        if (!object) continue;
        if (i + 1 == moving.size()) {
            draw_ends(scene, *object);
            note_route(scene, *object);
        }
        if (leg.kind == LegKind::kDirect &&
            in_cells(scene.replay.flights()[leg.flights.front()].from))
            continue;
        draw_object(scene, *object, progress);
    }
}

}  // namespace tilereel::stage
