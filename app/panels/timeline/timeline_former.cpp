#include "app/panels/timeline/timeline_former.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kLeastShare = 0.25f;  // share of the width that the shown replay keeps at least

void dashed_line(ImVec2 from, ImVec2 to, ImU32 color, float width, float dash) {
    const bool down = to.y > from.y;
    const float length = down ? to.y - from.y : to.x - from.x;
    for (float at = 0; at < length; at += 2 * dash) {
        const float end = std::min(at + dash, length);
        const ImVec2 low{from.x + (down ? 0 : at), from.y + (down ? at : 0)};
        const ImVec2 high{from.x + (down ? width : end), from.y + (down ? end : width)};
        draw_list()->AddRectFilled(low, high, color);
    }
}

// Draws the text between dashes after the end of the shown replay. Returns false if there is no
// room for it.
bool draw_in_rest(const Look& look, const FormerEnd& end, const FormerPlace& place, float mark) {
    const Palette& colors = look.colors();
    const float dash = look.tight(), line = std::max(1.0f, look.px(1)), gap = look.px(14);
    const float from = place.left + end.track + look.snug(), to = mark - look.snug();
    const float middle = std::round((place.top + place.bottom) / 2);
    const std::string before = "before: " + with_commas(end.ticks) + " ticks";
    const std::string now = "now " + with_commas(end.now);
    const std::array<std::string, 3> choices = {
        before + (end.to_scale ? ", " + now + " on the same scale" : ", " + now),
        before + ", " + now, before};
    for (const std::string& words : choices) {
        const float width = text_width(words, Face::kRegular, place.px);
        if (width + 2 * (gap + 4 * dash) > to - from) continue;
        const float left = std::round((from + to - width) / 2);
        draw_text({left, middle}, words, {Face::kRegular, place.px, colors.ink2});
        dashed_line({from, middle}, {left - gap, middle}, colors.ink3, line, dash);
        dashed_line({left + width + gap, middle}, {to, middle}, colors.ink3, line, dash);
        return true;
    }
    if (to > from) dashed_line({from, middle}, {to, middle}, colors.ink3, line, dash);
    return false;
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
    dashed_line({mark, top}, {mark, place.bottom}, colors.ink2, width, look.tight());
    register_widget("timeline.former", {mark, top, width, place.bottom - top});
    if (draw_in_rest(look, end, place, mark)) return {};
    const std::string words = "before: " + with_commas(end.ticks) + " ticks";
    const TextStyle style{Face::kSemiBold, place.px, colors.ink2};
    const float wide = text_width(words, style.face, style.px);
    const float centered = end.track < place.right - place.left ? mark - wide : mark - wide / 2;
    const float left = std::clamp(centered, place.left, std::max(place.left, place.right - wide));
    draw_text({left, place.labels}, words, style);
    return {left - look.snug(), place.labels - place.px / 2, wide + look.wide(), place.px};
}

}  // namespace tilereel
