// Says from where to where the newest moving request goes: in the title of its array or, if that
// has no room, on a label near the source's cells. The label covers no other text and no value. If
// there is no room for it, it is left out.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "app/stage/scene.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr float kRouteType[] = {14, 12};  // units: font sizes in a title, the larger one first

bool inside(const Rect& part, const Rect& whole) {
    return part.x >= whole.x && part.right() <= whole.right() && part.y >= whole.y &&
           part.bottom() <= whole.bottom();
}

Rect around(ImVec2 middle, ImVec2 size) {
    const Rect rect = Rect::around(middle, size);
    return {std::round(rect.x), std::round(rect.y), rect.w, rect.h};
}

bool is_free(const Rect& place, std::span<const Rect> taken) {
    return std::ranges::none_of(taken, [&](const Rect& rect) { return place.overlaps(rect); });
}

// A rectangle of `size` on the stage that overlaps none of `taken`: beside the source, near it, or
// beside the target.
// Of these it is the one whose centre is closest to the source. nullopt if there is none.
std::optional<Rect> place_near(const Scene& scene, ImVec2 size, std::span<const Rect> taken) {
    const Rect& all = scene.layout.all;
    const ImVec2 wanted = scene.route->source.center();
    std::vector<ImVec2> middles;
    for (const Rect& end : {scene.route->source, scene.route->target}) {
        for (const float y : {end.y - size.y / 2 - 1, end.bottom() + size.y / 2 + 1})
            for (const float x : {end.x + size.x / 2, end.center().x, end.right() - size.x / 2})
                middles.push_back({x, y});
        for (const float x : {end.x - size.x / 2 - 1, end.right() + size.x / 2 + 1})
            for (const float y : {end.y + size.y / 2, end.center().y, end.bottom() - size.y / 2})
                middles.push_back({x, y});
    }
    // In the line of the name of the array to which it goes, behind it.
    for (const SharedView& view : scene.layout.arrays)
        if (view.window.overlaps(scene.route->target))
            middles.push_back({view.window.right() - size.x / 2, view.title.y});
    for (int right = -3; right <= 3; ++right)
        for (int down = -6; down <= 6; ++down)
            middles.push_back({wanted.x + static_cast<float>(right) * 0.75f * size.x,
                               wanted.y + static_cast<float>(down) * size.y});
    std::ranges::stable_sort(
        middles, {}, [&](ImVec2 at) { return std::hypot(at.x - wanted.x, at.y - wanted.y); });
    for (const ImVec2 at : middles) {
        const Rect place = around(at, size);
        if (inside(place, all) && is_free(place, taken)) return place;
    }
    return std::nullopt;
}

void draw_label(Scene& scene, const Rect& plate, const std::string& words, const TextStyle& style) {
    draw_box(plate, scene.colors().panel, style.color, scene.look.frame(), scene.u(5));
    draw_text(plate.center(), words, style);
    register_widget("stage.route", plate);
}

// Rectangles that the label must not cover. `own`: also no cells of the array from which the
// request comes, with values or without.
std::vector<Rect> taken_places(const Scene& scene, bool own) {
    const StageLayout& layout = scene.layout;
    std::vector<Rect> taken = {layout.corner,    layout.bank_area, layout.registers,
                               layout.fragments, layout.legend,    layout.rack};
    taken.push_back(scene.heat_legend);
    for (const TextOnTop& text : scene.texts_on_top) taken.push_back(area_of(text));
    if (const Rect chip = whole_chip_rect(scene); chip.w > 0) taken.push_back(chip);
    taken.insert(taken.end(), scene.values.begin(), scene.values.end());
    taken.push_back(scene.route->source);
    taken.push_back(scene.route->target);
    taken.insert(taken.end(), scene.flying.begin(), scene.flying.end());
    for (const MatrixView* m : {&layout.a, &layout.b, &layout.c})
        if (own || !m->window.overlaps(scene.route->source)) taken.push_back(m->window);
    for (const SharedView& view : layout.arrays) {
        taken.push_back(view.window);
        // Beside the name of another array it would seem to speak of that one.
        if (!view.window.overlaps(scene.route->target))
            taken.push_back(Rect::around({view.window.center().x, view.title.y},
                                         {view.window.w, scene.u(kRouteType[0])}));
    }
    return taken;
}

}  // namespace

void ask_for_route_type(const Scene& scene) {
    for (const float units : kRouteType) static_cast<void>(font(Face::kSemiBold, scene.f(units)));
    static_cast<void>(font(Face::kRegular, scene.f(kRackType)));
}

bool draw_route_in_title(Scene& scene, ArrayId array, ImVec2 at, float width) {
    if (!scene.route || scene.route->from != array) return false;
    if (scene.view.heat.of(array) != nullptr) return false;  // its numbers stand there
    for (const std::string& words : scene.route->in_title)
        for (const float units : kRouteType) {
            const TextStyle style =
                scene.text(Face::kSemiBold, units, scene.colors().solid(scene.plan.role(array)));
            const float w = text_width(words, style);
            if (w > width - scene.u(10)) continue;  // a heading may follow
            draw_text_on_top(scene, at, words, style);
            register_widget("stage.route", {at.x, at.y - style.px / 2, w, style.px});
            return scene.route->drawn = true;
        }
    return false;
}

void draw_route_label(Scene& scene) {
    // The stage of arrays has no free places that are known here.
    if (!scene.route || scene.route->drawn || scene.layout.c.window.w <= 0) return;
    const TextInMotion in_motion;
    const CopyRoute& route = *scene.route;
    const ImU32 color = scene.colors().solid(scene.plan.role(route.from));
    const TextStyle style = scene.text(Face::kSemiBold, 14, color, Align::kCenter);
    const std::vector<Rect> all = taken_places(scene, true), some = taken_places(scene, false);
    // Fewer words beside the cells rather than all words on them.
    for (const std::vector<Rect>& taken : {all, some})
        for (const std::string& words : route.words) {
            const ImVec2 size{text_width(words, style) + scene.u(12), style.px + scene.u(6)};
            if (const auto plate = place_near(scene, size, taken))
                return draw_label(scene, *plate, words, style);
        }
}

}  // namespace tilereel::stage
