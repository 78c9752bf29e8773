#pragma once
// The views of a race. Each draws into a given rectangle and adds commands to its context.
//
// Names under which their controls are registered (register_widget):
//   race.plot (the plot's area) race.point.<contender>.<size> while it is hovered
//   race.pulse.<contender> (what runs) race.bar.<contender> .length.<contender> (one size)
//   race.line.<contender> (name: it alone, or all as before) race.lines (a menu: .row.<c>
//   .only.row.<c> .hide.row.<c> .top .all .none)
//   save.path save.save save.cancel (the dialog)
//   race.plots.<name> (tabs) race.sides.<name> (tabs) race.tabs (where one view at a time fits)
//   race.estimate (the watched launch, where the race has not measured it)
//   race.log_figures race.log_sizes race.save race.csv race.png
//   race.row.<contender> race.size.<size> (table) race.start race.cancel
//   race.intensity.<name> race.sweep.<kernel> (runs it) race.sweep.cell.<tile>.<pad>
//   race.setup.size.<N> race.setup.<kernel> .<kernel>.<tile>.<pad> race.setup.cold .warm
//   race.own race.own.race .start .call .values .error.<n> (own_section.h)
//   race.setup.fewer .more race.setup.few .ladder
//   race.pair.close race.pair.open chip.race chip.race.<place> chip.race.compare.<place>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/ui/draw/plot.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/race/race_sentence.h"

namespace tilereel {

struct RaceContext {
    const Look& look;
    const Workbench& workbench;
    const RaceBench& bench;
    Commands& commands;
    const ShownRace* shown = nullptr;  // nullptr: no race ran or was opened yet
    std::vector<LineStyle> styles;     // index: contender of `shown`
    std::optional<std::uint32_t> focus, counterpart, size;
    RaceMemory* memory = nullptr;  // nullptr: a picture, which has no controls
    bool strip = false;            // draw_race_strip() has the start, the progress and Cancel

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float type(float units) const { return type_px(look, units); }
    [[nodiscard]] const std::vector<Contender>& contenders() const {
        return shown->race.request.contenders;
    }
    [[nodiscard]] const std::vector<ProductSize>& sizes() const {
        return shown->race.request.sizes;
    }
    // As RaceLines::shown(), but a thin line of the focused contender or its counterpart is strong.
    // This does not apply while one line is shown alone, or while the user has chosen the lines and
    // has not focused this contender.
    [[nodiscard]] LineShown line(std::uint32_t contender) const;
    [[nodiscard]] bool hidden(std::uint32_t contender) const {
        return line(contender) == LineShown::kHidden;
    }
    [[nodiscard]] bool strong(std::uint32_t contender) const {
        return line(contender) == LineShown::kStrong;
    }
    [[nodiscard]] bool of_products() const {
        return shown == nullptr || is_of_products(shown->race.request);
    }
    // The chosen plot, of those that this race has.
    [[nodiscard]] RacePlot plot() const {
        const RacePlot chosen = bench.view().plot;
        if (of_products()) return chosen == RacePlot::kTime ? RacePlot::kGflops : chosen;
        return chosen == RacePlot::kTime ? chosen : RacePlot::kGflops;
    }
    [[nodiscard]] const char* unit() const { return rate_unit(shown->race.request); }
    // After a click on Cancel, a further click at the same place does nothing.
    void guard_cancel(const Rect& button) const;
    [[nodiscard]] bool guards_cancel() const;
    void ask(RaceAction command) const { commands.push_back(std::move(command)); }
    // Replays a contender's kernel, if it can be replayed.
    void replay(const Contender& contender) const;
};
[[nodiscard]] RaceContext race_context(const Look& look, const Workbench& workbench,
                                       Commands& commands);

// The line style of every contender. Each strong line has a colour, marker and dash. The reference
// is drawn in ink, the focused contender in accent, and its counterpart without padding in the
// conflict colour. Thin lines are faint.
[[nodiscard]] std::vector<LineStyle> race_styles(const RaceContext& race);
// "1,024", "1,000 x 3,000 x 700": a size as it is read; name_of() names its control.
[[nodiscard]] std::string size_words(const ProductSize& size);
// "09 tiled 32", "09 tiled 32 pad 1": the full name on one line.
[[nodiscard]] std::string short_name(const Contender& contender);
// "08, 32 pad 1": with the kernel's number, if there is no room for its name.
[[nodiscard]] std::string number_name(const Contender& contender);
// "wrong", "failed" or "skipped", shown instead of a figure. Empty for a result that was verified
// or not checked, or is still missing.
[[nodiscard]] std::string_view outcome_word(const RaceEntry& entry);
// "09 tiled 32, 3 of 7", "checking C of 09 tiled 32" or "warming up". Empty between two steps.
[[nodiscard]] std::string now_words(const RaceContext& race);

inline CardTitle draw_race_title(const RaceContext& race, const Rect& card, std::string_view title,
                                 std::string_view caption, float controls = 0) {
    return draw_title(race.look, card, title, caption, 20, controls);
}
// A box for each repeat, filled when it is done; a bar if there are too many for boxes.
void draw_repeats(const Look& look, const Rect& place, std::uint32_t done, std::uint32_t all,
                  ImU32 color);

// The chip "lines 7 of 26". It opens a list in which each line is made strong, thin, hidden or the
// only strong one, by mouse or keyboard.
[[nodiscard]] float line_chooser_width(const RaceContext& race);
void draw_line_chooser(const RaceContext& race, const Rect& chip);
// Opens the dialog that asks for a path. draw_race_dialogs() draws it.
void open_save_dialog(RaceMemory& memory, const RaceBench& bench, RaceExport what);

// `scroll`: pixels.
void draw_race_plot(const RaceContext& race, const Rect& card);
void draw_race_sweep(const RaceContext& race, const Rect& card);
[[nodiscard]] float race_table_height(const RaceContext& race);  // with all rows
void draw_race_table(const RaceContext& race, const Rect& card, TableScroll& scroll);
// A row below the views where only one fits: starts a race, and shows its progress beside Cancel.
[[nodiscard]] float race_strip_height(const Look& look);
void draw_race_strip(const RaceContext& race, const Rect& rect);
float draw_race_running(const RaceContext& race, const Rect& card, float& scroll);  // its height
void draw_race_roofline(const RaceContext& race, const Rect& card, float& scroll);
void draw_race_occupancy(const RaceContext& race, const Rect& card, float& scroll);
void draw_race_setup(const RaceContext& race, const Rect& card, float& scroll);

}  // namespace tilereel
