#include "app/panels/timeline/timeline_header.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/recorded_text.h"
#include "app/panels/removed_barrier_text.h"
#include "app/panels/timeline/show_moment.h"
#include "app/replay/navigation.h"
#include "app/ui/menu.h"
#include "app/ui/widgets.h"
#include "app/workbench/playhead.h"

namespace tilereel {
namespace {

std::string speed_text(double factor) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "\xc3\x97%g", factor);
    return text.data();
}

const char* unit_tip() { return "What one step is: a phase, a request or a wavefront"; }

// Returns the x position at which the transport controls end.
float draw_transport(const Look& look, const Rect& header, const Workbench& workbench,
                     Commands& commands) {
    struct Button {
        const char* name;
        Icon icon;
        const char* tip;
        Command command;
    };
    const bool playing = workbench.playing();
    const std::array<Button, 5> buttons = {{
        {"transport.start", Icon::kStart, "To the start (Home)", GoToStart{}},
        {"transport.back", Icon::kBack,
         "One step back (Left); a part: Page Up; a phase: Shift+Page Up", StepBack{}},
        {"transport.play", playing ? Icon::kPause : Icon::kPlay,
         playing ? "Pause (Space)" : "Play (Space)", PlayPause{}},
        {"transport.forward", Icon::kForward,
         "One step on (Right); a part: Page Down; a phase: Shift+Page Down", StepForward{}},
        {"transport.end", Icon::kEnd, "To the end (End)", GoToEnd{}},
    }};
    float x = header.x;
    const float size = header.h, gap = look.snug();
    for (const Button& button : buttons) {
        const bool accent = button.icon == Icon::kPlay || button.icon == Icon::kPause;
        if (icon_button(look, button.name, {x, header.y, size, size}, button.icon, accent,
                        button.tip))
            commands.push_back(button.command);
        x += size + gap;
    }
    return x - gap;
}

float draw_units(const Look& look, const Rect& header, float x, const Workbench& workbench,
                 Commands& commands) {
    constexpr std::array<std::string_view, 3> kUnits = {"phase", "request", "wavefront"};
    constexpr std::array<StepUnit, 3> kValues = {StepUnit::kPhase, StepUnit::kRequest,
                                                 StepUnit::kWavefront};
    const float px = look.font_px(15);
    float width = 0;
    for (const std::string_view unit : kUnits)
        width += text_width(unit, Face::kRegular, px) + look.px(look.narrow ? 14 : 28);
    const auto current = static_cast<int>(
        std::find(kValues.begin(), kValues.end(), workbench.unit()) - kValues.begin());
    const int clicked =
        segmented(look, "unit", {x, header.y, width, header.h}, kUnits, current, unit_tip());
    if (clicked >= 0) commands.push_back(SetUnit{kValues[static_cast<std::size_t>(clicked)]});
    return x + width;
}

float draw_speed(const Look& look, const Rect& header, float x, const Workbench& workbench,
                 Commands& commands) {
    const std::span<const double> speeds = offered_speeds();
    std::vector<std::string> choices;
    for (const double speed : speeds) choices.push_back(speed_text(speed));
    const auto current = static_cast<int>(
        std::find(speeds.begin(), speeds.end(), workbench.speed()) - speeds.begin());
    const float width = text_width("speed", Face::kRegular, look.font_px(14)) +
                        text_width(
                            "\xc3\x97"
                            "0.25",
                            Face::kSemiBold, look.font_px(15)) +
                        look.px(look.narrow ? 28 : 34);
    const bool motion = workbench.view().motion;
    choices.emplace_back(motion ? "no motion" : "motion");
    const int chosen =
        choice_chip(look, "chip.speed", {x, header.y, width, header.h}, "speed", choices, current,
                    "Speed: [ slower, ] faster; Z: motion off, on");
    if (chosen == static_cast<int>(speeds.size()))
        commands.push_back(SetMotion{!motion});
    else if (chosen >= 0)
        commands.push_back(SetSpeed{speeds[static_cast<std::size_t>(chosen)]});
    return x + width;
}

