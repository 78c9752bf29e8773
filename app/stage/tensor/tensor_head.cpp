#include "app/stage/tensor/tensor_head.h"

#include <algorithm>

#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr float kLow = 440;  // units of type

// 32 lanes, the chosen one in the accent colour.
void draw_lanes(LaneScene& scene, const Rect& area) {
    const Palette& colors = scene.colors();
    const TextStyle style{Face::kRegular, scene.f(14), colors.accent};
    const std::string lane = "lane " + std::to_string(scene.lane);
    const float w =
        draw_text({area.x, area.center().y}, lane, {Face::kBold, style.px, colors.accent});
    const std::string keys =
        scene.has_controls()
            ? longest_that_fits({"L: next lane, W: warp", "L, W", ""}, area.w * 0.3f, style)
            : "";
    const float right = text_width(keys, style);
    draw_text({area.right() - right, area.center().y}, keys,
              {Face::kRegular, style.px, colors.ink3});
    const float x =
        area.x + std::max(w, text_width("lane 00", Face::kBold, style.px)) + scene.u(10);
    const Rect row{x, area.center().y - scene.u(7),
                   area.right() - right - (right > 0 ? scene.u(10) : 0) - x, scene.u(14)};
    const float pitch = row.w / 32;
    const Interaction touch = interact(scene.look, "stage.tensor.lanes", row, "");
    if (touch.hovered) {
        const int under =
            std::clamp(static_cast<int>((ImGui::GetIO().MousePos.x - row.x) / pitch), 0, 31);
        scene.pointed = under;
        if (touch.clicked) scene.commands.push_back(ChooseLane{static_cast<std::uint32_t>(under)});
    }
    for (int i = 0; i < 32; ++i) {
        const bool same = i / 4 == scene.lane / 4;
        fill_rect({row.x + static_cast<float>(i) * pitch, row.y, std::max(1.0f, pitch - scene.u(2)),
                   row.h},
                  i == scene.lane      ? colors.accent
                  : scene.pointed == i ? colors.ink
                  : same               ? colors.ink2
                                       : mix(colors.panel, colors.ink3, 0.6f),
                  scene.look.px(2));
    }
}

}  // namespace

float height_of_head(const LaneScene& scene, bool is_low) {
    return is_low ? scene.f(44) + scene.u(12) : scene.f(76) + scene.u(18);
}

bool has_low_head(const LaneScene& scene, float height) { return height < scene.f(kLow); }

void draw_tensor_head(LaneScene& scene, const Rect& rect, const TensorHead& head, bool is_low) {
    const Palette& colors = scene.colors();
    const float y0 = rect.y + scene.f(12);
    const float gap = scene.u(10), h = scene.u(6) + scene.f(18);
    float right = rect.right();
    const auto chip = [&](const char* name, const std::string& label, const std::string& tip) {
        if (!scene.has_controls()) return false;
        const float w = button_width(scene.look, label);
        right -= w;
        const Rect place{right, rect.y, w, h};
        right -= gap;
        return text_button(scene.look, name, place, label, false, tip);
    };
    if (chip("stage.tensor.close", "show the arrays", "The usual picture of this moment (Shift+M)"))
        scene.commands.push_back(ShowTensorPicture{false});
    if (!head.next.empty() && chip("stage.tensor.product", head.next, head.next_tip))
        scene.commands.push_back(ChooseTensorProduct{head.next_product});
    const float room = right - rect.x;
    const TextStyle large{Face::kBold, scene.f(20), colors.ink};
    const float w = draw_text({rect.x, y0}, head.operation, shrunk(large, head.operation, room));
    const TextStyle beside{Face::kRegular, scene.f(15), colors.ink2};
    const std::string warp = "  " + head.warp;
    if (w + text_width(warp, beside) <= room) draw_text({rect.x + w, y0}, warp, beside);
    if (!is_low && !head.product.empty()) {
        const TextStyle style{Face::kRegular, scene.f(14), colors.ink2};
        draw_text_fit({rect.x, y0 + scene.f(27)}, rect.w,
                      longest_that_fits(head.product, rect.w, style), style);
    }
    draw_lanes(scene, {rect.x, y0 + scene.f(is_low ? 18 : 47), rect.w, scene.f(17) + scene.u(12)});
}

}  // namespace tilereel::stage
