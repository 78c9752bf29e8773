// The race as a table: the median GFLOPS for each size, and the share of the reference's speed.
#include <algorithm>
#include <numeric>

#include "app/panels/panel_table.h"
#include "app/panels/race/race_views.h"
#include "app/ui/widgets/tip.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr float kType = 14, kSmallType = 13;            // units: font sizes
constexpr std::size_t kTile = 1, kPad = 2, kSizes = 3;  // the first columns after the kernel

class RaceTable {
  public:
    explicit RaceTable(const RaceContext& race, float units = kType)
        : race_(race),
          look_(race.look),
          px_(race.type(units)),
          sizes_(sizes_by_edge(race.shown->race.request)),
          table_(look_, {px_, 1.75f, 2.6f}, columns()) {
        order_rows();
        for (const std::uint32_t c : order_) table_.add(cells_of(c));
    }

    [[nodiscard]] float most_height() const { return table_.most_height(); }
    // Whether all columns fit beside the vertical scroll bar.
    [[nodiscard]] bool fits(float width) const {
        return table_.least_width() + look_.wide() < width;
    }

    void draw(const Rect& room, TableScroll& scroll) {
        table_.draw(room, scroll,
                    {.row = [&](std::size_t row, const Rect& area) { draw_row(order_[row], area); },
                     .cell = [&](std::size_t row, std::size_t column,
                                 const Rect& area) { draw_cell(order_[row], column, area); },
                     .heading = [&](std::size_t column,
                                    const Rect& area) { return draw_heading(column, area); }});
    }

  private:
    [[nodiscard]] float marks() const { return 2.2f * px_; }  // width of a row's marker
    [[nodiscard]] std::size_t share_column() const { return kSizes + sizes_.size(); }

    // A rectangular size has two lines: 8,192 x 64 above x 8,192.
    [[nodiscard]] std::string heading_of(std::uint32_t s) const {
        const ProductSize& size = race_.sizes()[s];
        if (is_square(size)) return (s == sizes_.front() ? "N = " : "") + size_words(size);
        const std::string name = size_words(size);
        const std::size_t depth = name.rfind('x');
        return name.substr(0, depth) + "\n" + name.substr(depth);
    }

    [[nodiscard]] std::vector<TableColumn> columns() const {
        std::vector<TableColumn> columns = {
            {"kernel", Align::kLeft, marks()}, {.head = "TILE"}, {.head = "PAD"}};
        for (const std::uint32_t s : sizes_)
            columns.push_back({.head = heading_of(s), .stretch = true});
        if (!race_.size) return columns;
        if (const auto& reference = race_.shown->figures.reference)
            columns.push_back({.head = "of " + (race_.shown->figures.one_reference()
                                                    ? title_of(race_.contenders()[*reference])
                                                    : "its cuBLAS"),
                               .picture = 2.5f * px_,
                               .stretch = true});
        else
            columns.push_back({});
        columns.push_back({.head = "spread"});
        return columns;
    }

    // Sorts the rows by speed at the focused size, fastest first.
    void order_rows() {
        order_.resize(race_.contenders().size());
        std::iota(order_.begin(), order_.end(), 0u);
        if (!race_.size) return;
        std::ranges::stable_sort(order_, std::ranges::greater{}, [&](std::uint32_t c) {
            return race_.shown->figures.median(c, *race_.size).value_or(-1);
        });
    }

    [[nodiscard]] std::vector<TableCell> cells_of(std::uint32_t c) const {
        const Palette& colors = race_.colors();
        const Contender& contender = race_.contenders()[c];
        const auto number = [&](bool shown, int value) {
            return TableCell{shown ? std::to_string(value) : "", Face::kMono, colors.ink3};
        };
        std::vector<TableCell> cells = {
            {title_of(contender), c == race_.focus ? Face::kSemiBold : Face::kRegular, colors.ink},
            number(has_parameters(contender), contender.tile),
            number(has_parameters(contender) && has_pad(contender), contender.pad)};
        for (const std::uint32_t s : sizes_) cells.push_back(median_of(c, s));
        if (!race_.size) return cells;
        cells.push_back({share_text(c), Face::kMono, is_uncertain(c) ? colors.conflict : colors.ink,
                         share_of(c).value_or(-1),
                         race_.strong(c) ? race_.styles[c].color : colors.ink2});
        cells.push_back(spread_of(c));
        return cells;
    }

