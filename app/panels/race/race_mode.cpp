// The layout of the Race mode.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/panels/tab_row.h"

namespace tilereel {
namespace {

// The plots and the views of a race, and the tabs if only one view fits. What is no product has
// fewer.
template <class View>
struct ViewTab {
    TabWord word;
    View view;
};
constexpr auto kPlots = std::to_array<ViewTab<RacePlot>>({{{"GFLOPS"}, RacePlot::kGflops},
                                                          {{"Speed-up"}, RacePlot::kSpeedUp},
                                                          {{"Bandwidth"}, RacePlot::kBandwidth},
                                                          {{"Sweep"}, RacePlot::kSweep}});
constexpr auto kWorkPlots =
    std::to_array<ViewTab<RacePlot>>({{{"GB/s"}, RacePlot::kGflops}, {{"Time"}, RacePlot::kTime}});
constexpr auto kSides = std::to_array<ViewTab<RaceSide>>({{{"Roofline"}, RaceSide::kRoofline},
                                                          {{"Occupancy"}, RaceSide::kOccupancy},
                                                          {{"Next race"}, RaceSide::kSetup}});
constexpr auto kWorkSides = std::to_array<ViewTab<RaceSide>>({{{"Next race"}, RaceSide::kSetup}});
constexpr auto kRaceTabs = std::to_array<ViewTab<RaceTab>>({{{"GFLOPS"}, RaceTab::kGflops},
                                                            {{"Table"}, RaceTab::kTable},
                                                            {{"Roofline"}, RaceTab::kRoofline},
                                                            {{"Speed-up"}, RaceTab::kSpeedUp},
                                                            {{"Bandwidth"}, RaceTab::kBandwidth},
                                                            {{"Sweep"}, RaceTab::kSweep},
                                                            {{"Occupancy"}, RaceTab::kOccupancy},
                                                            {{"Next race"}, RaceTab::kNextRace},
                                                            {{"Run"}, RaceTab::kRun}});
constexpr auto kWorkTabs = std::to_array<ViewTab<RaceTab>>({{{"GB/s"}, RaceTab::kGflops},
                                                            {{"Table"}, RaceTab::kTable},
                                                            {{"Time"}, RaceTab::kTime},
                                                            {{"Next race"}, RaceTab::kNextRace},
                                                            {{"Run"}, RaceTab::kRun}});

// Draws a card with tabs. Returns the room below them; a click calls choose(view).
template <class View>
Rect draw_view_tabs(const RaceContext& race, const std::string& bar, const Rect& card,
                    std::span<const ViewTab<View>> tabs, View current,
                    const std::function<void(View)>& choose) {
    std::vector<TabWord> words;
    std::size_t at = 0;
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        words.push_back(tabs[i].word);
        if (tabs[i].view == current) at = i;
    }
    return draw_tabbed_card(race.look, bar, card, words, at, [&](int chosen) {
        choose(tabs[static_cast<std::size_t>(chosen)].view);
    });
}

template <class View, std::size_t A, std::size_t B>
std::span<const ViewTab<View>> tabs_of(const RaceContext& race,
                                       const std::array<ViewTab<View>, A>& products,
                                       const std::array<ViewTab<View>, B>& work) {
    if (race.of_products()) return products;
    return work;
}

// The view of those that the race has.
RaceSide side_of(const RaceContext& race) {
    return race.of_products() ? race.bench.view().side : RaceSide::kSetup;
}
RaceTab tab_of(const RaceContext& race) {
    const RaceTab tab = race.bench.view().tab;
    const auto tabs = tabs_of(race, kRaceTabs, kWorkTabs);
    return std::ranges::count(tabs, tab, &ViewTab<RaceTab>::view) > 0 ? tab : RaceTab::kGflops;
}

// In multiples of the body font size. A smaller room shows one view at a time.
constexpr float kLeastColumns = 82, kLeastRows = 38;
constexpr double kGuardSeconds = 1;  // a second click on Cancel is expected this soon

void draw_nothing(const RaceContext& race, const Rect& card) {
    const CardTitle title = draw_race_title(race, card, "Race", "");
    draw_paragraph(title.room.min(), title.room.w,
                   "Here kernels run at full speed and their GFLOPS are drawn as they come: the "
                   "same kernels, TILE and PAD that the replay shows. Press \"Race here\", or open "
                   "a recorded race at the top.",
                   {Face::kRegular, race.type(16), race.colors().ink2});
}

void draw_plot_card(const RaceContext& race, const Rect& card) {
    register_widget("race.picture", card);
    if (race.plot() == RacePlot::kSweep)
        draw_race_sweep(race, card);
    else if (race.shown != nullptr)
        draw_race_plot(race, card);
    else
        draw_nothing(race, card);
}

void draw_side(const RaceContext& race, const Rect& card, RaceSide side, RaceMemory& memory) {
    if (side == RaceSide::kSetup)
        draw_race_setup(race, card, memory.side_scroll);
    else if (race.shown == nullptr)
        draw_nothing(race, card);
    else if (side == RaceSide::kOccupancy)
        draw_race_occupancy(race, card, memory.side_scroll);
    else
        draw_race_roofline(race, card, memory.side_scroll);
}

// The plot above the table. At the right, the running race above the setup or the roofline.
void draw_wide(const RaceContext& race, const Rect& room, RaceMemory& memory) {
    const Look& look = race.look;
    const float gap = look.gap();
    const float right = std::round(std::clamp(0.338f * room.w, look.px(400), look.px(900)));
    const float left = room.w - right - gap;
    const float wanted = race.shown == nullptr ? 0 : race_table_height(race) + gap;
    const float table = std::round(std::min(wanted, 0.42f * room.h));
    const Rect plot{room.x, room.y, left, room.h - table};
    draw_plot_card(
        race, draw_view_tabs<RacePlot>(race, "race.plots", plot, tabs_of(race, kPlots, kWorkPlots),
                                       race.plot(),
                                       [&](RacePlot chosen) { race.ask(ShowRacePlot{chosen}); }));
    if (race.plot() == RacePlot::kSweep) register_widget("race.sweep.card", plot);
    if (table > 0) {
        const Rect card{room.x, plot.bottom() + gap, left, table - gap};
        draw_card(look, card);
        draw_race_table(race, card, memory.table);
    }
    Rect running{plot.right() + gap, room.y, right, 0};
    const float height = measured([&] {
        return draw_race_running(race, {running.x, running.y, right, 2 * look.wide()},
                                 memory.running_scroll);
    });
    running.h = std::ceil(std::min(height, 0.45f * room.h));
    draw_card(look, running);
    draw_race_running(race, running, memory.running_scroll);
    const float top = running.bottom() + gap;
    draw_side(
        race,
        draw_view_tabs<RaceSide>(race, "race.sides", {running.x, top, right, room.bottom() - top},
                                 tabs_of(race, kSides, kWorkSides), side_of(race),
                                 [&](RaceSide side) { race.ask(ShowRaceSide{side}); }),
        side_of(race), memory);
}

void draw_tab(const RaceContext& race, const Rect& view, RaceMemory& memory) {
    const RaceTab tab = tab_of(race);
    if (tab == RaceTab::kNextRace) return draw_side(race, view, RaceSide::kSetup, memory);
    if (tab == RaceTab::kRun || race.shown == nullptr)
        return void(draw_race_running(race, view, memory.running_scroll));
    if (tab == RaceTab::kTable) return draw_race_table(race, view, memory.table);
    if (tab == RaceTab::kRoofline) return draw_side(race, view, RaceSide::kRoofline, memory);
    if (tab == RaceTab::kOccupancy) return draw_side(race, view, RaceSide::kOccupancy, memory);
    draw_plot_card(race, view);
}

// One view at a time, and below it what starts and cancels a race.
void draw_narrow(RaceContext& race, const Rect& room, RaceMemory& memory) {
    const float strip = race_strip_height(race.look), gap = race.look.gap();
    race.strip = true;
    const Rect views{room.x, room.y, room.w, room.h - strip - gap};
    draw_tab(
        race,
        draw_view_tabs<RaceTab>(race, "race.tabs", views, tabs_of(race, kRaceTabs, kWorkTabs),
                                tab_of(race), [&](RaceTab tab) { race.ask(ShowRaceTab{tab}); }),
        memory);
    draw_race_strip(race, {room.x, views.bottom() + gap, room.w, strip});
}

void forget_cancel(const RaceContext& race) {
    RaceMemory& memory = *race.memory;
    if (race.bench.racing()) memory.cancelled_until = race.look.now_seconds + kGuardSeconds;
    if (memory.cancelled && (!memory.cancelled->contains(ImGui::GetIO().MousePos) ||
                             race.look.now_seconds > memory.cancelled_until))
        memory.cancelled.reset();
}

// Opens the editor where the compiler has found a mistake.
void edit_own(const RaceContext& race, PanelMemory& memory, Commands& commands) {
    const std::uint32_t line = std::exchange(memory.parts().race.edit_line, 0);
    if (line == 0 || race.bench.own() == nullptr) return;
    if (const Status begun = memory.begin_edit(race.bench.own()->offer.program.file, line); !begun)
        return memory.show_error(begun.error().message);
    commands.push_back(SetMode{WindowMode::kReplay});
}

Sentence sentence_of(const RaceContext& race) {
    if (race.shown == nullptr)
        return {{Tone::kPlain, "Nothing was raced here yet: race, or open a recorded race."}};
    return race_sentence(
        {.race = race.shown->race,
         .figures = race.shown->figures,
         .chosen = race.bench.view().contender,
         .running = race.shown->running,
         .counts = [&race](const Contender& contender) { return race.bench.counts(contender); }});
}

}  // namespace

