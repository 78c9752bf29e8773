// TILE x PAD of one kernel: GFLOPS and the bank conflicts that the replay counts.
#include <algorithm>
#include <array>
#include <cmath>
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
    Sweep(const RaceContext& race, std::string kernel, const Rect& room)
        : race_(race), look_(race.look), kernel_(std::move(kernel)), room_(room) {
        px_ = race.type(14);
        for (const Contender& contender : sweep_of(kernel_)) {
            SweepCell cell{.contender = contender, .place = {}, .gflops = {}, .conflicts = {}};
            tiles_.insert(contender.tile);
            pads_.insert(contender.pad);
            cell.place =
                race.shown ? find_contender(race.shown->race.request, contender) : std::nullopt;
            if (cell.place && race.size)
                cell.gflops = race.shown->figures.median(*cell.place, *race.size);
            cell.conflicts = conflicts_of(race.bench.counts(contender));
            cells_.push_back(std::move(cell));
        }
    }

    [[nodiscard]] bool has_all() const {
        return std::ranges::all_of(cells_,
                                   [](const SweepCell& cell) { return cell.place.has_value(); });
    }

    void draw() {
        register_widget("race.sweep", room_);
        const float gap = look_.px(32);
        const float half = (room_.w - gap) / 2;
        draw_map({room_.x, room_.y, half, room_.h}, false);
        draw_map({room_.x + half + gap, room_.y, half, room_.h}, true);
    }

  private:
    void draw_map(const Rect& rect, bool conflicts) {
        const Palette& colors = race_.colors();
        const std::string title =
            conflicts
                ? std::string("bank conflicts a load request, as recorded")
                : "GFLOPS" + (race_.size ? " at " + size_text(race_.sizes()[*race_.size]) : "");
        draw_text_fit({rect.x, rect.y + 0.7f * px_}, rect.w, title,
                      {Face::kRegular, px_, colors.ink2});
        const float left = rect.x + text_width("TILE 32", Face::kRegular, px_) + px_;
        const float top = rect.y + 3.4f * px_;
        const float width =
            (rect.right() - left) / static_cast<float>(std::max<std::size_t>(1, pads_.size()));
        const float height =
            (rect.bottom() - top) / static_cast<float>(std::max<std::size_t>(1, tiles_.size()));
        std::size_t column = 0;
        for (const int pad : pads_)
            draw_text({left + width * (static_cast<float>(column++) + 0.5f), top - 0.9f * px_},
                      "PAD " + std::to_string(pad),
                      {Face::kRegular, px_, colors.ink3, Align::kCenter});
        double most = 0;
        for (const SweepCell& cell : cells_)
            most = std::max(most, (conflicts ? cell.conflicts : cell.gflops).value_or(0));
        std::size_t row = 0;
        for (const int tile : tiles_) {
            const float y = top + height * static_cast<float>(row++);
            draw_text({left - 0.7f * px_, y + height / 2}, "TILE " + std::to_string(tile),
                      {Face::kRegular, px_, colors.ink3, Align::kRight});
            column = 0;
            for (const int pad : pads_) {
                const Rect box{left + width * static_cast<float>(column++), y, width, height};
                draw_cell(box.inset(look_.hair()), tile, pad, conflicts, most);
            }
        }
    }

    void draw_cell(const Rect& box, int tile, int pad, bool conflicts, double most) {
        const Palette& colors = race_.colors();
        const auto cell =
            std::ranges::find(cells_, Contender{kernel_, tile, pad}, &SweepCell::contender);
        const std::optional<double> value = conflicts ? cell->conflicts : cell->gflops;
        const float share = value && most > 0 ? static_cast<float>(*value / most) : 0;
        const ImU32 full = conflicts ? colors.conflict : colors.c;
        fill_rect(box, value ? mix(colors.cell, full, share) : colors.panel, look_.px(4));
        if (!value) dashed_rect(box, colors.line, look_.px(1.25f), look_.px(5));
        const std::string name = std::string(conflicts ? "race.conflicts." : "race.sweep.cell.") +
                                 std::to_string(tile) + "." + std::to_string(pad);
        const Touch touch = touch_area(look_, name, box, "Click: replay it");
        if (touch.hovered) stroke_rect(box, colors.ink, look_.frame(), look_.px(4));
        if (touch.clicked) race_.replay(cell->contender);
        std::string text = value ? figure_text(*value) : "\xe2\x80\x93";
        if (conflicts && value && *value == 0) text = "0";
        if (!conflicts && cell->place && race_.size && !value) {
            const RaceEntry& entry = race_.shown->figures.entries[*cell->place][*race_.size];
            if (const auto word = outcome_word(entry); !word.empty()) text = word;
        }
        const float px = std::min(px_, 0.5f * box.h);
        draw_text(box.center(), text,
                  {Face::kMonoBold, px, share > 0.55f ? colors.on : colors.ink, Align::kCenter});
    }

    const RaceContext& race_;
    const Look& look_;
    std::string kernel_;
    Rect room_;
    float px_ = 14;
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
    const RaceTitle title =
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
