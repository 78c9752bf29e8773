// The timeline of a comparison: transport controls, and a track for each side on the same time
// scale.
#include <algorithm>
#include <cmath>

#include "app/panels/compare/compare_views.h"
#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/timeline/timeline_header.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr std::array<const char*, 2> kTrackNames = {"compare.track.left", "compare.track.right"};

// The steps of one side that have no counterpart on the other. Steps at most a pixel apart are
// merged.
std::vector<TrackInterval> steps_alone(const CompareView& view, Side side, float width) {
    const Side other = side == Side::kLeft ? Side::kRight : Side::kLeft;
    const Schedule& schedule = view.replay(side).schedule();
    const float scale = width / static_cast<float>(std::max<Tick>(schedule.ticks, 1));
    std::vector<TrackInterval> alone;
    for (const LockStepEntry& entry : view.steps.entries()) {
        if (!entry.has(side) || entry.has(other)) continue;
        const Step& step = schedule.steps[entry.step[static_cast<std::size_t>(side)]];
        const float begin = static_cast<float>(step.begin) * scale;
        const float end = static_cast<float>(step.end()) * scale;
        if (!alone.empty() && begin <= alone.back().end + 1)
            alone.back().end = std::max(alone.back().end, end);
        else
            alone.push_back({.begin = begin, .end = end});
    }
    return alone;
}

class CompareTracks {
  public:
    CompareTracks(const CompareView& view, const Rect& rect, CompareMemory& memory)
        : view_(view), look_(view.look), memory_(memory) {
        px_ = std::min(type_px(look_, 14), 0.42f * rect.h);
        row_ = rect.h / 2;
        float label = 0, figures = 0;
        Tick longest = 1;
        for (const Side side : kSides) {
            const Tick ticks = view.replay(side).schedule().ticks;
            longest = std::max(longest, ticks);
            label = std::max(label, text_width(view.label(side), Face::kSemiBold, px_));
            figures = std::max(figures, text_width(ticks_words(ticks), Face::kMonoBold, px_));
        }
        label_ = std::min(label, 0.3f * rect.w);
        room_ = {rect.x + label_ + look_.pad(), rect.y, rect.w - label_ - figures - look_.px(40),
                 rect.h};
        left_ = rect.x;
        tick_width_ = room_.w / static_cast<float>(longest);
    }

    void draw(Commands& commands) {
        for (const Side side : kSides) {
            draw_track(side);
            scrub(side, commands);
        }
        for (const Side side : kSides) draw_head(side);
    }

