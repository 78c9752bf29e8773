#pragma once
// The views of a race: each draws into the rectangle it is given and asks through the context.
//
// Names under which their controls are registered (register_widget):
//   race.plot (the plot's area) race.point.<contender>.<size> while it is hovered
//   race.line.<contender> (label: it alone, or all as before) race.lines (opens race.lines.row.<c>
//   .only.<c> .hide.<c>, race.lines.top .all .none)
//   save.path save.save save.cancel (the dialog)
//   race.plots.<name> (tabs) race.sides.<name> (tabs) race.tabs (where one view at a time fits)
//   race.log_figures race.log_sizes race.save race.csv race.png
//   race.row.<contender> race.size.<size> (table) race.start race.cancel
//   race.intensity.<name> race.sweep.<kernel> (runs it) race.sweep.cell.<tile>.<pad>
//   race.setup.size.<N> race.setup.<kernel> .<kernel>.<tile>.<pad> race.setup.cold .warm
//   race.setup.fewer .more race.setup.few .ladder
//   race.pair.close race.pair.open chip.race chip.race.<place> chip.race.compare.<place>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/ui/plot.h"
#include "app/ui/widgets.h"
#include "app/workbench/race_sentence.h"

namespace tilereel {

struct RaceContext {
    const Look& look;
    const Workbench& workbench;
    const RaceBench& bench;
    Commands& commands;
    const ShownRace* shown = nullptr;  // nullptr: nothing was raced or opened yet
    std::vector<LineStyle> styles;     // by contender of `shown`
    std::optional<std::uint32_t> focus, counterpart, size;
    RaceMemory* memory = nullptr;  // nullptr: a picture, which asks for nothing

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float type(float units) const { return type_px(look, units); }
    [[nodiscard]] const std::vector<Contender>& contenders() const {
        return shown->race.request.contenders;
    }
    [[nodiscard]] const std::vector<ProductSize>& sizes() const {
        return shown->race.request.sizes;
    }
    // As RaceLines; and the contender looked at and its counterpart are strong.
    [[nodiscard]] LineShown line(std::uint32_t contender) const;
    [[nodiscard]] bool hidden(std::uint32_t contender) const {
        return line(contender) == LineShown::kHidden;
    }
    [[nodiscard]] bool strong(std::uint32_t contender) const {
        return line(contender) == LineShown::kStrong;
    }
    void ask(RaceAction command) const { commands.push_back(std::move(command)); }
    // Replays a contender's kernel, if it can be replayed.
    void replay(const Contender& contender) const;
};
[[nodiscard]] RaceContext race_context(const Look& look, const Workbench& workbench,
                                       Commands& commands);

// The line style of every contender. Strong lines have a colour, marker and dash of their own; the
// reference is ink, the one looked at accent, its counterpart without padding conflict. The others
// are thin and faint.
[[nodiscard]] std::vector<LineStyle> race_styles(const RaceContext& race);
// "09 tiled 32", "09 tiled 32 pad 1": everything in one line.
[[nodiscard]] std::string short_name(const Contender& contender);
// "08, 32 pad 1": by the number of its rung, where there is no room for the name.
[[nodiscard]] std::string number_name(const Contender& contender);
// "wrong", "failed", "skipped": in place of a figure; empty for what was verified or not yet tried.
[[nodiscard]] std::string_view outcome_word(const RaceEntry& entry);

// A card's title and, as far as there is room, the clauses of what stands beside it, the most
// important first; returns the top of what lies below. `right` is the room that controls take at
// the right of the title.
float draw_race_title(const RaceContext& race, const Rect& card, std::string_view title,
                      std::string_view caption, float right = 0);

// "lines 7 of 26": opens the list in which each line is made strong or thin, hidden, or the only
// one, by mouse and keyboard.
[[nodiscard]] float line_chooser_width(const RaceContext& race);
void draw_line_chooser(const RaceContext& race, const Rect& chip);
// Asks where a race, its table or its picture is saved; drawn by draw_race_dialogs().
void open_save_dialog(RaceMemory& memory, const RaceBench& bench, RaceExport what);

void draw_race_plot(const RaceContext& race, const Rect& card);
void draw_race_sweep(const RaceContext& race, const Rect& card);
void draw_race_table(const RaceContext& race, const Rect& card, float& scroll);
void draw_race_running(const RaceContext& race, const Rect& card);
void draw_race_roofline(const RaceContext& race, const Rect& card);
void draw_race_occupancy(const RaceContext& race, const Rect& card);
void draw_race_setup(const RaceContext& race, const Rect& card, float& scroll);

}  // namespace tilereel
