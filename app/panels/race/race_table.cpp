// The race as a table: the median GFLOPS for each size, and the share of the reference's speed.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/panels/race/race_views.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/tip.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

class RaceTable {
  public:
    RaceTable(const RaceContext& race, const Rect& card, float& scroll)
        : race_(race), look_(race.look), card_(card), scroll_(scroll) {
        px_ = race.type(14);
        row_ = std::max(row_px(look_, 24), 1.7f * px_);
        sizes_ = sizes_by_edge(race_.shown->race.request);
        const bool stacked = std::ranges::any_of(
            sizes_, [&](std::uint32_t s) { return !heading_of(s).below.empty(); });
        const float least_head = stacked ? std::max(row_, 2 * kLine * px_) : row_;
        const auto rows = static_cast<float>(race.contenders().size());
        const float room = card.h - look_.pad();
        const float even = stacked ? (room - least_head) / rows : room / (rows + 1);
        row_ = std::clamp(even, row_, look_.px(45) + extra_px(look_));
        head_ = std::max(row_, least_head);
        order_rows();
        lay_out();
    }

    void draw() {
        const float top = card_.y + look_.gap();
        draw_head(top + head_ / 2);
        const Rect body{card_.x, top + head_, card_.w, card_.bottom() - look_.gap() - top - head_};
        const float needed = row_ * static_cast<float>(order_.size());
        const ScrollArea area(look_, body, needed, scroll_);
        float y = area.top();
        for (const std::uint32_t c : order_) {
            if (area.shows(y, row_)) draw_row(c, y);
            y += row_;
        }
    }

  private:
    static constexpr float kLine = 1.25f;  // line height of a heading / font size

