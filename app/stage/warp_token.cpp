#include "app/stage/warp_token.h"

#include <algorithm>

namespace tilereel::stage {
namespace {

constexpr double kToYellowSeconds = 0.12;
constexpr float kCompactIcon = 0.85f;  // multiple of the number's font size

struct Words {
    const char* one;  // text for one warp
    Icon icon;
};
Words words_of(Activity activity) {
    switch (activity) {
        case Activity::kLoads:
            return {"loads", Icon::kLoad};
        case Activity::kStores:
            return {"stores", Icon::kLoad};
        case Activity::kWaits:
        case Activity::kAwaits:
            return {"waits", Icon::kWait};
        case Activity::kComputes:
            return {"computes", Icon::kCompute};
        case Activity::kDone:
            return {"done", Icon::kDone};
        case Activity::kReady:
            break;
    }
    return {"ready", Icon::kForward};
}

// The role of the data that a warp moves; kC while it computes.
ColorRole role_of(const Scene& scene, const WarpState& warp) {
    if (warp.activity == Activity::kComputes || warp.activity == Activity::kStores ||
        warp.activity == Activity::kDone)
        return ColorRole::kC;
    if (warp.activity != Activity::kLoads || warp.step >= scene.replay.schedule().steps.size())
        return ColorRole::kNone;
    const ArrayId array = scene.trace.sites[scene.replay.schedule().steps[warp.step].site].array;
    return array == kNoArray ? ColorRole::kNone : scene.plan.role(array);
}

float icon_size(const Scene& scene, const Token& token) {
    return token.name ? std::min(scene.f(16), token.rect.h * 0.62f) : token.px * kCompactIcon;
}

}  // namespace

float full_token_width(const Scene& scene, float height, float px) {
    return scene.u(12) + std::min(scene.f(16), height * 0.62f) + scene.u(9) +
           text_width("warp 00", Face::kSemiBold, px) + scene.u(9);
}

float compact_token_width(const Scene& scene, std::uint32_t count, float px) {
    const std::string widest(std::to_string(count - 1).size(), '0');
    return scene.u(3) + px * kCompactIcon + scene.u(3) + text_width(widest, Face::kMonoBold, px) +
           scene.u(4);
}

const char* word_of(Activity activity) { return words_of(activity).one; }

void draw_token(Scene& scene, const Token& token, std::uint32_t index) {
    const Palette& colors = scene.colors();
    const WarpState& warp = scene.state.warps[index];
    const StageView::WarpMotion& motion = scene.view.warps[index];
    const double since = scene.look.now_seconds - motion.changed;
    const bool waits = warp.activity == Activity::kWaits || warp.activity == Activity::kAwaits;
    const float yellow =
        waits ? static_cast<float>(std::clamp(since / kToYellowSeconds, 0.0, 1.0)) : 0.0f;
    const ColorRole role = role_of(scene, warp);
    const ImU32 edge = role == ColorRole::kNone ? colors.line : colors.solid(role);
    const float radius = scene.look.px(6);
    const Rect& r = token.rect;
    fill_rect(r, mix(colors.raised, colors.wait, yellow), radius);
    if (yellow < 1) stroke_rect(r, mix(edge, colors.wait, yellow), scene.look.px(2), radius);
    const bool dark = yellow > 0.5f;
    const ImU32 ink = dark ? colors.wait_ink : colors.ink;
    const Words words = words_of(warp.activity);
    const float y = r.center().y;
    const bool tiny = !token.name;
    const float icon = icon_size(scene, token);
    const float icon_x = r.x + (tiny ? icon * 0.5f + scene.u(3) : scene.u(12) + icon * 0.5f);
    draw_icon(words.icon, {icon_x, y}, icon,
              dark                  ? colors.wait_ink
              : edge == colors.line ? colors.ink3
                                    : edge,
              scene.look.hair());
    const std::string name = tiny ? std::to_string(index) : "warp " + std::to_string(index);
    const float px = tiny ? token.px : std::min(token.px, r.h * 0.62f);
    const float name_x = icon_x + icon * 0.5f + (tiny ? scene.u(4) : scene.u(9));
    if (tiny)
        draw_text({r.right() - scene.u(4), y}, name, {Face::kMonoBold, px, ink, Align::kRight});
    else
        draw_text({name_x, y}, name, {Face::kSemiBold, px, ink, Align::kLeft});
    const float word_px = std::max(px * 0.8f, std::min(px, scene.look.px(11)));
    const float free = r.right() - scene.u(9) - name_x - text_width(name, Face::kSemiBold, px);
    if (!tiny && text_width(words.one, Face::kRegular, word_px) + scene.u(8) <= free)
        draw_text({r.right() - scene.u(9), y}, words.one,
                  {Face::kRegular, word_px, dark ? colors.wait_ink : colors.ink2, Align::kRight});
}

}  // namespace tilereel::stage
