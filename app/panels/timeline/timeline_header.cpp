#include "app/panels/timeline/timeline_header.h"

#include <algorithm>
#include <array>

#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/recorded_text.h"
#include "app/panels/removed_barrier_text.h"
#include "app/panels/timeline/show_moment.h"
#include "app/panels/timeline/timeline_roles.h"
#include "app/replay/places/navigation.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/playhead.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

std::string speed_text(double factor) { return printed("\xc3\x97%g", factor); }

struct Destination {
    const char* words;
    std::optional<JumpTarget> target{};
    int direction = 1;
    Command command = PartForward{};  // used if there is no target
    bool asks = false;                // opens the go-to prompt
};
const std::array<Destination, 12>& destinations() {
    static const std::array<Destination, 12> kAll = {{
        {.words = "tick, line, block, warp, lane: J", .asks = true},
        {.words = "next part: Page Down"},
        {.words = "previous part: Page Up", .command = PartBack{}},
        {.words = "next phase: Shift+Page Down", .command = PhaseForward{}},
        {.words = "previous phase: Shift+Page Up", .command = PhaseBack{}},
        {.words = "next conflict: N", .target = JumpTarget::kConflict},
        {.words = "previous conflict: Shift+N", .target = JumpTarget::kConflict, .direction = -1},
        {.words = "next barrier: G", .target = JumpTarget::kBarrier},
        {.words = "previous barrier: Shift+G", .target = JumpTarget::kBarrier, .direction = -1},
        {.words = "next finding: E", .target = JumpTarget::kFinding},
        {.words = "previous finding: Shift+E", .target = JumpTarget::kFinding, .direction = -1},
        {.words = "as opened: Shift+Home", .command = BackToOpening{}},
    }};
    return kAll;
}

const char* heat_words(Heat heat) {
    return heat == Heat::kGlobal ? "heat: global" : heat == Heat::kShared ? "heat: shared" : "heat";
}

// What stands beside the tick: the longest words that fit. The tip has the longer words in any
// case.
struct TickNote {
    const char* widget;
    std::string words, short_words;
    bool strong = false;
    std::string shortest{};  // empty: the note may be left out
    std::string tip{};       // empty: the longer words
};
TickNote note_of(const Workbench& workbench, const Replay& replay, const RoleWait* waiting) {
    const Launch& launch = replay.trace().launch;
    if (workbench.lock_step() != nullptr)
        return {"timeline.lock_step", "lock-step: both sides stand at the same request",
                "lock-step"};
    if (!replay.trace().complete)
        return {"timeline.incomplete", "incomplete: the recording was cut off", "incomplete", true,
                "incomplete"};
    if (!replay.trace().chosen_blocks.empty() && !workbench.shows_program()) {
        const std::string words = with_commas(replay.trace().chosen_blocks.size()) + " of " +
                                  with_commas(launch.grid.count()) + " blocks";
        const std::string& judged = workbench.recording()->judged_part;
        const std::string recorded = words + " recorded";
        return {"timeline.in_part",
                recorded,
                words,
                true,
                "recorded in part",
                judged.empty() ? recorded : recorded + ". " + judged};
    }
    if (launch.removed_barrier != 0)
        return {"timeline.left_out", left_out_and_order_text(launch), left_out_text(launch), true};
    if (waiting != nullptr)
        return {"timeline.waiting",
                waiting->words,
                waiting->words.substr(0, waiting->words.find(':')),
                true,
                {},
                waiting->words};
    if (replay.schedule().cycles_per_tick > 0)
        return {"timeline.measured", long_time_text(replay), "measured"};
    return {"timeline.modelled", long_time_text(replay), "modelled"};
}

// Places the controls from left to right, and the tick at the right.
class Header {
  public:
    Header(const Look& look, const Rect& row, const Workbench& workbench, PanelMemory& memory,
           Commands& commands)
        : look_(look), room_(row), workbench_(workbench), memory_(memory), commands_(commands) {}

