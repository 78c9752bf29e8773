#include "app/stage/flight_names.h"

#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr double kSlideSeconds = 0.08;  // time in which a name moves two thirds of the way

bool inside(const Rect& part, const Rect& whole) {
    return part.x >= whole.x && part.right() <= whole.right() && part.y >= whole.y &&
           part.bottom() <= whole.bottom();
}

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

// The previous position of the group's name, relative to the group's middle. nullptr if it had no
// name.
const ImVec2* former_offset(const Scene& scene, const FlyingGroup& group) {
    if (scene.view.jumped) return nullptr;
    for (const StageView::FlightName& name : scene.view.flight_names)
        if (name.to == group.to && name.plane == group.plane) return &name.offset;
    return nullptr;
}

ImVec2 slid(const Scene& scene, ImVec2 from, ImVec2 to) {
    const auto share = static_cast<float>(1 - std::exp(-scene.look.frame_seconds / kSlideSeconds));
    return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
}

Rect around(ImVec2 middle, ImVec2 size) {
    return {std::round(middle.x - size.x / 2), std::round(middle.y - size.y / 2), size.x, size.y};
}

std::string name_of(const Scene& scene, const FlyingGroup& group) {
    return scene.trace.arrays[group.from].name + " to " +
           plane_name(scene.trace.arrays[group.to], group.plane);
}

}  // namespace

Rect hull_of(std::span<const Rect> parts) {
    Rect hull = parts.front();
    for (const Rect& part : parts) hull = hull.joined(part);
    return hull;
}

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
    std::ranges::stable_sort(middles, {}, [&](ImVec2 at) { return distance(at, wanted); });
    for (const ImVec2 at : middles) {
        const Rect place = around(at, size);
        const auto covers = [&place](const Rect& rect) { return place.overlaps(rect); };
        if (inside(place, all) && std::ranges::none_of(taken, covers)) return place;
    }
    return std::nullopt;
}

void draw_flight_names(Scene& scene) {
    const TextInMotion in_motion;
    const StageLayout& layout = scene.layout;
    std::vector<Rect> taken = {layout.corner, layout.bank_area, layout.registers, layout.fragments,
                               layout.legend};
    for (const SaidWords& words : scene.words) taken.push_back(plate_of(words));
    if (const Rect chip = whole_chip_rect(scene); chip.w > 0) taken.push_back(chip);
    std::vector<StageView::FlightName> names;
    for (const FlyingGroup& group : scene.groups) {
        const Rect hull = hull_of(group.parts);
        const std::string words = name_of(scene, group);
        const ImU32 color = scene.colors().solid(scene.plan.role(group.from));
        const TextStyle style = scene.text(Face::kSemiBold, 15, color, Align::kCenter);
        const ImVec2 size{text_width(words, style.face, style.px) + scene.u(16),
                          style.px + scene.u(8)};
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
        if (former != nullptr) offset = slid(scene, *former, offset);
        names.push_back({group.to, group.plane, offset});
        const Rect plate = around({middle.x + offset.x, middle.y + offset.y}, size);
        taken.push_back(plate);
        draw_box(plate, scene.colors().panel, color, scene.look.frame(), scene.u(5));
        draw_text(plate.center(), words, style);
        register_widget("stage.flight." + plane_name(scene.trace.arrays[group.to], group.plane),
                        plate);
    }
    scene.view.flight_names = std::move(names);
}

}  // namespace tilereel::stage
