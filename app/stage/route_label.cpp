// Places the label of the moving request at its source: behind the matrix's name or, if that has no
// room, near the source's cells. It covers no other text and no value. If there is no room, it is
// left out.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

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

// A rectangle of `size` inside `all` that overlaps none of `taken`: beside `source`, or near it. Of
// these it is the one whose centre is closest to `source`. nullopt if there is none.
std::optional<Rect> place_near(const Rect& hull, ImVec2 size, std::span<const Rect> taken,
                               const Rect& all) {
    const ImVec2 wanted = hull.center();
    std::vector<ImVec2> middles;
    for (const float y : {hull.y - size.y / 2 - 1, hull.bottom() + size.y / 2 + 1})
        for (const float x : {hull.x + size.x / 2, hull.center().x, hull.right() - size.x / 2})
            middles.push_back({x, y});
    for (const float x : {hull.x - size.x / 2 - 1, hull.right() + size.x / 2 + 1})
        for (const float y : {hull.y + size.y / 2, hull.center().y, hull.bottom() - size.y / 2})
            middles.push_back({x, y});
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

// The free part of the line with the name of the matrix above its cells; empty if there is none.
Rect behind_title(const Scene& scene, ArrayId from) {
    const StageLayout& layout = scene.layout;
    const MatrixView* const m = matrix_of_array(scene, from);
    const bool in_b = m == &layout.b;
    if (m == nullptr || (in_b && layout.small)) return {};
    const ImVec2 title = in_b ? layout.title_b : layout.title_a;
    const float right = in_b ? layout.strip.right() : layout.title_c.x - scene.u(14);
    float x = title.x;
    for (const TextOnTop& text : scene.texts_on_top) {
        const Rect area = area_of(text);
        if (area.y < title.y && title.y < area.bottom() && area.x < right && area.right() > x)
            x = area.right();
    }
    const float h = scene.f(15) + scene.u(6);
    x += scene.u(10);
    return {x, title.y - h / 2, std::max(right - x, 0.0f), h};
}

void draw_label(Scene& scene, const Rect& plate, const std::string& words, const TextStyle& style) {
    draw_box(plate, scene.colors().panel, style.color, scene.look.frame(), scene.u(5));
    draw_text(plate.center(), words, style);
    register_widget("stage.route", plate);
}

}  // namespace

void draw_route_label(Scene& scene) {
    if (!scene.route) return;
    const TextInMotion in_motion;
    const CopyRoute& route = *scene.route;
    const StageLayout& layout = scene.layout;
    const ImU32 color = scene.colors().solid(scene.plan.role(route.from));
    const TextStyle style = scene.text(Face::kSemiBold, 14, color, Align::kCenter);
    const auto size_of = [&](const std::string& words) {
        return ImVec2{text_width(words, style) + scene.u(12), style.px + scene.u(6)};
    };
    std::vector<Rect> taken = {layout.corner,    layout.bank_area, layout.registers,
                               layout.fragments, layout.legend,    layout.rack};
    for (const TextOnTop& text : scene.texts_on_top) taken.push_back(area_of(text));
    if (const Rect chip = whole_chip_rect(scene); chip.w > 0) taken.push_back(chip);
    const Rect line = behind_title(scene, route.from);
    for (const std::string& words : route.words) {
        const ImVec2 size = size_of(words);
        const Rect plate{line.x, line.y, size.x, line.h};
        if (size.x <= line.w && is_free(plate, taken))
            return draw_label(scene, plate, words, style);
    }
    taken.insert(taken.end(), scene.values.begin(), scene.values.end());
    taken.push_back(route.source);
    taken.insert(taken.end(), scene.flying.begin(), scene.flying.end());
    for (const std::string& words : route.words)
        if (const auto plate = place_near(route.source, size_of(words), taken, layout.all))
            return draw_label(scene, *plate, words, style);
}

}  // namespace tilereel::stage