    [[nodiscard]] TableCell median_of(std::uint32_t c, std::uint32_t s) const {
        const Palette& colors = race_.colors();
        const RaceEntry& entry = race_.shown->figures.entries[c][s];
        if (runs(c, s)) return {};
        if (const std::string_view word = outcome_word(entry); !word.empty())
            return {std::string(word), Face::kRegular,
                    *entry.outcome == Outcome::kWrong ? colors.conflict : colors.ink3};
        if (!entry.rate) return {"\xe2\x80\x93", Face::kMono, colors.ink3};
        return {figure_text(entry.rate->median), s == race_.size ? Face::kMonoBold : Face::kMono,
                entry.outcome == Outcome::kUnchecked ? colors.ink3 : colors.ink};
    }

    // Whether samples of the entry are being taken.
    [[nodiscard]] bool runs(std::uint32_t c, std::uint32_t s) const {
        const RaceEntry& entry = race_.shown->figures.entries[c][s];
        return race_.shown->running && s == race_.shown->figures.running_size &&
               (!entry.outcome || is_timed(*entry.outcome)) && entry.samples < repeats();
    }
    [[nodiscard]] std::uint32_t repeats() const {
        return static_cast<std::uint32_t>(race_.shown->race.request.repeats);
    }

    [[nodiscard]] const std::optional<Statistics>& samples_of(std::uint32_t c) const {
        return race_.shown->figures.entries[c][*race_.size].rate;
    }
    // The spread of the samples at the focused size; bold if they lie far apart.
    [[nodiscard]] TableCell spread_of(std::uint32_t c) const {
        const auto& gflops = samples_of(c);
        if (!gflops) return {};
        const bool large = spread_is_large(*gflops);
        return {percent_text(relative_spread(*gflops)), large ? Face::kMonoBold : Face::kMono,
                large ? race_.colors().conflict : race_.colors().ink3};
    }