    // The heading of a size's column. A rectangular size has two lines: 8192x64 above x8192.
    struct Heading {
        std::string above, below;
    };
    [[nodiscard]] Heading heading_of(std::uint32_t s) const {
        const ProductSize& size = race_.sizes()[s];
        const std::string name = name_of(size);
        if (is_square(size)) return {s == sizes_.front() ? "N = " + name : name, ""};
        const std::size_t depth = name.rfind('x');
        return {name.substr(0, depth), name.substr(depth)};
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

    // Places the columns from the right. If not all fit, the smallest sizes are left out.
    void lay_out() {
        left_ = card_.x + look_.pad();
        const float gap = 1.2f * px_;
        const float names = widest(race_.contenders(), Face::kSemiBold, px_, title_of);
        name_right_ = left_ + look_.px(36) + std::min(names, 0.32f * card_.w);
        number_ = text_width("TILE", Face::kRegular, px_) + gap;
        const float fixed = name_right_ + 2 * number_;
        share_ = race_.shown->figures.reference
                     ? text_width("share of cuBLAS at 16384", Face::kRegular, px_) + gap
                     : 0;
        float least_share = text_width("of ref. ", Face::kRegular, px_);
        spread_ = race_.size ? text_width("slowest \xe2\x80\x93 fastest", Face::kRegular, px_) : 0;
        const auto share_of = [&](std::uint32_t c) { return share_text(c); };
        const auto spread_of = [&](std::uint32_t c) { return spread_text(c); };
        least_share = std::max(least_share, widest(order_, Face::kMono, px_, share_of));
        spread_ = std::max(spread_, widest(order_, Face::kMonoBold, px_, spread_of));
        if (share_ > 0) share_ = std::max(share_, least_share + gap);
        if (spread_ > 0) spread_ += gap;
        const float right = card_.right() - look_.pad();
        // If the columns do not fit, the bar is left out first, then the spread, then sizes.
        const float room = right - fixed;
        const auto need = [&] {
            widths_.clear();
            for (const std::uint32_t s : sizes_) {
                const auto [above, below] = heading_of(s);
                float width = text_width("00,000", Face::kMono, px_);
                for (const std::string& line : {above, below})
                    width = std::max(width, text_width(line, Face::kMono, px_));
                widths_.push_back(width + 1.4f * gap);
            }
            return std::reduce(widths_.begin(), widths_.end(), share_ + spread_);
        };
        if (need() > room && share_ > 0) share_ = std::min(share_, least_share + gap);
        if (need() > room) spread_ = 0;
        while (need() > room && sizes_.size() > 1) {
            const bool keep_first =
                sizes_.front() == race_.size || sizes_.front() == race_.shown->figures.running_size;
            sizes_.erase(sizes_.begin() + (keep_first ? 1 : 0));
        }
        const float spare = std::max(0.0f, room - need());
        for (float& width : widths_) width += spare / static_cast<float>(widths_.size());
        right_ = right;
    }

    [[nodiscard]] float size_right(std::size_t column) const {
        return std::accumulate(widths_.begin() + static_cast<std::ptrdiff_t>(column) + 1,
                               widths_.end(), right_ - share_ - spread_, std::minus{});
    }

    void draw_head(float y) {
        const Palette& colors = race_.colors();
        const TextStyle style{Face::kRegular, px_, colors.ink3, Align::kRight};
        draw_text({left_ + look_.tight(), y}, "kernel", {Face::kRegular, px_, colors.ink3});
        draw_text({name_right_ + number_, y}, "TILE", style);
        draw_text({name_right_ + 2 * number_, y}, "PAD", style);
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const auto [above, below] = heading_of(sizes_[i]);
            const float right = size_right(i);
            const Rect area = cell_area(i, y, head_);
            const Touch touch = touch_area(look_, "race.size." + std::to_string(sizes_[i]), area,
                                           "Shares, roofline and sweep at this size");
            const bool chosen = sizes_[i] == race_.size;
            TextStyle own = style;
            if (chosen || touch.hovered) own.color = colors.ink;
            own.face = Face::kMono;
            float top = y - (below.empty() ? kLine / 2 : kLine) * px_;
            for (const std::string& line : {above, below}) {
                if (line.empty()) continue;
                draw_text({right, top + kLine / 2 * px_}, line, own);
                const float width = text_width(line, Face::kMono, px_);
                register_widget("race.heading." + std::to_string(i) + "." + line,
                                {right - width, top, width, kLine * px_});
                top += kLine * px_;
            }
            if (touch.clicked) race_.ask(SelectSize{sizes_[i]});
        }
        if (spread_ > 0) {
            const Rect area{right_ - share_ - spread_, y - head_ / 2, spread_, head_};
            register_widget("race.spread", area);
            draw_text({right_ - share_, y}, "slowest \xe2\x80\x93 fastest", style);
        }
        if (share_ <= 0 || !race_.size) return;
        const auto& reference = race_.contenders()[*race_.shown->figures.reference];
        const bool cublas = reference.kernel == kCublas;
        std::string words = std::string("share of ") + (cublas ? "cuBLAS" : "OpenBLAS") + " at " +
                            name_of(race_.sizes()[*race_.size]);
        if (text_width(words, Face::kRegular, px_) > share_ - 0.6f * px_) words = "of ref.";
        draw_text({right_, y}, words, style);
    }

