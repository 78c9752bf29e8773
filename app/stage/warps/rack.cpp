// The rack: a slot for each warp in which loaded values rest until they are stored.
#include <algorithm>

#include "app/stage/scene.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr float kTallestSlot = 18;     // units
constexpr float kFarthestName = 1.5f;  // lines between the rack and its name

float pitch_of(const Scene& scene) {
    const auto slots = static_cast<float>(std::max(1u, scene.plan.transfers().slots()));
    return std::min(scene.layout.rack.h / slots, scene.look.px(kTallestSlot));
}

// "registers" right above the slots of the rack or, if there is no room, right below, where nothing
// moves. It may reach to the left of the rack, where no cells are. Farther away it would seem to
// name something else, so it is left out.
void draw_name(Scene& scene, const Rect& rack) {
    const StageLayout& layout = scene.layout;
    const TextStyle style = scene.text(Face::kRegular, kRackType, scene.colors().ink2);
    const float w = text_width("registers", style), h = 1.1f * style.px;
    // In a small stage the word would stand over B and seem to name it.
    if (layout.small && w > 2 * rack.w) return;
    // In the stage of arrays the cells to the left are not known here.
    if (layout.c.window.w <= 0 && w > layout.strip.w) return;
    const float x = std::max(std::min(rack.x, layout.strip.right() - w), layout.all.x);
    const float end = layout.legend.h > 0 ? layout.legend.y : layout.all.bottom();
    std::vector<Rect> taken = {layout.registers, layout.fragments, layout.bank_area,
                               layout.a.window,  layout.b.window,  layout.c.window,
                               layout.corner};
    Rect moves = layout.b.window.joined(layout.c.window);  // copies keep to its height
    for (const SharedView& view : layout.arrays) {
        taken.push_back(view.window);
        moves = moves.joined(view.window);
    }
    taken.push_back({layout.strip.x, moves.y, layout.strip.w, moves.h});
    std::vector<Rect> words = {layout.bank_area, scene.heat_legend};
    for (const TextOnTop& text : scene.texts_on_top) words.push_back(area_of(text));
    const float aside = scene.look.px(14);  // from words in the same line, or both read as one
    const float above = moves.y - h - scene.u(2), below = moves.bottom() + scene.u(1);
    for (const float y : {above, below})
        for (const float left : {x, x - aside}) {
            const Rect area{left, y, w, h}, alone{left - aside, y, w + 2 * aside, h};
            const float away = y == above ? rack.y - area.bottom() : y - rack.bottom();
            if (away > kFarthestName * h || y < layout.all.y - scene.u(4) ||
                area.bottom() > end - scene.u(2) || area.x < layout.all.x)
                continue;
            if (std::ranges::any_of(taken, [&](const Rect& one) { return one.overlaps(area); }) ||
                std::ranges::any_of(words, [&](const Rect& one) { return one.overlaps(alone); }))
                continue;
            draw_text_on_top(scene, {area.x, area.center().y}, "registers", style);
            return;
        }
}

void hover_slot(Scene& scene, const Rest& rest) {
    const std::uint32_t warp = scene.steps()[rest.step].warp;
    const Array& array = scene.trace.arrays[rest.array];
    std::vector<Element> elements;
    const LaneOffsets lanes = lane_offsets(scene.trace, scene.steps()[rest.step].record);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        if ((lanes.mask >> lane & 1) != 0)
            elements.push_back(
                array.place_of(lanes.bytes[lane] / std::max(array.element_bytes, 1u)));
    scene.hover = {part_words(array, 0, elements),
                   scene.plan.role(rest.array),
                   {"in registers of warp " + std::to_string(warp) + " until it is stored"}};
}

}  // namespace

Rect slot_of_rack(const Scene& scene, std::uint32_t slot) {
    const float pitch = pitch_of(scene), gap = pitch >= scene.look.px(4) ? scene.u(2) : 0;
    const Rect& rack = scene.layout.rack;
    return {rack.x, rack.y + static_cast<float>(slot) * pitch, rack.w, std::max(pitch - gap, 1.0f)};
}

void draw_rack(Scene& scene) {
    const Transfers& transfers = scene.plan.transfers();
    if (scene.layout.rack.h <= 0 || transfers.slots() == 0) return;
    const Rect last = slot_of_rack(scene, transfers.slots() - 1);
    const Rect all = slot_of_rack(scene, 0).joined(last);
    draw_name(scene, all);
    const ImU32 ground = mix(scene.colors().panel, scene.colors().cell, 0.6f);
    if (last.h < scene.look.px(4)) {
        fill_rect(all, ground, scene.u(2));
    } else {
        for (std::uint32_t slot = 0; slot < transfers.slots(); ++slot)
            fill_rect(slot_of_rack(scene, slot), ground, scene.look.px(2));
    }
    transfers.for_each_rest(scene.workbench.position(), [&](const Rest& rest) {
        const Rect slot = slot_of_rack(scene, rest.slot);
        const ImU32 solid = scene.colors().solid(scene.plan.role(rest.array));
        fill_rect(slot, mix(scene.colors().panel, solid, 0.72f), scene.look.px(2));
        if (scene.points_at(slot)) hover_slot(scene, rest);
    });
    register_widget("stage.rack", all);
}

}  // namespace tilereel::stage