void RaceContext::guard_cancel(const Rect& button) const {
    if (memory == nullptr) return;
    memory->cancelled = button;
    memory->cancelled_until = look.now_seconds + kGuardSeconds;
}

bool RaceContext::guards_cancel() const { return memory != nullptr && memory->cancelled; }

Commands draw_race_mode(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory) {
    Commands commands;
    RaceContext race = race_context(look, workbench, commands);
    race.memory = &memory.parts().race;
    if (!race.bench.looked_for_device()) race.ask(FindDevice{});
    if (race.shown == nullptr) race.ask(ShowFirstRecorded{});
    forget_cancel(race);
    const float em = type_px(look, 14);
    const bool narrow = room.w < kLeastColumns * em || room.h < kLeastRows * em;
    register_widget("race.views", room);
    if (narrow)
        draw_narrow(race, room, memory.parts().race);
    else
        draw_wide(race, room, memory.parts().race);
    draw_sentence_text(look, sentence, sentence_of(race));
    edit_own(race, memory, commands);
    return commands;
}

void draw_race_view(const Look& look, const Rect& room, const Rect& sentence,
                    const Workbench& workbench, PanelMemory& memory) {
    Commands none;  // a picture has no controls
    const RaceContext race = race_context(look, workbench, none);
    draw_card(look, room);
    draw_tab(race, room, memory.parts().race);
    draw_sentence_text(look, sentence, sentence_of(race));
}

}  // namespace tilereel
