#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/shell/frame.h"

namespace tilereel {
namespace {

constexpr int kPresentedTextPx = 24;   // smallest text size of a replay that is presented
constexpr int kNarrowTextPx = 24;      // from this text size on, source and inspector share a panel
constexpr float kNarrowWidth = 1600;   // units; source and inspector share a panel below this width
constexpr float kLowHeight = 850;      // units; rows are closer below this height
constexpr std::size_t kUsualRows = 3;  // of the timeline: global, shared, conflicts
constexpr float kMoreRow = 11;         // units; height of each row of the timeline beyond these
constexpr float kMostChrome = 0.52f;   // largest share of the height for bars, sentence and gaps

struct Heights {
    float bar, timeline, sentence;
};

// Each row of text in the bars grows with the user's text size.
// `timeline_rows`: TimelineRows::needed().
Heights heights_of(const Look& look, float height, std::size_t timeline_rows = kUsualRows) {
    const bool low = height < kLowHeight * look.scale;
    const float extra = extra_px(look);
    Heights h{look.px(low ? 46 : 56) + 1.2f * extra, look.px(low ? 104 : 132) + 4.6f * extra,
              look.px(low ? 38 : 60) + 3.0f * extra};
    const float gaps = 5 * look.px(8);
    const float most = std::max(kMostChrome * height - gaps, look.px(160));
    const float over = h.bar + h.timeline + h.sentence - most;
    if (over > 0) {  // the bar keeps its height; timeline and sentence shrink
        const float share = over / (h.timeline + h.sentence);
        h.timeline -= share * h.timeline;
        h.sentence -= share * h.sentence;
    } else if (timeline_rows > kUsualRows) {
        const auto more = static_cast<float>(timeline_rows - kUsualRows);
        h.timeline += std::min(more * look.px(kMoreRow), -over);
    }
    return {std::round(h.bar), std::round(h.timeline), std::round(h.sentence)};
}

// The scale of all lengths: Look::scale.
float layout_scale(float width, float height) {
    return std::max(1.0f, std::round(std::min(width / 1920, height / 1080) * 4) / 4);
}

}  // namespace

int first_text_px(float screen_scale, float width, float height) {
    constexpr float kLargestTextPx = 32;
    const float px = std::round(kBodyUnits * screen_scale / layout_scale(width, height));
    return static_cast<int>(std::clamp(px, static_cast<float>(kBodyUnits), kLargestTextPx));
}

WindowLimits least_window(int text_px) {
    constexpr int kLeastWidth = 1024, kLeastHeight = 640;  // at the smallest text
    constexpr int kWider = 16, kHigher = 6;                // for each additional pixel of text size
    const int more = std::max(0, text_px - static_cast<int>(kBodyUnits));
    return {kLeastWidth + kWider * more, kLeastHeight + kHigher * more};
}

Look look_of(const Workbench& workbench, float width, float height, double now_seconds,
             double frame_seconds) {
    Look look;
    const ViewState& view = workbench.view();
    look.theme = view.light ? Theme::kLight : Theme::kDark;
    look.scale = layout_scale(width, height);
    const bool large = view.presenting && view.mode == WindowMode::kReplay;
    const int text_px = large ? std::max(view.text_px, kPresentedTextPx) : view.text_px;
    look.text = static_cast<float>(text_px) / kBodyUnits;
    look.narrow = width < kNarrowWidth * look.scale || text_px >= kNarrowTextPx;
    look.tips = !view.presenting;
    look.now_seconds = now_seconds;
    look.frame_seconds = frame_seconds;
    return look;
}

FrameLayout layout_presented(const Look& look, float width, float height) {
    const Heights h = heights_of(look, height);
    const float gap = look.px(8), inner = width - 2 * gap;
    FrameLayout layout;
    layout.sentence = {gap, height - gap - h.sentence, inner, h.sentence};
    layout.stage = {gap, gap, inner, layout.sentence.y - 2 * gap};
    return layout;
}

FrameLayout layout_of(const Look& look, float width, float height, std::size_t timeline_rows) {
    const Heights h = heights_of(look, height, timeline_rows);
    const float gap = look.px(8);
    const float extra = extra_px(look);
    const float top = h.bar + gap;
    const float main_height = std::max(0.0f, height - h.bar - h.timeline - h.sentence - 4 * gap);
    const float inner = width - 2 * gap;
    FrameLayout layout;
    layout.bar = {0, 0, width, h.bar};
    layout.timeline = {gap, top + main_height + gap, inner, h.timeline};
    layout.sentence = {gap, layout.timeline.bottom() + gap, inner, h.sentence};
    if (look.narrow) {
        const float side = std::round(std::min(look.px(320) + 13 * extra, 0.4f * width));
        layout.side = {width - gap - side, top, side, main_height};
        layout.stage = {gap, top, layout.side.x - 2 * gap, main_height};
        return layout;
    }
    const float source = std::round(look.px(448) + 10 * extra);
    const float inspector = std::round(look.px(392) + 12 * extra);
    layout.source = {gap, top, source, main_height};
    layout.inspector = {width - gap - inspector, top, inspector, main_height};
    const float left = layout.source.right() + gap;
    layout.stage = {left, top, layout.inspector.x - gap - left, main_height};
    return layout;
}

}  // namespace tilereel