  private:
    static std::string ticks_words(Tick ticks) { return with_commas(ticks) + " ticks"; }
    [[nodiscard]] Rect bar_of(Side side) const {
        const auto at = static_cast<float>(static_cast<std::size_t>(side));
        const auto ticks = static_cast<float>(view_.replay(side).schedule().ticks);
        return {room_.x, std::round(room_.y + at * row_ + 0.16f * row_),
                std::max(2.0f, ticks * tick_width_), std::round(0.6f * row_)};
    }
    [[nodiscard]] float head_of(Side side) const {
        const double at = view_.steps.position_of(side, view_.workbench.common_position());
        return room_.x + static_cast<float>(at) * tick_width_;
    }
    const CompareTrack& track_of(Side side, float width) {
        const Replay& replay = view_.replay(side);
        CompareTrack& track = memory_.tracks[static_cast<std::size_t>(side)];
        if (track.replay == replay.id() && track.width == width && other_track_is_current(side))
            return track;
        track.tracks = make_tracks(replay, width, look_.px(1), look_.px(80));
        track.alone = steps_alone(view_, side, width);
        track.replay = replay.id();
        track.width = width;
        return track;
    }
    // Whether the other side's track was made from the replay that the other side shows now.
    [[nodiscard]] bool other_track_is_current(Side side) const {
        const Side other = side == Side::kLeft ? Side::kRight : Side::kLeft;
        return memory_.tracks[static_cast<std::size_t>(other)].replay == view_.replay(other).id();
    }
    void draw_track(Side side) {
        const Palette& colors = look_.colors();
        const Rect bar = bar_of(side);
        const CompareTrack& track = track_of(side, bar.w);
        const float middle = bar.center().y, head = head_of(side);
        draw_text_fit({left_, middle}, label_ + look_.snug(), view_.label(side),
                      shrunk({Face::kSemiBold, px_, colors.ink}, view_.label(side),
                             label_ + look_.snug(), look_.px(11)));
        const auto intervals = [&](const std::vector<TrackInterval>& all, bool conflict) {
            for (const TrackInterval& interval : all) {
                const float begin = bar.x + interval.begin;
                const float end = std::max(bar.x + interval.end, begin + 1);
                const ImU32 solid =
                    conflict ? colors.conflict : color_of_interval(colors, interval);
                const float toward = begin > head ? 0.62f : 0.1f;
                draw_list()->AddRectFilled({begin, bar.y}, {end, bar.bottom()},
                                           mix(solid, colors.panel, toward));
            }
        };
        intervals(track.tracks.global, false);
        intervals(track.tracks.shared, false);
        intervals(track.tracks.conflicts, true);
        for (const TrackInterval& alone : track.alone)
            draw_list()->AddRectFilled(
                {bar.x + alone.begin, bar.bottom() + look_.hair()},
                {std::max(bar.x + alone.end, bar.x + alone.begin + 1), bar.bottom() + look_.px(5)},
                colors.accent);
        draw_text({bar.right() + look_.wide(), middle},
                  ticks_words(view_.replay(side).schedule().ticks),
                  {Face::kMonoBold, px_, colors.ink});
    }
    void draw_head(Side side) {
        const Rect bar = bar_of(side);
        const float x = head_of(side), half = look_.px(1.5f);
        draw_list()->AddRectFilled({x - half, bar.y - look_.tight()},
                                   {x + half, bar.bottom() + look_.tight()}, look_.colors().accent);
    }
    void scrub(Side side, Commands& commands) {
        const auto number = static_cast<std::size_t>(side);
        const Rect bar = bar_of(side);
        const float half = look_.snug();
        const Interaction touch = interact(
            look_, kTrackNames[number], {bar.x - half, bar.y, bar.w + 2 * half, bar.h},
            view_.steps.steps_only_of(side) > 0
                ? "Drag: both sides go there. Underlined: steps that the other side does not have"
                : "Drag: both sides go there");
        const bool was = memory_.scrubbed == number;
        if (!touch.held && !was) return;
        const double tick = (ImGui::GetIO().MousePos.x - bar.x) / tick_width_;
        commands.push_back(SeekBoth{view_.steps.common_of(side, std::max(tick, 0.0)), touch.held});
        memory_.scrubbed = touch.held ? std::optional(number) : std::nullopt;
    }

    const CompareView& view_;
    const Look& look_;
    CompareMemory& memory_;
    Rect room_;
    float px_ = 14, row_ = 0, label_ = 0, left_ = 0, tick_width_ = 1;
};

}  // namespace

Commands draw_compare_timeline(const CompareView& view, const Rect& rect, PanelMemory& memory) {
    const Look& look = view.look;
    draw_card(look, rect);
    const float pad = look.pad();
    const bool low = rect.h < look.px(118) + 4.6f * extra_px(look);
    const float control =
        std::min(std::round(look.px(low ? 30 : 36) + 1.2f * extra_px(look)), rect.h * 0.36f);
    const Rect header{rect.x + pad, rect.y + look.px(10), rect.w - 2 * pad, control};
    Commands commands = draw_timeline_header(look, header, view.workbench, memory);
    const float top = header.bottom() + look.px(low ? 4 : 8);
    CompareTracks(view, {header.x, top, header.w, rect.bottom() - look.gap() - top},
                  memory.parts().compare)
        .draw(commands);
    return commands;
}

}  // namespace tilereel