    void draw_row(std::uint32_t c, float top) {
        const Palette& colors = race_.colors();
        const Contender& contender = race_.contenders()[c];
        const LineStyle& style = race_.styles[c];
        const float y = top + row_ / 2;
        const Rect row{card_.x + look_.gap(), top + 1, card_.w - look_.pad(), row_ - 2};
        const float names = left_ + look_.px(28);
        const Touch mark = touch_area(look_, "race.table.line." + std::to_string(c),
                                      {row.x, row.y, names - row.x, row.h},
                                      "Its line in a colour of its own, or thin");
        if (mark.clicked) race_.ask(HighlightLine{c});
        const Touch touch = touch_area(
            look_, "race.row." + std::to_string(c), {names, row.y, row.right() - names, row.h},
            c == race_.bench.view().contender ? "No longer look at this kernel"
                                              : "Look at this kernel");
        if (touch.clicked) race_.ask(SelectPoint{c, std::nullopt});
        const bool focus = c == race_.focus;
        draw_row_mark(look_, row, focus, touch.hovered);
        if (!focus && !touch.hovered)
            fill_rect({left_, top, card_.w - look_.px(32), look_.px(1)}, colors.cell);
        const ImVec2 at{left_ + look_.wide(), y};
        if (race_.strong(c))
            draw_marker(style.marker, at, std::min(look_.wide(), 0.9f * px_), style.color,
                        colors.panel);
        else if (!race_.hidden(c))
            draw_list()->AddCircleFilled(at, look_.px(3), mark.hovered ? colors.ink2 : style.color);
        draw_text_fit({left_ + look_.px(34), y}, name_right_ - left_ - look_.px(34),
                      title_of(contender),
                      {focus ? Face::kSemiBold : Face::kRegular, px_, colors.ink});
        const TextStyle small{Face::kMono, px_, colors.ink3, Align::kRight};
        if (has_parameters(contender)) {
            draw_text({name_right_ + number_, y}, std::to_string(contender.tile), small);
            if (has_pad(contender))
                draw_text({name_right_ + 2 * number_, y}, std::to_string(contender.pad), small);
        }
        for (std::size_t i = 0; i < sizes_.size(); ++i) draw_cell(c, i, y);
        if (spread_ > 0) draw_spread(c, y);
        if (share_ > 0) draw_share(c, y);
    }

    // The slowest and the fastest sample at the focused size.
    [[nodiscard]] std::string spread_text(std::uint32_t c) const {
        if (!race_.size) return {};
        const auto& gflops = race_.shown->figures.entries[c][*race_.size].gflops;
        if (!gflops) return {};
        return figure_text(gflops->least) + " \xe2\x80\x93 " + figure_text(gflops->most);
    }

    // Drawn bold if the spread is large.
    void draw_spread(std::uint32_t c, float y) const {
        const auto& gflops = race_.shown->figures.entries[c][*race_.size].gflops;
        const bool large = gflops && spread_is_large(*gflops);
        draw_text({right_ - share_, y}, spread_text(c),
                  {large ? Face::kMonoBold : Face::kMono, px_,
                   large ? race_.colors().conflict : race_.colors().ink3, Align::kRight});
    }

    [[nodiscard]] Rect cell_area(std::size_t column, float y, float height) const {
        const float right = size_right(column), width = widths_[column];
        return {right - width + 2, y - height / 2, width - 4, height};
    }

    void draw_cell(std::uint32_t c, std::size_t column, float y) {
        const std::uint32_t s = sizes_[column];
        const float right = size_right(column);
        const Palette& colors = race_.colors();
        const RaceEntry& entry = race_.shown->figures.entries[c][s];
        const bool running = race_.shown->running && s == race_.shown->figures.running_size &&
                             (!entry.outcome || *entry.outcome == Outcome::kVerified);
        const auto repeats = static_cast<std::uint32_t>(race_.shown->race.request.repeats);
        if (running && entry.samples < repeats) {
            draw_repeats(c, entry.samples, repeats,
                         {right - std::min(widths_[column] - px_, 6 * px_), y}, right);
            return;
        }
        if (const std::string_view word = outcome_word(entry); !word.empty()) {
            const bool wrong = *entry.outcome == Outcome::kWrong;
            draw_text({right, y}, word,
                      {Face::kRegular, px_, wrong ? colors.conflict : colors.ink3, Align::kRight});
            tell(cell_area(column, y, row_), entry.sentence);
            return;
        }
        const std::string text = entry.gflops ? figure_text(entry.gflops->median) : "\xe2\x80\x93";
        const bool strong = s == race_.size;
        draw_text({right, y}, text,
                  {strong ? Face::kMonoBold : Face::kMono, px_,
                   entry.gflops ? colors.ink : colors.ink3, Align::kRight});
    }

