// The layout of the Race mode.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/panels/tab_row.h"

namespace tilereel {
namespace {

constexpr std::array<std::string_view, 4> kPlots = {"GFLOPS", "Speed-up", "Bandwidth", "Sweep"};
constexpr std::array<std::string_view, 3> kSides = {"Roofline", "Occupancy", "Next race"};
// The tabs if only one view fits, in the order of RaceTab.
constexpr std::array<std::string_view, 9> kRaceTabs = {"GFLOPS",    "Table",     "Roofline",
                                                       "Speed-up",  "Bandwidth", "Sweep",
                                                       "Occupancy", "Next race", "Run"};
// In multiples of the body font size. A smaller room shows one view at a time.
constexpr float kLeastColumns = 82, kLeastRows = 38;

float tabs_height(const Look& look) { return std::round(look.px(34) + 1.2f * extra_px(look)); }

// A row of tabs. Their widgets are named <name>.<word>. Returns the clicked index, or -1.
int tabs(const RaceContext& race, const std::string& name, const Rect& rect,
         std::span<const std::string_view> words, std::size_t current) {
    std::vector<std::string> widgets;
    for (const std::string_view word : words) widgets.push_back(name + "." + std::string(word));
    std::vector<TabWord> tabs;
    for (std::size_t i = 0; i < words.size(); ++i) tabs.push_back({words[i], widgets[i]});
    return draw_tabs(race.look, rect, tabs, current, {race.type(14), race.look.margin()});
}

void draw_nothing(const RaceContext& race, const Rect& card) {
    const float top = draw_race_title(race, card, "Race", "");
    const float pad = race.look.margin();
    const std::string words =
        "Here kernels run at full speed and their GFLOPS are drawn as they come: the same kernels, "
        "TILE and PAD that the replay shows. Press \"Race here\", or open a recorded race at the "
        "top.";
    draw_paragraph({card.x + pad, top + race.look.gap()},
                   std::min(card.w - 2 * pad, race.look.px(760) + 20 * extra_px(race.look)), words,
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
        draw_race_setup(race, card, memory.setup_scroll);
    else if (race.shown == nullptr)
        draw_nothing(race, card);
    else if (side == RaceSide::kOccupancy)
        draw_race_occupancy(race, card);
    else
        draw_race_roofline(race, card);
}

// The plot above the table. At the right, the running race above the setup or the roofline.
void draw_wide(const RaceContext& race, const Rect& room, RaceMemory& memory) {
    const Look& look = race.look;
    const float gap = look.gap(), bar = tabs_height(look);
    const float right = std::round(std::clamp(0.338f * room.w, look.px(400), look.px(900)));
    const float left = room.w - right - gap;
    const bool sweep = race.bench.view().plot == RacePlot::kSweep;
    const auto rows = race.shown == nullptr ? 0.0f : static_cast<float>(race.contenders().size());
    const float row = std::max(row_px(look, 24), 1.7f * race.type(14));
    // The table has the height of its rows, but at most 42 % of the room.
    const float wanted = look.pad() + (rows + 1) * std::max(row, look.px(40));
    const float table = race.shown == nullptr ? 0 : std::round(std::min(wanted, 0.42f * room.h));
    const Rect plot{room.x, room.y, left, room.h - (table > 0 ? table + gap : 0)};
    draw_card(look, plot);
    const int chosen =
        tabs(race, "race.plots",
             {plot.x + look.margin(), plot.y + look.tight(), plot.w - look.px(48), bar}, kPlots,
             static_cast<std::size_t>(race.bench.view().plot));
    if (chosen >= 0) race.ask(ShowRacePlot{static_cast<RacePlot>(chosen)});
    draw_plot_card(race,
                   {plot.x, plot.y + bar - look.tight(), plot.w, plot.h - bar + look.tight()});
    if (sweep) register_widget("race.sweep.card", plot);
    if (table > 0) {
        const Rect card{room.x, plot.bottom() + gap, left, table};
        draw_card(look, card);
        draw_race_table(race, card, memory.table_scroll);
    }
    const Rect running{plot.right() + gap, room.y, right,
                       std::round(std::clamp(0.30f * room.h, look.px(190), look.px(300)))};
    draw_card(look, running);
    draw_race_running(race, running);
    const Rect side{running.x, running.bottom() + gap, right,
                    room.bottom() - running.bottom() - gap};
    draw_card(look, side);
    const int beside =
        tabs(race, "race.sides",
             {side.x + look.margin(), side.y + look.tight(), side.w - look.px(48), bar}, kSides,
             static_cast<std::size_t>(race.bench.view().side));
    if (beside >= 0) race.ask(ShowRaceSide{static_cast<RaceSide>(beside)});
    draw_side(race, {side.x, side.y + bar - look.tight(), side.w, side.h - bar + look.tight()},
              race.bench.view().side, memory);
}

void draw_tab(const RaceContext& race, const Rect& view, RaceMemory& memory) {
    const RaceTab tab = race.bench.view().tab;
    if (tab == RaceTab::kNextRace) return draw_side(race, view, RaceSide::kSetup, memory);
    if (tab == RaceTab::kRun || race.shown == nullptr) return draw_race_running(race, view);
    if (tab == RaceTab::kTable) return draw_race_table(race, view, memory.table_scroll);
    if (tab == RaceTab::kRoofline) return draw_side(race, view, RaceSide::kRoofline, memory);
    if (tab == RaceTab::kOccupancy) return draw_side(race, view, RaceSide::kOccupancy, memory);
    draw_plot_card(race, view);
}

// Shows one view at a time, with tabs.
void draw_narrow(const RaceContext& race, const Rect& room, RaceMemory& memory) {
    const Look& look = race.look;
    const float gap = look.gap(), bar = tabs_height(look);
    const Rect card{room.x, room.y, room.w, room.h};
    draw_card(look, card);
    const int chosen =
        tabs(race, "race.tabs", {card.x + look.pad(), card.y, card.w - look.px(32), bar}, kRaceTabs,
             static_cast<std::size_t>(race.bench.view().tab));
    if (chosen >= 0) race.ask(ShowRaceTab{static_cast<RaceTab>(chosen)});
    draw_tab(race, {card.x, card.y + bar, card.w, card.h - bar - gap / 2}, memory);
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

Commands draw_race_mode(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory) {
    Commands commands;
    RaceContext race = race_context(look, workbench, commands);
    race.memory = &memory.parts().race;
    if (!race.bench.looked_for_device()) race.ask(FindDevice{});
    if (race.shown == nullptr) race.ask(ShowFirstRecorded{});
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