    [[nodiscard]] std::optional<double> share_of(std::uint32_t c) const {
        return share_of_reference(race_.shown->figures, c, *race_.size);
    }
    [[nodiscard]] bool is_uncertain(std::uint32_t c) const {
        const RaceFigures& figures = race_.shown->figures;
        return share_of(c) && (figures.unsteady(c, *race_.size) ||
                               figures.unsteady(*figures.references[c], *race_.size));
    }
    // "95.3 %", or "? 95.3 %" if it is uncertain. Empty if there is none.
    [[nodiscard]] std::string share_text(std::uint32_t c) const {
        const auto share = share_of(c);
        if (!share) return {};
        return (is_uncertain(c) ? "? " : "") + percent_text(*share);
    }
    [[nodiscard]] static std::string percent_text(double share) {
        return printed(share < 0.995 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    ImU32 draw_heading(std::size_t column, const Rect& area) const {
        if (column < kSizes || column >= share_column()) return 0;
        const std::uint32_t s = sizes_[column - kSizes];
        const Interaction touch = interact(look_, "race.size." + std::to_string(s), area,
                                           "Shares, roofline and sweep at this size");
        if (touch.clicked) race_.ask(SelectSize{s});
        return s == race_.size || touch.hovered ? race_.colors().ink : 0;
    }

    void draw_row(std::uint32_t c, const Rect& area) const {
        const Palette& colors = race_.colors();
        const Rect row{area.x, area.y + 1, area.w, area.h - 2};
        const std::string id = std::to_string(c);
        const Interaction mark =
            interact(look_, "race.table.line." + id, {row.x, row.y, marks(), row.h},
                     "Draw its line in a colour of its own, or thin");
        if (mark.clicked) race_.ask(HighlightLine{c});
        const Interaction touch =
            interact(look_, "race.row." + id, {row.x + marks(), row.y, row.w - marks(), row.h},
                     c == race_.bench.view().contender ? "No longer look at this kernel"
                                                       : "Look at this kernel");
        if (touch.clicked) race_.ask(SelectPoint{c, std::nullopt});
        const bool focus = c == race_.focus;
        draw_row_mark(look_, row, focus, touch.hovered);
        if (!focus && !touch.hovered)
            fill_rect({area.x, area.y, area.w, look_.line()}, colors.cell);
        draw_mark(c, {row.x + marks() / 2, row.center().y}, mark.hovered);
    }

    // The marker of a strong line, a dot for a thin one. Both grow with the text.
    void draw_mark(std::uint32_t c, ImVec2 at, bool hovered) const {
        const ImU32 color = race_.styles[c].color;
        if (race_.strong(c))
            return draw_marker(race_.styles[c].marker, at, 0.86f * px_, color,
                               race_.colors().panel);
        if (race_.hidden(c)) return;
        const float radius = 0.22f * px_;
        register_widget("race.table.thin." + std::to_string(c),
                        {at.x - radius, at.y - radius, 2 * radius, 2 * radius});
        draw_list()->AddCircleFilled(at, radius, hovered ? race_.colors().ink2 : color);
    }

    void draw_cell(std::uint32_t c, std::size_t column, const Rect& area) const {
        if (column == share_column() && race_.size && is_uncertain(c)) {
            register_widget("race.uncertain." + std::to_string(c), area);
            show_tip(area,
                     "Uncertain: the samples of this kernel or of the reference vary widely; the "
                     "machine was busy");
        }
        if (column == share_column() + 1 && race_.size)
            if (const auto& gflops = samples_of(c))
                show_tip(area, "Slowest sample " + figure_text(gflops->least) + ", fastest " +
                                   figure_text(gflops->most) + " " + race_.unit() +
                                   "; spread: interquartile range, as a share of the median");
        if (column < kSizes || column >= share_column()) return;
        const std::uint32_t s = sizes_[column - kSizes];
        const RaceEntry& entry = race_.shown->figures.entries[c][s];
        const float height = 0.75f * px_, width = std::min(area.w - px_, 6 * px_);
        if (runs(c, s))
            draw_repeats(
                look_,
                {area.right() - 0.7f * px_ - width, area.center().y - height / 2, width, height},
                entry.samples, repeats(),
                c == race_.focus ? race_.colors().accent : race_.colors().ink2);
        else if (entry.outcome == Outcome::kUnchecked)
            show_tip(area, "Not checked: " + entry.sentence);
        else if (!outcome_word(entry).empty())
            show_tip(area, entry.sentence);
    }

    void show_tip(const Rect& area, std::string_view tip) const {
        const Rect seen = seen_part(area);
        if (!tip.empty() && ImGui::IsMouseHoveringRect(seen.min(), seen.max()) &&
            ImGui::IsWindowHovered())
            draw_tip(look_, seen, tip);
    }

    const RaceContext& race_;
    const Look& look_;
    float px_;
    std::vector<std::uint32_t> order_, sizes_;
    ScrollTable table_;
};

}  // namespace

float race_table_height(const RaceContext& race) {
    return RaceTable(race).most_height() + race.look.pad();
}

void draw_race_table(const RaceContext& race, const Rect& card, TableScroll& scroll) {
    const Rect room = card.inset(race.look.gap());
    RaceTable table(race);
    if (table.fits(room.w)) return table.draw(room, scroll);
    RaceTable smaller(race, kSmallType);
    (smaller.fits(room.w) ? smaller : table).draw(room, scroll);
}

}  // namespace tilereel
