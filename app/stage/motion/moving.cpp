#include "app/stage/motion/moving.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "app/stage/transfer_path.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// What is drawn of an object in this frame.
struct DrawnObject {
    bool arrives = false;  // on its way out of the strip
    std::vector<Rect> pieces;
    std::vector<Rect> cells;  // by Leg::flights; empty: it is drawn as one bar without cells
    std::vector<bool> whole;  // whether all of a cell is seen
    float type = 0;           // font size of the values; 0: they cannot be read
    Rect all;
};

// Where the object is between its load and its store: its slot, or the strip.
Rect resting_place(const Scene& scene, const MovingObject& object) {
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

// Places the cells, so that a bar shows how many values it brings. In the strip, where it is
// narrow, an object turns from the order of its source to the order of its target, so no cell
// crosses another.
void place_cells(const MovingObject& object, std::span<const Sliding> pieces, DrawnObject& drawn) {
    const bool arrives = drawn.arrives;
    drawn.type = arrives ? object.type_to : object.type_from;
    constexpr std::size_t kMostSeen = 2 * kWarpSize;  // with more, a bar has no visible cells
    if (object.to.size() != object.leg.flights.size() || pieces.front().turns ||
        (!arrives && object.outside) || (drawn.type <= 0 && object.to.size() > kMostSeen))
        return;
    for (std::size_t i = 0; i < object.to.size(); ++i) {
        if (!arrives && !object.source.contains(object.from[i].center())) {
            drawn.cells.push_back({});  // beyond the window, or in a row that does not move
            drawn.whole.push_back(false);
            continue;
        }
        std::size_t at = 0;
        if (arrives)
            while (at < pieces.size() && !object.pieces[at].contains(object.to[i].center())) ++at;
        if (at == pieces.size()) return drawn.cells.clear();
        const Rect cell = arrives ? mapped(object.to[i], object.pieces[at], pieces[at].full)
                                  : mapped(object.from[i], object.source, pieces[at].full);
        drawn.cells.push_back(cell.cut(pieces[at].seen));
        drawn.whole.push_back(drawn.cells.back().w > cell.w - 0.5f &&
                              (arrives || object.is_whole[i]));
    }
}

DrawnObject drawn_at(const Scene& scene, const MovingObject& object, double progress) {
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

// The larger part of `rect` at the left or at the right of `picture`.
Rect beside(const Rect& rect, const Rect& picture) {
    if (!rect.overlaps(picture)) return rect;
    const float left = picture.x - rect.x, right = rect.right() - picture.right();
    if (std::max(left, right) <= 0) return {};
    return left >= right ? Rect{rect.x, rect.y, left, rect.h}
                         : Rect{picture.right(), rect.y, right, rect.h};
}

// Hides what lies behind the pictures of other arrays. Of a part that is seen at both sides of a
// picture, the larger side is kept.
void pass_behind(const MovingObject& object, std::span<const Rect> pictures, DrawnObject& drawn) {
    for (const Rect& picture : pictures) {
        if (picture.contains(object.source.center())) continue;
        for (Rect& piece : drawn.pieces) piece = beside(piece, picture);
        for (std::size_t i = 0; i < drawn.cells.size(); ++i) {
            const Rect part = beside(drawn.cells[i], picture);
            if (part.w != drawn.cells[i].w) drawn.whole[i] = false;
            drawn.cells[i] = part;
        }
    }
    drawn.all = {};
    for (const Rect& piece : drawn.pieces)
        if (piece.w > 0) drawn.all = drawn.all.w > 0 ? drawn.all.joined(piece) : piece;
}

void draw_object(Scene& scene, const MovingObject& object, const DrawnObject& drawn) {
    std::vector<MovingCell> cells;
    for (const Rect& rect : drawn.cells.empty() ? drawn.pieces : drawn.cells) {
        const float gap = std::min(rect.w, rect.h) >= scene.look.px(5) ? scene.u(1) : 0;
        if (rect.w <= 2 * gap || rect.h <= 2 * gap) continue;
        cells.push_back({rect.inset(gap), gap > 0 ? CellLook::kInFlight : CellLook::kSolid,
                         object.role, 255, gap > 0 ? scene.look.px(2) : 0});
    }
    add_moving_cells(scene.look, std::move(cells));
    scene.flying.insert(scene.flying.end(), drawn.pieces.begin(), drawn.pieces.end());
    if (drawn.all.w > 0)
        register_widget("stage.moving." + std::to_string(object.leg.step), drawn.all);
}

// Draws the values of an object that no later object covers. `shown`: where values are drawn
// already; an object that turns has cells that lie on each other for a moment.
void draw_values(const Scene& scene, const MovingObject& object, const DrawnObject& drawn,
                 std::span<const DrawnObject> later, std::vector<Rect>& shown) {
    if (drawn.type <= 0) return;
    const TextInMotion in_motion;
    for (std::size_t i = 0; i < drawn.cells.size(); ++i) {
        const Rect& cell = drawn.cells[i];
        const bool covered = std::ranges::any_of(
            later, [&](const DrawnObject& one) { return one.all.overlaps(cell); });
        if (covered || !drawn.whole[i]) continue;
        const CellText text = text_of(scene.replay.flights()[object.leg.flights[i]].value);
        // Where it is narrow, digits would lie on each other.
        const float width = text_width(text.view(), Face::kMonoBold, drawn.type);
        if (drawn.type > cell.h || width > cell.w) continue;
        const Rect place = Rect::around(cell.center(), {width, drawn.type});
        if (std::ranges::any_of(shown, [&](const Rect& other) { return other.overlaps(place); }))
            continue;
        shown.push_back(place);
        draw_in_cell(scene, cell, text.view(), {CellLook::kInFlight, object.role}, drawn.type);
    }
}

// The cells from which an object comes, its target and, while the replay stands, its way.
void draw_ends(Scene& scene, const MovingObject& object) {
    const ImU32 color = scene.colors().solid(object.role);
    const float line = std::max(1.0f, scene.look.px(1.5f));
    if (object.outside) fill_rect(object.source, color, scene.look.px(2));
    for (const Rect& run : object.runs) stroke_rect(run, color, line, scene.look.px(2));
    register_widget("stage.source", object.source);
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

void draw_moving_legs(Scene& scene, const OriginOf& origin_of, std::span<const Rect> pictures) {
    if (scene.layout.strip.h <= 0) return;
    const Clip clip(scene.layout.all);
    const std::vector<MovingLeg> moving = moving_legs(scene);
    if (const Leg* const shown = shown_leg(scene, moving))
        if (const auto object = moving_object_of(scene, origin_of, *shown)) {
            draw_ends(scene, *object);
            if (scene.route) scene.route->source = object->source;
            if (scene.route) scene.route->target = object->target;
        }
    std::vector<MovingObject> objects;
    std::vector<DrawnObject> drawn;
    for (const auto& [leg, progress] : moving) {
        std::optional<MovingObject> object = moving_object_of(scene, origin_of, leg);
        if (!object) continue;
        drawn.push_back(drawn_at(scene, *object, progress));
        pass_behind(*object, pictures, drawn.back());
        objects.push_back(std::move(*object));
    }
    for (std::size_t i = 0; i < objects.size(); ++i) draw_object(scene, objects[i], drawn[i]);
    std::vector<Rect> shown_values;
    for (std::size_t i = 0; i < objects.size(); ++i)
        draw_values(scene, objects[i], drawn[i], std::span(drawn).subspan(i + 1), shown_values);
}

}  // namespace tilereel::stage
