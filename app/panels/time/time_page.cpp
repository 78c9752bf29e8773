// The page "Where the time goes": the estimate and what limits it, the lines, what could be
// changed, and how far estimates can be trusted.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/paragraph.h"
#include "app/panels/tab_row.h"
#include "app/panels/time/time_views.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/workbench/time/time_sentence.h"

namespace tilereel {
namespace {

using TimeView = TimeMemory::View;
// The tabs if only one view fits, in the order of TimeView; the first has no tab if it stands
// alone.
constexpr std::array<TabWord, 5> kViews = {{{"Time"}, {"What if"}, {"Lines"}, {"Ladder"}, {"L2"}}};
// In multiples of the body font size.
constexpr float kThreeColumns = 110, kThreeRows = 54, kTwoColumns = 64;

const GpuModel& gpu_of(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    const GpuModel* const known =
        recording == nullptr ? nullptr : find_gpu_model(recording->generation->id);
    return known != nullptr ? *known : gpu_model().front();
}

void draw_time_lines(const TimeContext& time, const Rect& card, PanelMemory& panels) {
    append(time.commands, draw_source(time.look, card, time.workbench, panels, SourceShows::kTime));
}

void draw_ladder(const TimeContext& time, const Rect& card) {
    if (time.memory.quiz.asks()) {
        draw_paragraph(time.room_of(card).min(), time.room_of(card).w,
                       "The ladder waits for your answers.",
                       {Face::kRegular, time.type(14), time.colors().ink3});
        return;
    }
    scrolled(time.look, time.room_of(card), time.memory.ladder_scroll,
             [&](const Rect& place) { return draw_time_ladder(time, place); });
}

void draw_l2(const TimeContext& time, const Rect& card) {
    scrolled(time.look, time.room_of(card), time.memory.l2_scroll, [&](Rect place) {
        place.w -= time.look.gap();
        return draw_time_l2(time, place);
    });
}

void draw_changes(const TimeContext& time, const Rect& card) {
    const Rect room = time.room_of(card);
    float& scroll = time.memory.changes_scroll;
    scrolled(time.look, room, scroll, [&](Rect place) {
        place.w -= time.look.gap();
        return draw_time_changes(time, place, room, scroll);
    });
}

// `with_changes`: they have no card of their own.
void draw_time(const TimeContext& time, const Rect& card, bool with_changes) {
    const Rect room = time.room_of(card);
    float& scroll = time.memory.scroll;
    scrolled(time.look, room, scroll, [&](Rect place) {
        const float top = place.y;
        place.w -= time.look.gap();
        place.y += draw_time_headline(time, place);
        place.y += draw_time_pipes(time, place);
        if (with_changes) place.y += time.look.gap();
        if (with_changes) place.y += draw_time_changes(time, place, room, scroll);
        return place.y - top;
    });
}

void draw_view(const TimeContext& time, const Rect& card, TimeView view, PanelMemory& panels) {
    switch (view) {
        case TimeView::kTime:
            return draw_time(time, card, false);
        case TimeView::kChanges:
            return draw_changes(time, card);
        case TimeView::kLines:
            return draw_time_lines(time, card, panels);
        case TimeView::kL2:
            return draw_l2(time, card);
        case TimeView::kLadder:
            return draw_ladder(time, card);
    }
}

// `first`: the first view that has a tab.
void draw_tabs_of(const TimeContext& time, const Rect& room, std::size_t first,
                  PanelMemory& panels) {
    const auto view = std::max(time.memory.view, static_cast<TimeView>(first));
    const Rect card = draw_tabbed_card(
        time.look, "time.views", room, std::span(kViews).subspan(first),
        static_cast<std::size_t>(view) - first, [&](int chosen) {
            time.memory.view = static_cast<TimeView>(static_cast<std::size_t>(chosen) + first);
        });
    draw_view(time, card, view, panels);
}

void draw_columns(const TimeContext& time, const Rect& room, PanelMemory& panels) {
    const Look& look = time.look;
    const float gap = look.gap();
    const float left = std::round(0.235f * room.w), middle = std::round(0.34f * room.w);
    const Rect lines{room.x, room.y, left, room.h};
    const Rect page{lines.right() + gap, room.y, middle, room.h};
    const Rect ladder{page.right() + gap, room.y, room.right() - page.right() - gap, room.h};
    draw_time_lines(time, lines, panels);
    draw_card(look, page);
    draw_time(time, page, true);
    draw_tabs_of(time, ladder, kViews.size() - 2, panels);
}

void draw_two_columns(const TimeContext& time, const Rect& room, PanelMemory& panels) {
    const float gap = time.look.gap(), left = std::round(0.52f * room.w);
    const Rect page{room.x, room.y, left, room.h};
    draw_card(time.look, page);
    draw_time(time, page, false);
    draw_tabs_of(time, {page.right() + gap, room.y, room.w - left - gap, room.h}, 1, panels);
}

// A launch that was saved anew is accented for a moment.
void note_edit(const TimeContext& time) {
    const Recording* const recording = time.workbench.recording();
    const std::uint64_t now = recording == nullptr ? 0 : recording->id;
    if (now == time.memory.recording || time.launch == nullptr) return;
    time.memory.recording = now;
    time.memory.chosen.clear();
    if (time.workbench.former() != nullptr) time.memory.edited_at = time.look.now_seconds;
}

Sentence sentence_of(const TimeContext& time) {
    const Replay* const replay = time.workbench.replay();
    const auto tone_of = [replay](std::string_view name) {
        const std::size_t arrays = replay == nullptr ? 0 : replay->trace().arrays.size();
        for (ArrayId array = 0; array < arrays; ++array)
            if (replay->trace().arrays[array].name == name) return replay->tone_of(array);
        return Tone::kStrong;
    };
    TimeAnswer answer = time.answer == nullptr ? TimeAnswer{} : *time.answer;
    if (time.memory.quiz.asks() && answer.launch) answer.launch->changes.clear();
    return time_sentence(answer, time.gpu, tone_of);
}

}  // namespace

std::vector<const TimeChange*> changes_on_page(const EstimatedLaunch& launch,
                                               const TimeMemory& memory) {
    if (!memory.quiz.asks()) return listed_changes(launch);
    std::vector<const TimeChange*> all;
    for (const TimeChange& change : launch.changes) all.push_back(&change);
    return all;
}

Commands draw_time_page(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory) {
    Commands commands;
    TimeContext time{look, workbench, memory.parts().time, commands, gpu_of(workbench)};
    time.answer = workbench.time_answer();
    if (time.answer != nullptr && time.answer->launch) time.launch = &*time.answer->launch;
    if (time.launch != nullptr) time.speed = speed_of(*time.launch, time.gpu);
    note_edit(time);
    if (const RecordRequest* asked = workbench.timed_request(); time.launch != nullptr)
        time.memory.quiz.follow(*time.launch, asked != nullptr ? *asked : RecordRequest{},
                                time.answer->complete);
    const float em = type_px(look, 14);
    if (room.w >= kThreeColumns * em && room.h >= kThreeRows * em)
        draw_columns(time, room, memory);
    else if (room.w >= kTwoColumns * em)
        draw_two_columns(time, room, memory);
    else
        draw_tabs_of(time, room, 0, memory);
    draw_sentence_text(look, sentence, sentence_of(time));
    return commands;
}

}  // namespace tilereel