struct Destination {
    const char* words;
    std::optional<Landmark> landmark{};
    int direction = 1;
    Command command = PartForward{};  // used if there is no landmark
    bool asks = false;                // opens the go-to prompt
};
const std::array<Destination, 12>& destinations() {
    static const std::array<Destination, 12> kAll = {{
        {.words = "tick, line, block, warp, lane: J", .asks = true},
        {.words = "next part: Page Down"},
        {.words = "previous part: Page Up", .command = PartBack{}},
        {.words = "next phase: Shift+Page Down", .command = PhaseForward{}},
        {.words = "previous phase: Shift+Page Up", .command = PhaseBack{}},
        {.words = "next conflict: N", .landmark = Landmark::kConflict},
        {.words = "previous conflict: Shift+N", .landmark = Landmark::kConflict, .direction = -1},
        {.words = "next barrier: G", .landmark = Landmark::kBarrier},
        {.words = "previous barrier: Shift+G", .landmark = Landmark::kBarrier, .direction = -1},
        {.words = "next finding: E", .landmark = Landmark::kFinding},
        {.words = "previous finding: Shift+E", .landmark = Landmark::kFinding, .direction = -1},
        {.words = "as opened: Shift+Home", .command = BackToOpening{}},
    }};
    return kAll;
}

void choose_destination(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory, Commands& commands) {
    std::vector<MenuRow> rows;
    for (const Destination& destination : destinations())
        rows.push_back({.name = destination.words, .title = destination.words});
    const int chosen = menu_chip(look, "chip.go", rect, "", "go to", rows,
                                 "The next part, conflict, barrier or finding")
                           .row;
    if (chosen < 0) return;
    const Destination& to = destinations()[static_cast<std::size_t>(chosen)];
    if (to.asks) return memory.open_go_to();
    if (!to.landmark) return commands.push_back(to.command);
    const Commands found = go_to_landmark(workbench, *to.landmark, to.direction);
    if (found.empty()) memory.show_notice(no_landmark(*to.landmark, to.direction));
    append(commands, found);
}

const char* heat_words(Heat heat) {
    return heat == Heat::kGlobal ? "heat: global" : heat == Heat::kShared ? "heat: shared" : "heat";
}

// Draws "go to", "loop" and "heat" if they fit before `right`. Returns the x position at which they
// end.
float draw_go_to(const Look& look, const Rect& header, float x, float right,
                 const Workbench& workbench, PanelMemory& memory, Commands& commands) {
    const float gap = look.px(10);
    const float go = text_width("go to", Face::kSemiBold, look.font_px(15)) + look.px(30);
    const float loop = text_width("loop", Face::kRegular, look.font_px(15)) + look.px(28);
    if (x + go > right) return x;
    choose_destination(look, {x, header.y, go, header.h}, workbench, memory, commands);
    x += go + gap;
    if (x + loop > right) return x;
    if (text_button(look, "transport.loop", {x, header.y, loop, header.h}, "loop",
                    workbench.looping(),
                    workbench.looping() ? "Go on after this phase (A)" : "Repeat one phase (A)"))
        commands.push_back(ToggleLoop{});
    x += loop + gap;
    const Heat heat = workbench.view().heat;
    const float width =
        text_width(heat_words(heat), Face::kRegular, look.font_px(15)) + look.px(28);
    if (x + width > right) return x;
    if (text_button(look, "view.heat", {x, header.y, width, header.h}, heat_words(heat),
                    heat != Heat::kOff,
                    "How often each element was read: from global memory, from shared memory (U)"))
        commands.push_back(ShowHeat{static_cast<Heat>((static_cast<int>(heat) + 1) % 3)});
    return x + width + gap;
}

// Draws that two compared replays are in lock-step.
void draw_lock_step(const Look& look, const Rect& header, float left) {
    const float px = type_px(look, 14);
    for (const char* words : {"lock-step: both sides stand at the same request", "lock-step"}) {
        if (text_width(words, Face::kRegular, px) > header.right() - left) continue;
        draw_text({header.right(), header.center().y}, words,
                  {Face::kRegular, px, look.colors().ink3, Align::kRight});
        return;
    }
}

