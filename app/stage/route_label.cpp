// Places the name of a flying group on it or beside it, without covering other text and values. If
// there is no room, it is left out.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

bool inside(const Rect& part, const Rect& whole) {
    return part.x >= whole.x && part.right() <= whole.right() && part.y >= whole.y &&
           part.bottom() <= whole.bottom();
}

// The previous position of the group's name, relative to the group's middle. nullptr if it had no
// name.
const ImVec2* former_offset(const Scene& scene, const FlyingGroup& group) {
    if (scene.view.jumped) return nullptr;
    for (const StageView::FlightName& name : scene.view.flight_names)
        if (name.to == group.to && name.plane == group.plane) return &name.offset;
    return nullptr;
}

Rect around(ImVec2 middle, ImVec2 size) {
    const Rect rect = Rect::around(middle, size);
    return {std::round(rect.x), std::round(rect.y), rect.w, rect.h};
}

std::string name_of(const Scene& scene, const FlyingGroup& group) {
    return scene.trace.arrays[group.from].name + " to " +
           plane_name(scene.trace.arrays[group.to], group.plane);
}

// The bounding box of one or more rectangles.
Rect hull_of(std::span<const Rect> parts) {
    Rect hull = parts.front();
    for (const Rect& part : parts) hull = hull.joined(part);
    return hull;
}

bool is_free(const Rect& place, std::span<const Rect> taken) {
    return std::ranges::none_of(taken, [&](const Rect& rect) { return place.overlaps(rect); });
}

// A rectangle of `size` inside `all` that overlaps none of `taken`: in the middle of one of
// `parts`, beside all of them, or near `wanted`. Of these it is the one whose centre is closest to
// `wanted`. nullopt if there is none.
std::optional<Rect> place_of_name(ImVec2 wanted, ImVec2 size, std::span<const Rect> parts,
                                  std::span<const Rect> taken, const Rect& all) {
    std::vector<ImVec2> middles = {wanted};
    for (const Rect& part : parts) middles.push_back(part.center());
    const Rect hull = hull_of(parts);
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

}  // namespace

void draw_flight_names(Scene& scene) {
    const TextInMotion in_motion;
    const StageLayout& layout = scene.layout;
    std::vector<Rect> taken = {layout.corner, layout.bank_area, layout.registers, layout.fragments,
                               layout.legend};
    for (const TextOnTop& text : scene.texts_on_top) taken.push_back(area_of(text));
    if (const Rect chip = whole_chip_rect(scene); chip.w > 0) taken.push_back(chip);
    taken.insert(taken.end(), scene.values.begin(), scene.values.end());
    std::vector<StageView::FlightName> names;
    for (const FlyingGroup& group : scene.groups) {
        const Rect hull = hull_of(group.parts);
        const std::string words = name_of(scene, group);
        const ImU32 color = scene.colors().solid(scene.plan.role(group.from));
        const TextStyle style = scene.text(Face::kSemiBold, 15, color, Align::kCenter);
        const ImVec2 size{text_width(words, style) + scene.u(16), style.px + scene.u(8)};
        const ImVec2 middle = hull.center();
        // The name keeps its position relative to the group while it still overlaps the group.
        const ImVec2* former = former_offset(scene, group);
        ImVec2 wanted = middle;
        if (former != nullptr) {
            const ImVec2 at{middle.x + former->x, middle.y + former->y};
            if (around(at, size).overlaps(hull)) wanted = at;
        }
        const auto place = place_of_name(wanted, size, group.parts, taken, scene.layout.all);
        if (!place) continue;
        ImVec2 offset{place->center().x - middle.x, place->center().y - middle.y};
        if (former != nullptr)
            offset = {scene.look.glide(former->x, offset.x), scene.look.glide(former->y, offset.y)};
        names.push_back({group.to, group.plane, offset});
        const Rect plate = around({middle.x + offset.x, middle.y + offset.y}, size);
        if (!is_free(plate, taken)) continue;  // on its way to its new place
        taken.push_back(plate);
        draw_box(plate, scene.colors().panel, color, scene.look.frame(), scene.u(5));
        draw_text(plate.center(), words, style);
        register_widget("stage.flight." + plane_name(scene.trace.arrays[group.to], group.plane),
                        plate);
    }
    scene.view.flight_names = std::move(names);
}

}  // namespace tilereel::stage
