// A card over the stage: the GFLOPS of the watched kernel and its counterpart, and the counts of
// their recorded launches.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_table.h"
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

// The count that the card compares: bank conflicts, or sectors if both kernels are counted
// and neither has conflicts.
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

// How much the card says, and its font size; a low stage takes a later one.
struct PairSize {
    bool reason = true;  // why the kernels do not race here
    bool names = true;   // false: "pad 0" and "pad 1", where nothing else differs; short headings
    float type = 1;
};
constexpr std::array<PairSize, 6> kPairSizes = {{{},
                                                 {.reason = false},
                                                 {.reason = false, .names = false},
                                                 {.reason = false, .names = false, .type = 0.9f},
                                                 {.reason = false, .names = false, .type = 0.8f},
                                                 {.reason = false, .names = false, .type = 0.7f}}};

class PairCard : public Column {
  public:
    PairCard(const Look& look, const Rect& room, const Workbench& workbench, const PairSize& size,
             Commands& commands)
        : Column(look, room, size.type * type_px(look, 15)),
          bench_(workbench.races()),
          pair_(*bench_.pair()),
          shown_(size),
          commands_(commands) {
        find_rows();
    }

    float draw() {
        const Palette& colors = look_.colors();
        const std::string why = shown_.reason ? why_not_here() : std::string();
        const Rect above{rect_.x, y_, rect_.w, 0};
        styled({{head(), Face::kSemiBold, colors.ink},
                {"  " + why, Face::kRegular, colors.ink3, 0.9f * px_}},
               px_);
        if (!measures() && !why.empty())
            register_widget("race.pair.why", {above.x, above.y, above.w, y_ - above.y});
        draw_table();
        const std::string label = "Open Race";
        const float button = tilereel::button_width(look_, label);
        const float top = y_ + look_.gap();
        const float height = std::max(
            2 * px_, draw_paragraph({rect_.x, top}, rect_.w - button - look_.gap(), sentence(),
                                    {Face::kRegular, 0.95f * px_, colors.ink2}));
        if (text_button(look_, "race.pair.open", {rect_.right() - button, top, button, 2 * px_},
                        label, false, "The race of all kernels (2)"))
            commands_.push_back(SetMode{WindowMode::kRace});
        y_ = top + height;
        return Column::height();
    }
    // Of its table, once it has been drawn. Pixels.
    [[nodiscard]] float least_width() const { return least_width_; }

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
            const bool same_but_pad = both[0]->kernel == both[1]->kernel &&
                                      both[0]->tile == both[1]->tile &&
                                      both[0]->pad != both[1]->pad;
            if (!shown_.names && same_but_pad)
                rows_[i].name = "pad " + std::to_string(both[i]->pad);
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
        return bench_.machine()->gpu
                   ? "It cannot race here: it runs on a CPU, and this computer races on its GPU."
                   : "It cannot race here: it needs a GPU, and this computer has none.";
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

    void draw_table() {
        const Palette& colors = look_.colors();
        const Counted counted = counted_of(rows_);
        const KernelParameters& p = pair_.watched_launch.parameters;
        const float bar = (shown_.names ? 4 : 2) * px_;
        const std::string of_size = "\nat " + std::to_string(p.m) + " x " + std::to_string(p.n) +
                                    " x " + std::to_string(p.k);
        ScrollTable table(
            look_, {px_, 2.0f, 2.0f},
            {{"", Align::kLeft},
             {.head = "GFLOPS" + (size_ ? "\nat " + size_text(pair_.race.race.request.sizes[*size_])
                                        : std::string()),
              .picture = bar,
              .stretch = true},
             {.head = (counted.conflicts ? "bank conflicts" : "sectors") +
                      (shown_.names ? of_size : std::string()),
              .picture = bar,
              .stretch = true}});
        const auto bar_of = [&](std::size_t row, bool speed) {
            const auto value = [&](std::size_t of) {
                return speed ? rows_[of].gflops : counted.values[of];
            };
            const double most = std::max(value(0).value_or(0), value(1).value_or(0));
            const std::string missing = speed ? rows_[row].missing : "";
            return TableCell{!value(row)        ? missing.empty() ? "\xe2\x80\xa6" : missing
                             : *value(row) == 0 ? "0"
                                                : figure_text(*value(row)),
                             Face::kMonoBold, colors.ink,
                             most > 0 ? value(row).value_or(0) / most : 0,
                             !speed     ? counted.conflicts ? colors.conflict : colors.b
                             : row == 0 ? colors.accent
                                        : colors.ink2};
        };
        for (std::size_t i = 0; i < 2; ++i)
            table.add({{rows_[i].name, i == 0 ? Face::kSemiBold : Face::kRegular, colors.ink},
                       bar_of(i, true),
                       bar_of(i, false)});
        least_width_ = table.least_width();
        row(table.most_height(), [&](const Rect& room) { table.draw(room); });
    }

    // Compares the speed of the two kernels. Without two results: why there is no race, or what is
    // being done before it.
    [[nodiscard]] std::string sentence() const {
        if (!pair_.sentence.empty()) return pair_.sentence;
        if (rows_[0].gflops && rows_[1].gflops) {
            const bool first = *rows_[0].gflops >= *rows_[1].gflops;
            const PairRow &faster = rows_[first ? 0 : 1], &slower = rows_[first ? 1 : 0];
            return faster.name + ": " + times_text(*faster.gflops / *slower.gflops) + " against " +
                   slower.name;
        }
        return pair_.has_race() ? as_sentence(pair_.looking) : std::string();
    }

    const RaceBench& bench_;
    const PairRace& pair_;
    const PairSize& shown_;
    Commands& commands_;
    std::array<PairRow, 2> rows_;
    std::optional<std::uint32_t> size_;
    float least_width_ = 0;
};

}  // namespace

Commands draw_race_pair(const Look& look, const Rect& stage, const Workbench& workbench) {
    Commands commands;
    if (workbench.races().pair() == nullptr) return commands;
    const float close = row_px(look, 30), pad = look.pad();
    const float width =
        std::round(std::min(look.px(760) + 24 * extra_px(look), stage.w - look.margin()));
    const float below = 2 * pad + look.wide();
    Rect room{0, 0, width - 2 * pad - close, 0};
    const PairSize* size = kPairSizes.data();
    for (const PairSize& each : kPairSizes) {
        float wide = 0;
        size = &each;
        room.h = measured([&] {
            PairCard card(look, room, workbench, each, commands);
            const float height = card.draw();
            wide = card.least_width();
            return height;
        });
        if (room.h + below <= stage.h && wide <= room.w) break;
    }
    const Rect card{std::round(stage.center().x - width / 2),
                    std::round(stage.bottom() - room.h - 2 * pad - look.wide()), width,
                    std::round(room.h + 2 * pad)};
    begin_card(look, "race.pair", stage, card, false);
    if (icon_button(look, "race.pair.close",
                    {card.right() - close - look.gap(), card.y + look.gap(), close, close},
                    Icon::kClose, false, "Close (Esc)"))
        commands.push_back(RaceAction{ClosePair{}});
    const Rect inner{card.x + pad, card.y + pad, room.w, 0};
    PairCard(look, inner, workbench, *size, commands).draw();
    ImGui::End();
    return commands;
}

}  // namespace tilereel
