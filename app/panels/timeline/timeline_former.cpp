#include "app/panels/timeline/timeline_former.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kLeastShare = 0.25f;  // share of the width that the shown replay keeps at least

void dashed_line(ImVec2 from, float down, ImU32 color, float width, float dash) {
    for (float at = 0; at < down; at += 2 * dash)
        fill_rect({from.x, from.y + at, width, std::min(dash, down - at)}, color);
}

}  // namespace

FormerEnd former_end(const Workbench& workbench, float width) {
    const Replay* const replay = workbench.replay();
    const std::optional<Tick> former = workbench.former_ticks();
    FormerEnd end{.track = width};
    if (replay == nullptr || replay->schedule().ticks == 0 || !former || *former == 0) return end;
    end.ticks = *former;
    end.now = replay->schedule().ticks;
    const double share = static_cast<double>(end.now) / static_cast<double>(end.ticks);
    if (share >= 1) {
        end.at = width * static_cast<float>(1 / share);
        return end;
    }
    end.to_scale = share >= kLeastShare;
    end.track = std::round(width * std::max(static_cast<float>(share), kLeastShare));
    end.at = width;
    return end;
}

Rect draw_former_end(const Look& look, const FormerEnd& end, const FormerPlace& place) {
    if (!end.any()) return {};
    const Palette& colors = look.colors();
    const float width = std::max(1.0f, look.px(2));
    const float mark = std::min(std::round(place.left + end.at), place.right - width);
    const float top = place.top - look.tight();
    dashed_line({mark, top}, place.bottom - top, colors.ink2, width, look.tight());
    register_widget("timeline.former", {mark, top, width, place.bottom - top});
    const std::string words = "before: " + with_commas(end.ticks) + " ticks, now " +
                              with_commas(end.now) + (end.to_scale ? "" : ", not to scale");
    const TextStyle style{Face::kSemiBold, place.px, colors.ink2};
    const float wide = text_width(words, style.face, style.px);
    const float centered = end.track < place.right - place.left ? mark - wide : mark - wide / 2;
    const float left = std::clamp(centered, place.left, std::max(place.left, place.right - wide));
    draw_text({left, place.labels}, words, style);
    return {left - look.snug(), place.labels - place.px / 2, wide + look.wide(), place.px};
}

}  // namespace tilereel