    void tell(const Rect& area, std::string_view tip) const {
        if (!tip.empty() && ImGui::IsMouseHoveringRect(area.min(), area.max()) &&
            ImGui::IsWindowHovered())
            draw_tip(look_, area, tip);
    }

    // Draws a box for each repeat, filled when it is done; a bar if there are too many for boxes.
    void draw_repeats(std::uint32_t c, std::uint32_t done, std::uint32_t all, ImVec2 at,
                      float right) {
        const Palette& colors = race_.colors();
        const ImU32 color = c == race_.focus ? colors.accent : colors.ink2;
        const auto [left, y] = at;
        const float width = right - left, height = 0.75f * px_;
        const float pitch = width / static_cast<float>(std::max(all, 1u));
        if (pitch < look_.tight()) {
            fill_rect({left, y - height / 2, width, height}, colors.cell, look_.px(2));
            fill_rect({left, y - height / 2, pitch * static_cast<float>(done), height}, color,
                      look_.px(2));
            return;
        }
        for (std::uint32_t i = 0; i < all; ++i) {
            const Rect box{left + pitch * static_cast<float>(i), y - height / 2,
                           pitch - look_.px(1.5f), height};
            if (i < done)
                fill_rect(box, color, look_.px(1.5f));
            else
                stroke_rect(box, mix(colors.panel, color, 0.5f), look_.line(), look_.px(1.5f));
        }
    }

    [[nodiscard]] bool uncertain(std::uint32_t c) const {
        const RaceFigures& figures = race_.shown->figures;
        return figures.unsteady(c, *race_.size) ||
               figures.unsteady(*figures.reference, *race_.size);
    }

    // "95.3 %", or "? 95.3 %" if it is uncertain. Empty if there is none.
    [[nodiscard]] std::string share_text(std::uint32_t c) const {
        if (!race_.size) return {};
        const auto share = share_of_reference(race_.shown->figures, c, *race_.size);
        if (!share) return {};
        char text[32];
        std::snprintf(text, sizeof text, *share < 0.995 ? "%.1f %%" : "%.0f %%", 100 * *share);
        return (uncertain(c) ? "? " : "") + std::string(text);
    }

    void draw_share(std::uint32_t c, float y) {
        const Palette& colors = race_.colors();
        const std::string text = share_text(c);
        if (text.empty()) return;
        const auto share = share_of_reference(race_.shown->figures, c, *race_.size);
        const float words =
            std::max(text_width("100.0 %", Face::kMono, px_), text_width(text, Face::kMono, px_));
        const bool doubt = uncertain(c);
        draw_text({right_, y}, text,
                  {Face::kMono, px_, doubt ? colors.conflict : colors.ink, Align::kRight});
        if (doubt) {
            const Rect area{right_ - words, y - row_ / 2, words, row_};
            register_widget("race.uncertain." + std::to_string(c), area);
            tell(area,
                 "Uncertain: the samples of one of the two lie far apart; the machine was busy");
        }
        const float room = share_ - words - 2.2f * px_;
        if (room < 3 * px_) return;
        const Rect bar{right_ - share_ + 1.4f * px_, y - 0.3f * px_, room, 0.6f * px_};
        fill_rect(bar, colors.cell, look_.px(3));
        const bool plain = !race_.strong(c);
        fill_rect({bar.x, bar.y,
                   std::max(look_.px(3), bar.w * static_cast<float>(std::min(1.0, *share))), bar.h},
                  plain ? colors.ink2 : race_.styles[c].color, look_.px(3));
    }

    const RaceContext& race_;
    const Look& look_;
    Rect card_;
    float& scroll_;
    float px_ = 14, row_ = 24, head_ = 24, left_ = 0, right_ = 0, name_right_ = 0, number_ = 0,
          share_ = 0, spread_ = 0;
    std::vector<std::uint32_t> order_, sizes_;
    std::vector<float> widths_;  // widths of the columns of sizes
};

}  // namespace

void draw_race_table(const RaceContext& race, const Rect& card, float& scroll) {
    RaceTable(race, card, scroll).draw();
}

}  // namespace tilereel