// Draws "tick 19 of 58 modelled: ..." right-aligned, and as much of it as fits.
void draw_tick(const Look& look, const Rect& header, float left, const Workbench& workbench) {
    const Replay* replay = workbench.replay();
    if (replay == nullptr) return;
    const Palette& colors = look.colors();
    if (workbench.lock_step() != nullptr) return draw_lock_step(look, header, left);
    const Launch& launch = replay->trace().launch;
    const bool complete = replay->trace().complete, left_out = launch.removed_barrier != 0;
    const std::string left_out_and_order = left_out_and_order_text(launch);
    const std::string only_left_out = left_out_text(launch);
    const std::array<std::string_view, 4> left_out_notes = {left_out_and_order, only_left_out,
                                                            only_left_out, ""};
    const std::string long_time = long_time_text(*replay), time = time_text(*replay);
    const std::array<std::string_view, 4> notes = {
        long_time, time, replay->schedule().cycles_per_tick == 0 ? "modelled" : "measured", ""};
    const std::array<std::string_view, 4> cut_notes = {"incomplete: the recording was cut off",
                                                       "incomplete: cut off", "incomplete", ""};
    const float small = type_px(look, 14), big = type_px(look, 16);
    // Ticks are shown counted from 1: the running tick, or at the end the last one.
    const Tick shown = std::min(replay->state().tick + 1, replay->schedule().ticks);
    const std::string now = "tick " + with_commas(shown);
    const std::string of = " of " + with_commas(replay->schedule().ticks);
    const float figures = text_width(now, Face::kMonoBold, big) + text_width(of, Face::kMono, big);
    const float middle = header.center().y, gap = look.px(28);
    float right = header.right();
    for (const std::string_view note : !complete ? cut_notes : left_out ? left_out_notes : notes) {
        const float width = note.empty() ? 0 : text_width(note, Face::kRegular, small) + gap;
        if (!note.empty() && right - width - figures < left + gap) continue;
        if (!note.empty())
            register_widget(!complete                                ? "timeline.incomplete"
                            : left_out                               ? "timeline.left_out"
                            : replay->schedule().cycles_per_tick > 0 ? "timeline.measured"
                                                                     : "timeline.modelled",
                            {right - width + gap, header.y, width - gap, header.h});
        draw_text({right, middle}, note,
                  {left_out ? Face::kSemiBold : Face::kRegular, small,
                   complete && !left_out ? colors.ink3 : colors.ink, Align::kRight});
        right -= width;
        break;
    }
    if (right - figures < left) {  // only the tick itself
        draw_text_fit({left, middle}, right - left, now, {Face::kMonoBold, big, colors.ink});
        return;
    }
    const float x = right - figures;
    draw_text({x, middle}, now, {Face::kMonoBold, big, colors.ink});
    draw_text({right, middle}, of, {Face::kMono, big, colors.ink2, Align::kRight});
}

// The width that the largest tick and a note such as "incomplete" need.
float least_tick_width(const Look& look, const Workbench& workbench) {
    const Replay* replay = workbench.replay();
    const std::string ticks = with_commas(replay == nullptr ? 0 : replay->schedule().ticks);
    return text_width("tick " + ticks + " of " + ticks, Face::kMonoBold, type_px(look, 16)) +
           text_width("incomplete", Face::kRegular, type_px(look, 14)) + look.px(56);
}

}  // namespace

Commands draw_timeline_header(const Look& look, const Rect& header, const Workbench& workbench,
                              PanelMemory& memory) {
    Commands commands;
    float x = draw_transport(look, header, workbench, commands) + look.px(20);
    const bool room = header.w > look.px(1468) + 20 * extra_px(look);
    if (room)
        x += draw_text({x + look.gap(), header.center().y}, "step",
                       {Face::kRegular, type_px(look, 14), look.colors().ink3}) +
             look.px(18);
    x = draw_units(look, header, x, workbench, commands) + look.px(18);
    x = draw_speed(look, header, x, workbench, commands) + look.px(18);
    // The tick and its note take precedence over "go to", "loop" and "heat".
    x = draw_go_to(look, header, x, header.right() - least_tick_width(look, workbench), workbench,
                   memory, commands);
    draw_tick(look, header, x, workbench);
    return commands;
}

}  // namespace tilereel
