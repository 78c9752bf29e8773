// A card over the stage: the GFLOPS of the watched kernel and its counterpart, and the counts of
// their recorded launches.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/overlay/overlay.h"
#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

struct PairRow {
    std::string name;
    std::optional<double> gflops;
    std::string missing;  // shown instead of GFLOPS
    const SizedCounts* counts = nullptr;
};

// The count that the card compares: bank conflicts, or sectors if neither kernel has conflicts.
struct Counted {
    bool conflicts = true;
    std::array<std::optional<double>, 2> values;
};

std::uint64_t conflicts_of(const KernelCounts& counts) {
    return counts.shared_load.bank_conflicts + counts.shared_store.bank_conflicts;
}
std::uint64_t sectors_of(const KernelCounts& counts) {
    return counts.global_load.sectors + counts.global_store.sectors;
}

Counted counted_of(const std::array<PairRow, 2>& rows) {
    Counted counted;
    counted.conflicts = std::ranges::any_of(rows, [](const PairRow& row) {
        return row.counts == nullptr || conflicts_of(row.counts->counts) > 0;
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].counts != nullptr)
            counted.values[i] =
                static_cast<double>(counted.conflicts ? conflicts_of(rows[i].counts->counts)
                                                      : sectors_of(rows[i].counts->counts));
    return counted;
}

class PairCard {
  public:
    PairCard(const Look& look, const Rect& stage, const Workbench& workbench)
        : look_(look), bench_(workbench.races()), pair_(*bench_.pair()) {
        px_ = type_px(look, 15);
        const float most = stage.w - look.margin();
        width_ = std::min(look.px(760) + 24 * extra_px(look), most);
        height_ = 13.2f * px_;
        card_ = {std::round(stage.center().x - width_ / 2),
                 std::round(stage.bottom() - height_ - look.wide()), std::round(width_),
                 std::round(height_)};
        find_rows();
    }

    Commands draw(const Rect& stage) {
        Commands commands;
        begin_card(look_, "race.pair", stage, card_, false);
        const float pad = look_.px(20);
        float y = card_.y + 1.5f * px_;
        const float room = width_ - 3 * pad - 2 * px_;
        const float wide = draw_text_fit({card_.x + pad, y}, room, head(),
                                         {Face::kSemiBold, px_, look_.colors().ink});
        const std::string why = why_not_here();
        const float left = wide + px_;
        if (!why.empty() && room - left > 6 * px_) {
            register_widget("race.pair.why", {card_.x + pad + left, y - px_, room - left, 2 * px_});
            draw_text_fit({card_.x + pad + left, y}, room - left, why,
                          {Face::kRegular, 0.9f * px_, look_.colors().ink3});
        }
        const float close = 2 * px_;
        if (icon_button(look_, "race.pair.close",
                        {card_.right() - close - look_.gap(), card_.y + look_.gap(), close, close},
                        Icon::kClose, false, "Close (Esc)"))
            commands.push_back(RaceAction{ClosePair{}});
        y += 2.2f * px_;
        draw_columns(y);
        y += 6.6f * px_;
        draw_foot(y, commands);
        end_card();
        return commands;
    }

  private:
    void find_rows() {
        const std::array<const Contender*, 2> both = {&pair_.watched, &pair_.counterpart};
        const std::array<const CountedLaunch*, 2> launches = {&pair_.watched_launch,
                                                              &pair_.counterpart_launch};
        std::array<std::optional<std::uint32_t>, 2> places;
        if (pair_.has_race()) {
            for (std::size_t i = 0; i < 2; ++i)
                places[i] = find_contender(pair_.race.race.request, *both[i]);
            if (places[0] && places[1])
                size_ = largest_size(pair_.race.race, pair_.race.figures, {*places[0], *places[1]});
        }
        for (std::size_t i = 0; i < 2; ++i) {
            rows_[i].name = short_name(*both[i]);
            if (both[i]->pad == 0 && has_pad(*both[i])) rows_[i].name += " pad 0";
            rows_[i].counts = bench_.counts(*launches[i]);
            if (!places[i] || pair_.race.figures.entries.empty()) continue;
            if (size_) rows_[i].gflops = pair_.race.figures.median(*places[i], *size_);
            for (const RaceEntry& entry : pair_.race.figures.entries[*places[i]])
                if (!rows_[i].gflops) rows_[i].missing = outcome_word(entry);
        }
    }

    // Why the two kernels cannot race on this machine. Empty unless a recorded race is shown.
    [[nodiscard]] std::string why_not_here() const {
        if (!pair_.has_race() || !pair_.race.race.recorded) return {};
        if (bench_.machine() == nullptr) return as_sentence(bench_.device_fault());
        return bench_.machine()->gpu ? "It races on a CPU; here a GPU does."
                                     : "It needs a GPU: there is none here.";
    }

    [[nodiscard]] std::string head() const {
        if (!pair_.sentence.empty()) return "At full speed";
        if (!pair_.has_race()) return as_sentence(pair_.looking);
        const Race& race = pair_.race.race;
        std::string words = pair_.race.running ? "Racing on "
                            : race.recorded    ? "Recorded on "
                                               : "Raced here: ";
        words += machine_text(race.machine);
        if (race.recorded) words += ", " + race.date.substr(0, 10);
        return words;
    }

