// What the menu of a right click offers.
#include <algorithm>
#include <charconv>

#include "app/panels/panel_memory.h"
#include "app/panels/race/race_views.h"
#include "app/panels/source/source_place.h"
#include "app/panels/timeline/show_moment.h"
#include "app/replay/arrays/element_uses.h"
#include "app/shell/context_menu.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/widget_registry.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// Goes to a tick and pauses there.
Commands go_to_tick(const Workbench& workbench, double tick) {
    Commands commands;
    if (workbench.playing()) commands.emplace_back(PlayPause{});
    commands.emplace_back(SeekTo{tick, false});
    return commands;
}

ContextMenu::Effect goes_to(const ContextPlace& place, std::uint32_t step) {
    const auto tick = static_cast<double>(place.workbench.replay()->schedule().steps[step].begin);
    return [&workbench = place.workbench, tick] { return go_to_tick(workbench, tick); };
}

ContextMenu::Effect copies(const ContextPlace& place, std::string text) {
    return [&panels = place.panels, text = std::move(text)] {
        ImGui::SetClipboardText(text.c_str());
        panels.show_notice("Copied: " + text);
        return Commands{};
    };
}

std::string moment_of(const Replay& replay, std::uint32_t step) {
    return "tick " + with_commas(replay.schedule().steps[step].begin + 1);
}

// An element: its accesses, the lane that makes the next one, and its value. `title`: "As[2][3] =
// 0.5".
void add_element(ContextMenu& menu, const ContextPlace& place, const std::string& title,
                 const std::vector<ElementUse>& uses) {
    const Replay& replay = *place.workbench.replay();
    const Tick now = replay.state().tick;
    const auto begin = [&](const ElementUse& use) {
        return replay.schedule().steps[use.step].begin;
    };
    menu.heading(title);
    if (const auto next = next_use(replay, uses, now)) {
        const bool later = begin(*next) > now;
        menu.add("next_access", later ? "Go to its next access" : "Go to its first access",
                 moment_of(replay, next->step), goes_to(place, next->step));
        const auto former = std::ranges::find_if(
            uses.rbegin(), uses.rend(), [&](const ElementUse& use) { return begin(use) < now; });
        if (former != uses.rend())
            menu.add("former_access", "Go to its previous access", moment_of(replay, former->step),
                     goes_to(place, former->step));
        if (begin(uses.back()) > now && uses.back().step != next->step)
            menu.add("last_access", "Go to its last access", moment_of(replay, uses.back().step),
                     goes_to(place, uses.back().step));
        const std::uint32_t warp = replay.schedule().steps[next->step].warp;
        const std::uint32_t lane = next->first_lane;
        menu.add("follow",
                 "Follow lane " + std::to_string(lane) + " of warp " + std::to_string(warp), "Y",
                 [warp, lane] {
                     return Commands{ChooseWarp{warp}, ChooseLane{lane}};
                 });
    }
    menu.add("copy", "Copy " + title, "", copies(place, title));
}

// The requests of a source line in the watched block.
void add_line(ContextMenu& menu, const ContextPlace& place, std::uint32_t line) {
    const Replay& replay = *place.workbench.replay();
    const Tick now = replay.state().tick;
    std::optional<std::uint32_t> first, former, next;
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        const Step& step = replay.schedule().steps[i];
        const Site& site = replay.trace().sites[step.site];
        if (site.line != line || site.file != 0) continue;
        if (!first) first = i;
        if (step.begin < now) former = i;
        if (step.begin > now && !next) next = i;
    }
    menu.heading("line " + std::to_string(line));
    if (next)
        menu.add("next_on_line", "Next request on this line", moment_of(replay, *next),
                 goes_to(place, *next));
    if (former)
        menu.add("former_on_line", "Previous request on this line", moment_of(replay, *former),
                 goes_to(place, *former));
    if (first && first != former && first != next)
        menu.add("first_on_line", "First request on this line", moment_of(replay, *first),
                 goes_to(place, *first));
    if (!first) menu.heading("no request on this line in this block");
    std::string text(source_line(replay.trace(), line, 0));
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    if (!text.empty()) menu.add("copy_line", "Copy the line", "", copies(place, text));
    if (const auto own = source_place(place.workbench))
        menu.add("editor", "Open it in my editor", "Ctrl+E", OpenInEditor{own->file, line});
}

// Jumps from the present moment.
void add_jumps(ContextMenu& menu, const ContextPlace& place) {
    struct Jump {
        const char *name, *title, *key;
        JumpTarget target;
    };
    for (const Jump& jump :
         {Jump{"next_conflict", "Next bank conflict", "N", JumpTarget::kConflict},
          Jump{"next_barrier", "Next barrier", "G", JumpTarget::kBarrier},
          Jump{"next_finding", "Next finding", "E", JumpTarget::kFinding}})
        if (Commands commands = jump_to(place.workbench, jump.target, +1); !commands.empty())
            menu.add(jump.name, jump.title, jump.key,
                     [commands = std::move(commands)] { return commands; });
    menu.add("loop", place.workbench.looping() ? "Go on after the phase" : "Repeat the phase", "A",
             ToggleLoop{});
}

