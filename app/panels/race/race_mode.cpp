// The layout of the Race mode.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/panels/tab_row.h"

namespace tilereel {
namespace {

constexpr std::array<TabWord, 4> kPlots = {{{"GFLOPS"}, {"Speed-up"}, {"Bandwidth"}, {"Sweep"}}};
constexpr std::array<TabWord, 3> kSides = {{{"Roofline"}, {"Occupancy"}, {"Next race"}}};
// The tabs if only one view fits, in the order of RaceTab.
constexpr std::array<TabWord, 9> kRaceTabs = {{{"GFLOPS"},
                                               {"Table"},
                                               {"Roofline"},
                                               {"Speed-up"},
                                               {"Bandwidth"},
                                               {"Sweep"},
                                               {"Occupancy"},
                                               {"Next race"},
                                               {"Run"}}};
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
    if (race.bench.view().plot == RacePlot::kSweep)
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
    const RaceView& view = race.bench.view();
    const float gap = look.gap();
    const float right = std::round(std::clamp(0.338f * room.w, look.px(400), look.px(900)));
    const float left = room.w - right - gap;
    const float wanted = race.shown == nullptr ? 0 : race_table_height(race) + gap;
    const float table = std::round(std::min(wanted, 0.42f * room.h));
    const Rect plot{room.x, room.y, left, room.h - table};
    draw_plot_card(race, draw_tabbed_card(race.look, "race.plots", plot, kPlots,
                                          static_cast<std::size_t>(view.plot), [&](int chosen) {
                                              race.ask(ShowRacePlot{static_cast<RacePlot>(chosen)});
                                          }));
    if (view.plot == RacePlot::kSweep) register_widget("race.sweep.card", plot);
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
        draw_tabbed_card(race.look, "race.sides", {running.x, top, right, room.bottom() - top},
                         kSides, static_cast<std::size_t>(view.side),
                         [&](int side) { race.ask(ShowRaceSide{static_cast<RaceSide>(side)}); }),
        view.side, memory);
}

void draw_tab(const RaceContext& race, const Rect& view, RaceMemory& memory) {
    const RaceTab tab = race.bench.view().tab;
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
    draw_tab(race,
             draw_tabbed_card(race.look, "race.tabs", views, kRaceTabs,
                              static_cast<std::size_t>(race.bench.view().tab),
                              [&](int tab) { race.ask(ShowRaceTab{static_cast<RaceTab>(tab)}); }),
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