    void draw_columns(float y) {
        const Palette& colors = look_.colors();
        const float pad = look_.px(20);
        const float names =
            std::min(widest(rows_, Face::kSemiBold, px_, &PairRow::name), 0.3f * width_) + px_;
        const float left = card_.x + pad + names, room = (card_.right() - pad - left - 2 * px_) / 2;
        const float second = left + room + 2 * px_;
        const Counted counted = counted_of(rows_);
        const KernelParameters& p = pair_.watched_launch.parameters;
        const TextStyle caption{Face::kRegular, 0.9f * px_, colors.ink3};
        draw_text_fit({left, y}, room,
                      "GFLOPS" + (size_ ? " at " + size_text(pair_.race.race.request.sizes[*size_])
                                        : std::string()),
                      caption);
        const std::string watched =
            std::to_string(p.m) + " x " + std::to_string(p.n) + " x " + std::to_string(p.k);
        draw_text_fit({second, y}, room,
                      (counted.conflicts ? "bank conflicts at " : "sectors at ") + watched,
                      caption);
        const auto most = [](const auto& a, const auto& b) {
            return std::max(a.value_or(0), b.value_or(0));
        };
        const double most_gflops = most(rows_[0].gflops, rows_[1].gflops);
        const double most_counted = most(counted.values[0], counted.values[1]);
        for (std::size_t i = 0; i < 2; ++i) {
            y += 2.4f * px_;
            draw_text_fit({card_.x + pad, y}, names - px_ / 2, rows_[i].name,
                          {i == 0 ? Face::kSemiBold : Face::kRegular, px_, colors.ink});
            draw_bar(left, y, room, rows_[i].gflops, most_gflops,
                     i == 0 ? colors.accent : colors.ink2,
                     rows_[i].missing.empty() ? "\xe2\x80\xa6" : rows_[i].missing);
            draw_bar(second, y, room, counted.values[i], most_counted,
                     counted.conflicts ? colors.conflict : colors.b, "\xe2\x80\xa6");
        }
    }

    void draw_bar(float x, float y, float room, std::optional<double> value, double most,
                  ImU32 color, const std::string& missing) {
        const std::string text = !value        ? missing
                                 : *value == 0 ? std::string("0")
                                               : figure_text(*value);
        const float words = text_width("000,000", Face::kMonoBold, px_) + 0.8f * px_;
        const float height = 1.3f * px_, wide = std::max(10.0f, room - words);
        const float share = value && most > 0 ? static_cast<float>(*value / most) : 0;
        fill_rect({x, y - height / 2, wide, height}, look_.colors().cell, look_.px(3));
        if (share > 0)
            fill_rect({x, y - height / 2, std::max(look_.px(3), wide * share), height}, color,
                      look_.px(3));
        draw_text({x + room, y}, text, {Face::kMonoBold, px_, look_.colors().ink, Align::kRight});
    }

    // Draws the sentence that compares the two kernels, and the button that opens the Race mode.
    void draw_foot(float y, Commands& commands) {
        const float pad = look_.px(20), px = look_.font_px(15);
        const float button = text_width("Open Race", Face::kSemiBold, px) + look_.px(28);
        const Rect place{card_.right() - pad - button, y - 0.9f * px, button, std::round(2 * px)};
        if (text_button(look_, "race.pair.open", place, "Open Race", false,
                        "The race of all kernels (2)"))
            commands.push_back(SetMode{WindowMode::kRace});
        std::string words = pair_.sentence;
        if (words.empty() && rows_[0].gflops && rows_[1].gflops) {
            const bool first = *rows_[0].gflops >= *rows_[1].gflops;
            const PairRow &faster = rows_[first ? 0 : 1], &slower = rows_[first ? 1 : 0];
            words = faster.name + ": " + times_text(*faster.gflops / *slower.gflops) + " against " +
                    slower.name;
        }
        if (words.empty() && pair_.has_race()) words = as_sentence(pair_.looking);
        const float room = place.x - card_.x - 2 * pad;
        auto lines = wrap_text(words, room, Face::kRegular, 0.95f * px_);
        lines.resize(std::min<std::size_t>(lines.size(), 2));
        const float first = y + (lines.size() > 1 ? -0.5f * px_ : 0.1f * px_);
        draw_lines({card_.x + pad, first}, lines,
                   {Face::kRegular, 0.95f * px_, look_.colors().ink2}, 1.3f * px_);
    }

    const Look& look_;
    const RaceBench& bench_;
    const PairRace& pair_;
    float px_ = 15, width_ = 0, height_ = 0;
    Rect card_;
    std::array<PairRow, 2> rows_;
    std::optional<std::uint32_t> size_;
};

}  // namespace

Commands draw_race_pair(const Look& look, const Rect& stage, const Workbench& workbench) {
    if (workbench.races().pair() == nullptr) return {};
    return PairCard(look, stage, workbench).draw(stage);
}

}  // namespace tilereel