    void transport() {
        struct Button {
            const char* name;
            Icon icon;
            const char* tip;
            Command command;
            bool accent = false;
        };
        const bool playing = workbench_.playing();
        const std::array<Button, 5> buttons = {{
            {"transport.start", Icon::kStart, "To the start (Home)", GoToStart{}},
            {"transport.back", Icon::kBack,
             "One step back (Left); a part: Page Up; a phase: Shift+Page Up", StepBack{}},
            {"transport.play", playing ? Icon::kPause : Icon::kPlay,
             playing ? "Pause (Space)" : "Play (Space)", PlayPause{}, true},
            {"transport.forward", Icon::kForward,
             "One step on (Right); a part: Page Down; a phase: Shift+Page Down", StepForward{}},
            {"transport.end", Icon::kEnd, "To the end (End)", GoToEnd{}},
        }};
        for (const Button& each : buttons)
            if (icon_button(look_, each.name, take(room_.h, look_.snug()), each.icon, each.accent,
                            each.tip))
                commands_.push_back(each.command);
        take(look_.snug(), look_.gap());
    }

    void units() {
        constexpr std::array<std::string_view, 3> kUnits = {"phase", "request",
                                                            "wavefront"};  // by StepUnit
        float width = 0;
        for (const std::string_view unit : kUnits)
            width += text_width(unit, Face::kRegular, look_.font_px(15)) +
                     look_.px(look_.narrow ? 14 : 28);
        const int clicked = segmented(look_, "unit", take(width, look_.pad()), kUnits,
                                      static_cast<int>(workbench_.unit()),
                                      "What one step is: a phase, a request or a wavefront");
        if (clicked >= 0) commands_.push_back(SetUnit{static_cast<StepUnit>(clicked)});
    }

    void speed() {
        const std::span<const double> speeds = offered_speeds();
        std::vector<std::string> choices;
        for (const double each : speeds) choices.push_back(speed_text(each));
        const auto current = std::ranges::find(speeds, workbench_.speed()) - speeds.begin();
        const bool motion = workbench_.view().motion;
        choices.emplace_back(motion ? "no motion" : "motion");
        // The tick takes precedence over the caption, then over the control, which has keys.
        const auto width_with = [&](std::string_view caption) {
            return value_chip_width(look_, caption, speed_text(0.25)) + look_.pad();
        };
        const char* const caption = leaves_the_tick(width_with("speed")) ? "speed" : "";
        if (!leaves_the_tick(width_with(caption))) return;
        const float width = width_with(caption) - look_.pad();
        const int chosen =
            choice_chip(look_, "chip.speed", take(width, look_.pad()), caption, choices,
                        static_cast<int>(current), "Speed: [ slower, ] faster; Z: motion off, on");
        if (chosen == static_cast<int>(speeds.size()))
            commands_.push_back(SetMotion{!motion});
        else if (chosen >= 0)
            commands_.push_back(SetSpeed{speeds[static_cast<std::size_t>(chosen)]});
    }

    void go_to() {
        const float width = button_width(look_, "go to", 30);
        if (!has_room(width)) return;
        std::vector<MenuRow> rows;
        for (const Destination& destination : destinations())
            rows.push_back({.name = destination.words, .title = destination.words});
        const int chosen = menu_chip(look_, "chip.go", take(width, look_.gap()), "", "go to", rows,
                                     "The next part, conflict, barrier or finding")
                               .row;
        if (chosen < 0) return;
        const Destination& to = destinations()[static_cast<std::size_t>(chosen)];
        if (to.asks) return memory_.open_go_to();
        if (!to.target) return commands_.push_back(to.command);
        if (const std::string why = findings_to_come_text(workbench_);
            *to.target == JumpTarget::kFinding && !why.empty())
            return memory_.show_notice(why);
        const Commands found = jump_to(workbench_, *to.target, to.direction);
        if (found.empty())
            memory_.show_notice(no_jump_target_text(workbench_, *to.target, to.direction));
        append(commands_, found);
    }

    void loop_and_heat() {
        const bool loops = workbench_.looping();
        if (button("transport.loop", "loop", loops,
                   loops ? "Go on after this phase (A)" : "Repeat one phase (A)"))
            commands_.push_back(ToggleLoop{});
        const Heat heat = workbench_.view().heat;
        if (button("view.heat", heat_words(heat), heat != Heat::kOff,
                   "How often each element was read: from global memory, from shared memory (U)"))
            commands_.push_back(ShowHeat{static_cast<Heat>((static_cast<int>(heat) + 1) % 3)});
    }

