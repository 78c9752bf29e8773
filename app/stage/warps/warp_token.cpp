#include "app/stage/warps/warp_token.h"

#include "instrumentation/trace/stopped_warps.h"

namespace tilereel::stage {
namespace {

constexpr double kToYellowSeconds = 0.12;
constexpr float kCompactIcon = 0.85f;  // multiple of the number's font size

// The role of the data that a warp loads; kC when it computes, stores or is done.
ColorRole role_of(const Scene& scene, const WarpState& warp, bool stopped) {
    if (warp.activity == Activity::kComputes || warp.activity == Activity::kStores ||
        (warp.activity == Activity::kDone && !stopped))
        return ColorRole::kC;
    if (warp.activity != Activity::kLoads || warp.step >= scene.steps().size())
        return ColorRole::kNone;
    const ArrayId array = scene.trace.sites[scene.steps()[warp.step].site].array;
    return array == kNoArray ? ColorRole::kNone : scene.plan.role(array);
}

}  // namespace

std::optional<WarpStop> stop_of(const Scene& scene, std::uint32_t warp) {
    if (scene.trace.complete || scene.state.warps[warp].activity != Activity::kDone)
        return std::nullopt;
    const WarpStop stop =
        stop_of_warp(scene.trace, scene.replay.block(), static_cast<std::uint16_t>(warp));
    return stop.kind == WarpStopKind::kReturned ? std::nullopt : std::optional(stop);
}

std::string word_of(const Scene& scene, std::uint32_t warp) {
    if (const auto stop = stop_of(scene, warp)) return words_of(*stop);
    return words_of(scene.state.warps[warp].activity).one;
}

float full_token_width(const Scene& scene, float height, float px) {
    return scene.u(12) + std::min(scene.f(16), height * 0.62f) + scene.u(9) +
           text_width("warp 00", Face::kSemiBold, px) + scene.u(9);
}

float compact_token_width(const Scene& scene, std::uint32_t count, float px) {
    const std::string widest(std::to_string(count - 1).size(), '0');
    return scene.u(3) + px * kCompactIcon + scene.u(3) + text_width(widest, Face::kMonoBold, px) +
           scene.u(4);
}

void draw_token(Scene& scene, const Token& token, std::uint32_t index) {
    const Palette& colors = scene.colors();
    const WarpState& warp = scene.state.warps[index];
    const StageView::WarpMotion& motion = scene.view.warps[index];
    const double since = scene.look.now_seconds - motion.changed;
    const bool waits =
        warp.activity == Activity::kWaitsAtBarrier || warp.activity == Activity::kWaitsForCopy;
    const float yellow =
        waits ? static_cast<float>(std::clamp(since / kToYellowSeconds, 0.0, 1.0)) : 0.0f;
    const std::optional<WarpStop> stop = stop_of(scene, index);
    const ColorRole role = role_of(scene, warp, stop.has_value());
    const ImU32 edge = role == ColorRole::kNone ? colors.line : colors.solid(role);
    const float radius = scene.look.px(6);
    const Rect& r = token.rect;
    fill_rect(r, mix(colors.raised, colors.wait, yellow), radius);
    if (yellow < 1) stroke_rect(r, mix(edge, colors.wait, yellow), scene.look.px(2), radius);
    const bool dark = yellow > 0.5f;
    const ImU32 ink = dark ? colors.wait_ink : colors.ink;
    const float y = r.center().y;
    const bool tiny = !token.name;
    const float icon = tiny ? token.px * kCompactIcon : std::min(scene.f(16), r.h * 0.62f);
    const float icon_x = r.x + (tiny ? icon * 0.5f + scene.u(3) : scene.u(12) + icon * 0.5f);
    draw_icon(!stop                                  ? words_of(warp.activity).icon
              : is_waiting(*stop)                    ? Icon::kWait
              : stop->kind == WarpStopKind::kFaulted ? Icon::kClose
                                                     : Icon::kForward,
              {icon_x, y}, icon,
              dark                  ? colors.wait_ink
              : edge == colors.line ? colors.ink3
                                    : edge,
              scene.look.hair());
    std::string name = tiny ? std::to_string(index) : "warp " + std::to_string(index);
    const float px = tiny ? token.px : std::min(token.px, r.h * 0.62f);
    if (tiny) {
        draw_text({r.right() - scene.u(4), y}, name, {Face::kMonoBold, px, ink, Align::kRight});
        return;
    }
    const float name_x = icon_x + icon * 0.5f + scene.u(9), right = r.right() - scene.u(9);
    const TextStyle word{Face::kRegular, std::max(px * 0.8f, std::min(px, scene.look.px(11))),
                         dark ? colors.wait_ink : colors.ink2, Align::kRight};
    const TextStyle bold{Face::kSemiBold, px, ink};
    const auto fits = [&](const std::string& words) {
        return name_x + text_width(name, bold) + scene.u(8) + text_width(words, word) <= right;
    };
    std::string words = word_of(scene, index);
    if (stop && !fits(words)) words = short_words_of(*stop);
    if (stop && !fits(words)) name = std::to_string(index);  // where it was matters more
    draw_text({name_x, y}, name, bold);
    if (fits(words)) draw_text({right, y}, words, word);
}

}  // namespace tilereel::stage
