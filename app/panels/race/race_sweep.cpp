// TILE x PAD of one kernel: GFLOPS, and the bank conflicts of a small recorded launch.
#include <algorithm>
#include <set>

#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

struct SweepCell {
    Contender contender;
    std::optional<std::uint32_t> place;  // index in the shown race
    std::optional<double> gflops, conflicts;
};

// Bank conflicts per shared load request. nullopt for a kernel without shared loads.
std::optional<double> conflicts_of(const SizedCounts* counts) {
    if (counts == nullptr || counts->counts.shared_load.requests == 0) return std::nullopt;
    return static_cast<double>(counts->counts.shared_load.bank_conflicts) /
           static_cast<double>(counts->counts.shared_load.requests);
}

class Sweep {
  public:
    Sweep(const RaceContext& race, const std::string& kernel, const Rect& room)
        : race_(race), look_(race.look), room_(room), px_(race.type(14)) {
        for (const Contender& contender : sweep_of(kernel)) {
            SweepCell cell{contender, {}, {}, conflicts_of(race.bench.counts(contender))};
            tiles_.insert(contender.tile);
            pads_.insert(contender.pad);
            if (race.shown) cell.place = find_contender(race.shown->race.request, contender);
            if (cell.place && race.size)
                cell.gflops = race.shown->figures.median(*cell.place, *race.size);
            cells_.push_back(std::move(cell));
        }
    }

    [[nodiscard]] bool has_all() const {
        return std::ranges::all_of(cells_, &std::optional<std::uint32_t>::has_value,
                                   &SweepCell::place);
    }

    void draw() {
        register_widget("race.sweep", room_);
        const float gap = look_.px(32);
        const float half = (room_.w - gap) / 2;
        draw_map({room_.x, room_.y, half, room_.h}, false);
        draw_map({room_.x + half + gap, room_.y, half, room_.h}, true);
    }

  private:
    void draw_map(const Rect& rect, bool conflicts) const {
        draw_text(
            {rect.x, rect.y + 0.7f * px_},
            conflicts
                ? "bank conflicts a load request, as recorded"
                : "GFLOPS" + (race_.size ? " at " + size_text(race_.sizes()[*race_.size]) : ""),
            {Face::kRegular, px_, race_.colors().ink2});
        double most = 0;
        for (const SweepCell& cell : cells_)
            most = std::max(most, value_of(cell, conflicts).value_or(0));
        // The row height at which the rows fill the room, as a multiple of the font size.
        const float row = rect.h / px_ / static_cast<float>(tiles_.size() + 1);
        ScrollTable table(look_, {px_, 1.5f, std::max(1.5f, row)}, {{"", Align::kLeft}});
        for (const int pad : pads_)
            table.add_column({"PAD " + std::to_string(pad), Align::kCenter, 0, true});
        for (const int tile : tiles_) {
            std::vector<TableCell> cells = {
                {"TILE " + std::to_string(tile), Face::kRegular, race_.colors().ink3}};
            for (const SweepCell& cell : cells_)
                if (cell.contender.tile == tile)
                    cells.push_back({text_of(cell, conflicts), Face::kMonoBold,
                                     share_of(cell, conflicts, most) > 0.55f ? race_.colors().on
                                                                             : race_.colors().ink});
            table.add(std::move(cells));
        }
        table.draw({rect.x, rect.y + 1.5f * px_, rect.w, rect.h - 1.5f * px_},
                   {.cell = [&](std::size_t row_at, std::size_t column, const Rect& area) {
                       if (column == 0) return;
                       const SweepCell& cell = cells_[row_at * pads_.size() + column - 1];
                       draw_cell(area.inset(look_.hair()), cell, conflicts,
                                 share_of(cell, conflicts, most));
                   }});
    }

    [[nodiscard]] static std::optional<double> value_of(const SweepCell& cell, bool conflicts) {
        return conflicts ? cell.conflicts : cell.gflops;
    }
    [[nodiscard]] static float share_of(const SweepCell& cell, bool conflicts, double most) {
        const auto value = value_of(cell, conflicts);
        return value && most > 0 ? static_cast<float>(*value / most) : 0;
    }

    [[nodiscard]] std::string text_of(const SweepCell& cell, bool conflicts) const {
        if (const auto value = value_of(cell, conflicts))
            return *value == 0 ? "0" : figure_text(*value);
        if (!conflicts && cell.place && race_.size)
            if (const auto word =
                    outcome_word(race_.shown->figures.entries[*cell.place][*race_.size]);
                !word.empty())
                return std::string(word);
        return "\xe2\x80\x93";
    }

    void draw_cell(const Rect& box, const SweepCell& cell, bool conflicts, float share) const {
        const Palette& colors = race_.colors();
        if (value_of(cell, conflicts))
            fill_rect(box, mix(colors.cell, conflicts ? colors.conflict : colors.c, share),
                      look_.px(4));
        else
            dashed_rect(box, colors.line, look_.px(1.25f), look_.px(5));
        const std::string name = std::string(conflicts ? "race.conflicts." : "race.sweep.cell.") +
                                 std::to_string(cell.contender.tile) + "." +
                                 std::to_string(cell.contender.pad);
        const Interaction touch = interact(look_, name, box, "Click: replay it");
        if (touch.hovered) stroke_rect(box, colors.ink, look_.frame(), look_.px(4));
        if (touch.clicked) race_.replay(cell.contender);
    }

    const RaceContext& race_;
    const Look& look_;
    Rect room_;
    float px_;
    std::vector<SweepCell> cells_;
    std::set<int> tiles_, pads_;
};

// The kernel that the race runs with the most TILE and PAD values; among equals, the focused one.
std::string swept_kernel(const RaceContext& race) {
    std::string best = race.workbench.request().kernel;
    if (race.shown == nullptr) return best;
    std::size_t most = 0;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) {
        const std::string& kernel = race.contenders()[c].kernel;
        if (is_reference(race.contenders()[c])) continue;
        const auto count = static_cast<std::size_t>(
            std::ranges::count(race.contenders(), kernel, &Contender::kernel));
        const bool focus = race.focus && race.contenders()[*race.focus].kernel == kernel;
        if (count < most || (count == most && !focus)) continue;
        most = count;
        best = kernel;
    }
    return best;
}

}  // namespace

void draw_race_sweep(const RaceContext& race, const Rect& card) {
    const std::string kernel = swept_kernel(race);
    const char* const label = "Race this sweep";
    const CardTitle title =
        draw_race_title(race, card, "TILE \xc3\x97 PAD of " + title_of({.kernel = kernel}),
                        "each with its bank conflicts", button_width(race.look, label));
    Sweep sweep(race, kernel, title.room);
    if (!sweep.has_all() &&
        text_button(race.look, "race.sweep." + kernel, title.controls, label, false,
                    "Race every TILE and PAD of this kernel at one size"))
        race.ask(StartSweep{kernel});
    sweep.draw();
}

}  // namespace tilereel