void add_tick(ContextMenu& menu, const ContextPlace& place, double tick) {
    const std::string name = "tick " + with_commas(static_cast<std::uint64_t>(tick) + 1);
    menu.heading(name);
    menu.add("go_to_tick", "Go to " + name, "",
             [&workbench = place.workbench, tick] { return go_to_tick(workbench, tick); });
    menu.add("play_from", "Play from here", "", [&workbench = place.workbench, tick] {
        Commands commands = go_to_tick(workbench, tick);
        commands.emplace_back(PlayPause{});
        return commands;
    });
    menu.heading("from now on");
    add_jumps(menu, place);
}

void add_contender(ContextMenu& menu, const ContextPlace& place, std::uint32_t c) {
    const RaceBench& races = place.workbench.races();
    const Contender& contender = races.shown()->race.request.contenders[c];
    const RaceLines& lines = races.view().lines;
    const bool only = lines.only() == c, looked_at = races.view().contender == c;
    const LineShown shown = lines.shown(c);
    menu.heading(short_name(contender));
    if (find_kernel(contender.kernel) != nullptr)
        menu.add("replay", "Replay it", "",
                 WatchKernel{contender.kernel, parameters_to_watch(contender)});
    menu.add("look", looked_at ? "No longer look at it" : "Look at it", "",
             RaceAction{SelectPoint{c, std::nullopt}});
    menu.add("only", only ? "Show the other lines again" : "Show only its line", "",
             RaceAction{SoloLine{c}});
    if (!only)
        menu.add("strong",
                 shown == LineShown::kStrong ? "Draw its line thin" : "Draw its line in a colour",
                 "", RaceAction{HighlightLine{c}});
    menu.add("hide", shown == LineShown::kHidden ? "Show its line" : "Hide its line", "",
             RaceAction{ToggleLine{c}});
    menu.add("lines", "Choose lines", "L", [] {
        focus_control("race.lines");
        return Commands{};
    });
}

// The contender of the widget under the pointer: a row, a name, a bar or a point.
std::optional<std::uint32_t> contender_at(const RaceBench& races, ImVec2 mouse) {
    if (races.shown() == nullptr) return std::nullopt;
    std::optional<std::uint32_t> found;
    for_each_widget([&](std::string_view name, const Rect& rect) {
        if (!rect.contains(mouse)) return;
        for (const std::string_view kind : {"race.row.", "race.table.line.", "race.line.",
                                            "race.bar.", "race.point.", "race.roof."}) {
            if (!name.starts_with(kind)) continue;
            const std::string_view rest = name.substr(kind.size());
            std::uint32_t c = 0;
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), c);
            const bool whole = end == rest.data() + rest.size() || *end == '.';
            if (error == std::errc() && whole && c < races.shown()->race.request.contenders.size())
                found = c;
        }
    });
    return found;
}

// The source line of the running request.
void add_running_line(ContextMenu& menu, const ContextPlace& place) {
    const Replay& replay = *place.workbench.replay();
    const ReplayState& state = replay.state();
    const std::uint32_t step = state.step != kNoStep ? state.step : state.request.step;
    if (step == kNoStep) return;
    const Site& site = replay.trace().sites[replay.schedule().steps[step].site];
    if (site.file == 0 && site.line > 0) add_line(menu, place, site.line);
}

bool has_menus(const Workbench& workbench) {
    const ViewState& view = workbench.view();
    return !view.help && !view.introduction && !view.presenting && !workbench.comparing();
}

bool replays(const Workbench& workbench) {
    return workbench.view().mode == WindowMode::kReplay && workbench.replay() != nullptr &&
           !workbench.replay()->schedule().steps.empty();
}

}  // namespace

std::optional<ContextMenu> context_menu_at(const ContextPlace& place, ImVec2 mouse) {
    const Workbench& workbench = place.workbench;
    if (!has_menus(workbench)) return std::nullopt;
    ContextMenu menu;
    menu.at = {mouse.x, mouse.y, 0, 0};
    const auto& parts = place.panels.parts();
    if (workbench.view().mode == WindowMode::kRace) {
        if (const auto c = contender_at(workbench.races(), mouse)) add_contender(menu, place, *c);
    } else if (replays(workbench)) {
        const StageView::PointedElement& element = place.stage.pointed_element;
        if (element.now && element.replay == workbench.replay()->id())
            add_element(menu, place, element.title, element.uses);
        else if (parts.source.pointed_line > 0)
            add_line(menu, place, parts.source.pointed_line);
        else if (parts.timeline.pointed_tick)
            add_tick(menu, place, *parts.timeline.pointed_tick);
    }
    if (menu.empty()) return std::nullopt;
    return menu;
}

std::optional<ContextMenu> context_menu_by_key(const ContextPlace& place) {
    const Workbench& workbench = place.workbench;
    if (!has_menus(workbench)) return std::nullopt;
    ContextMenu menu;
    const bool race = workbench.view().mode == WindowMode::kRace;
    // The sentence has room above it in every window.
    menu.widget = race ? "race.picture" : "sentence";
    if (race && workbench.races().focus()) {
        add_contender(menu, place, *workbench.races().focus());
    } else if (replays(workbench)) {
        add_running_line(menu, place);
        menu.heading("from now on");
        add_jumps(menu, place);
    }
    if (menu.empty()) return std::nullopt;
    return menu;
}

void forget_pointed(StageView& stage, PanelMemory& panels) {
    stage.pointed_element.now = false;
    panels.parts().source.pointed_line = 0;
    panels.parts().timeline.pointed_tick.reset();
}

}  // namespace tilereel
