#include "app/panels/timeline/timeline_former.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr float kLeastShare = 0.25f;  // share of the width that the shown replay keeps at least

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

Rect draw_former_end(const Look& look, const FormerEnd& end, const Rect& rows, float labels,
                     float px) {
    if (!end.any()) return {};
    const Palette& colors = look.colors();
    const float width = std::max(1.0f, look.hair()), dash = look.tight();
    const Rect mark{std::min(std::round(rows.x + end.at), rows.right() - width), rows.y - dash,
                    width, rows.h + dash};
    for (float y = mark.y; y < mark.bottom(); y += 2 * dash)
        fill_rect({mark.x, y, width, std::min(dash, mark.bottom() - y)}, colors.ink2);
    register_widget("timeline.former", mark);
    const std::string words = "before: " + with_commas(end.ticks) + " ticks, now " +
                              with_commas(end.now) + (end.to_scale ? "" : ", not to scale");
    const TextStyle style{Face::kSemiBold, px, colors.ink2};
    const float wide = text_width(words, style);
    const float left = std::clamp(mark.x - wide, rows.x, std::max(rows.x, rows.right() - wide));
    draw_text({left, labels}, words, style);
    return {left - look.snug(), labels - px / 2, wide + look.wide(), px};
}

}  // namespace tilereel