    // Draws "tick 19 of 58 modelled" right-aligned.
    void tick() {
        const Replay* replay = workbench_.replay();
        if (replay == nullptr) return;
        const Palette& colors = look_.colors();
        const TickNote note = this->note(*replay);
        const float small = type_px(look_, 14), gap = look_.margin();
        const Face face = note.strong ? Face::kSemiBold : Face::kRegular;
        float right = room_.right();
        const std::array<std::string_view, 3> choices = {note.words, note.short_words,
                                                         note.shortest};
        std::string_view words =
            first_that_fits(choices, room_.w - figures_width() - 2 * gap, face, small);
        if (words.empty()) words = note.shortest;  // then the tick is shortened
        if (!words.empty()) {
            const float width = text_width(words, face, small);
            const Rect place{right - width, room_.y, width, room_.h};
            interact(look_, note.widget, place, note.tip.empty() ? note.words : note.tip);
            draw_text({right, place.center().y}, words,
                      {face, small, note.strong ? colors.ink : colors.ink3, Align::kRight});
            right = place.x - gap;
        }
        if (workbench_.lock_step() != nullptr) return;
        // Ticks are shown counted from 1: the running tick, or at the end the last one.
        const Tick shown = std::min(replay->state().tick + 1, replay->schedule().ticks);
        std::string now = "tick " + with_commas(shown);
        const std::string of = " of " + with_commas(replay->schedule().ticks);
        const float room = right - room_.x;
        const auto width_at = [&](float px) { return text_width(now + of, Face::kMonoBold, px); };
        float big = type_px(look_, 16);
        if (width_at(big) > room) now = with_commas(shown);
        big *= std::min(1.0f, room / width_at(big));
        const float middle = room_.center().y, end = right;
        right -= draw_text({right, middle}, of, {Face::kMono, big, colors.ink2, Align::kRight});
        right -= draw_text({right, middle}, now, {Face::kMonoBold, big, colors.ink, Align::kRight});
        register_widget("timeline.tick", {right, middle - big / 2, end - right, big});
    }

  private:
    Rect take(float width, float gap) {
        const Rect place{room_.x, room_.y, width, room_.h};
        room_.x += width + gap;
        room_.w -= width + gap;
        return place;
    }
    [[nodiscard]] TickNote note(const Replay& replay) const {
        const TimelineMemory& timeline = memory_.parts().timeline;
        const double share =
            workbench_.position() / static_cast<double>(std::max<Tick>(1, replay.schedule().ticks));
        const RoleWait* const waiting =
            timeline.replay == replay.id()
                ? waiting_at(timeline.tracks, static_cast<float>(share * timeline.width))
                : nullptr;
        return note_of(workbench_, replay, waiting);
    }
    // Whether a control of this width leaves room for the tick, and for a note without which the
    // replay would be taken for a whole one.
    [[nodiscard]] bool leaves_the_tick(float width) const {
        if (workbench_.lock_step() != nullptr) return true;
        const float needed = needed_note_width();
        if (needed > 0) width += needed + 2 * look_.margin();
        return width + figures_width() <= room_.w;
    }
    // The tick and a short note take precedence over the last controls.
    [[nodiscard]] bool has_room(float width) const {
        const float usual = text_width("incomplete", Face::kRegular, type_px(look_, 14));
        const float needed = needed_note_width() + look_.margin();
        return width + figures_width() + look_.margin() + std::max(usual, needed) <= room_.w;
    }
    // Of a note that may not be left out; 0: it may.
    [[nodiscard]] float needed_note_width() const {
        const Replay* const replay = workbench_.replay();
        const std::string shortest = replay == nullptr ? "" : note(*replay).shortest;
        return shortest.empty() ? 0 : text_width(shortest, Face::kSemiBold, type_px(look_, 14));
    }
    [[nodiscard]] float figures_width() const {
        const Replay* replay = workbench_.replay();
        const std::string ticks = with_commas(replay == nullptr ? 0 : replay->schedule().ticks);
        return text_width("tick " + ticks + " of " + ticks, Face::kMonoBold, type_px(look_, 16));
    }
    bool button(std::string_view name, std::string_view label, bool pressed, std::string_view tip) {
        const float width = button_width(look_, label);
        return has_room(width) &&
               text_button(look_, name, take(width, look_.gap()), label, pressed, tip);
    }

    const Look& look_;
    Rect room_;
    const Workbench& workbench_;
    PanelMemory& memory_;
    Commands& commands_;
};

}  // namespace

Commands draw_timeline_header(const Look& look, const Rect& header, const Workbench& workbench,
                              PanelMemory& memory) {
    Commands commands;
    Header row(look, header, workbench, memory, commands);
    row.transport();
    row.units();
    row.speed();
    row.go_to();
    row.loop_and_heat();
    row.tick();
    return commands;
}

}  // namespace tilereel
