// What the blocks of the launch find in L2: which run together, what they read, and what another
// order of the blocks would change.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/time/time_views.h"
#include "app/workbench/time/estimate_figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// The largest number of cells that a side of the grid is drawn with.
constexpr std::uint32_t kMostCells = 64;

std::string amount_text(double low, double high) {
    const auto [unit, name] = high >= 1e9   ? std::pair(1e9, " GB")
                              : high >= 1e6 ? std::pair(1e6, " MB")
                                            : std::pair(1e3, " kB");
    const std::string most = two_digits(high / unit), least = two_digits(low / unit);
    return (least == most ? most : least + " to " + most) + name;
}
std::string amount_text(double bytes) { return amount_text(bytes, bytes); }

std::string name_of_order(const BlockOrder& order) {
    return order.group_rows <= 1 ? "as launched"
                                 : std::to_string(order.group_rows) + " rows at a time";
}

class L2Picture : public Column {
  public:
    L2Picture(const TimeContext& time, const Rect& place, const LaunchL2& l2)
        : Column(time.look, place), time_(time), l2_(l2) {
        time.memory.l2_order %= l2.orders.size();
        const auto& waves = shown().run.waves;
        time.memory.l2_wave = std::min(time.memory.l2_wave, waves.size() - 1);
    }

    float draw() {
        const Palette& colors = time_.colors();
        draw_head();
        draw_orders();
        space(look_.gap());
        draw_waves();
        draw_grid();
        space(look_.gap());
        draw_legend();
        draw_reads();
        space(look_.gap());
        paragraph(model_words(), {Face::kRegular, time_.type(13), colors.ink3});
        return height();
    }

  private:
    [[nodiscard]] const OrderedL2& shown() const { return l2_.orders[time_.memory.l2_order]; }
    [[nodiscard]] const L2Wave& wave() const { return shown().run.waves[time_.memory.l2_wave]; }

    void draw_head() {
        const float px = time_.type(18), tag = time_.type(12);
        row(1.7f * px, [&](const Rect& at) {
            const float used = draw_text({at.x, at.center().y}, "Blocks and L2",
                                         {Face::kSemiBold, px, time_.colors().ink});
            if (used + look_.wide() + estimated_tag_width(tag) <= at.w)
                draw_estimated_tag(time_, {at.x + used + look_.wide(), at.center().y}, tag);
        });
    }

    // A bar for each order: what comes from DRAM in the whole launch.
    void draw_orders() {
        const Palette& colors = time_.colors();
        const float px = time_.type(14);
        paragraph("From DRAM in the launch, by the order of its blocks:",
                  {Face::kRegular, px, colors.ink2});
        double most = 0;
        float names = 0, figures = 0;
        for (const OrderedL2& each : l2_.orders) {
            most = std::max(most, each.most_fetched());
            names = std::max(names, text_width(name_of_order(each.order), Face::kSemiBold, px));
            figures = std::max(figures, text_width(figure_of(each), Face::kMonoBold, px));
        }
        for (std::size_t i = 0; i < l2_.orders.size(); ++i)
            row(1.9f * px, [&](const Rect& at) { draw_order(i, at, names, figures, most); });
    }
    [[nodiscard]] static std::string figure_of(const OrderedL2& order) {
        return amount_text(order.least_fetched(), order.most_fetched());
    }
    void draw_order(std::size_t i, const Rect& at, float names, float figures, double most) {
        const OrderedL2& order = l2_.orders[i];
        const Palette& colors = time_.colors();
        const float px = time_.type(14);
        const bool chosen = i == time_.memory.l2_order;
        const Interaction mouse =
            interact(look_, "time.l2.order." + std::to_string(i), at, "run the blocks so (O)");
        if (mouse.clicked) time_.memory.l2_order = i;
        draw_row_mark(look_, at, chosen, mouse.hovered);
        const float pad = look_.gap();
        draw_text({at.x + pad, at.center().y}, name_of_order(order.order),
                  {chosen ? Face::kSemiBold : Face::kRegular, px, colors.ink});
        draw_text({at.right() - pad, at.center().y}, figure_of(order),
                  {chosen ? Face::kMonoBold : Face::kMono, px, colors.ink, Align::kRight});
        const float left = at.x + 2 * pad + names;
        const Rect bar{left, at.center().y - 0.4f * px,
                       std::max(1.0f, at.right() - figures - 2 * pad - left), 0.8f * px};
        const auto length = [&](double bytes) {
            return most > 0 ? static_cast<float>(bytes / most) * bar.w : 0;
        };
        const float low = length(order.least_fetched()), high = length(order.most_fetched());
        fill_rect({bar.x, bar.y, std::max(low, look_.hair()), bar.h},
                  chosen ? colors.accent : colors.ink3, look_.hair());
        if (high > low + 1)
            dashed_rect({bar.x + low, bar.y, high - low, bar.h},
                        chosen ? colors.accent : colors.ink3, look_.line(), look_.px(4));
    }

    void draw_waves() {
        const float px = time_.type(14);
        const std::size_t all = shown().run.waves.size();
        row(1.9f * px, [&](const Rect& at) {
            const float size = at.h;
            std::size_t& wave = time_.memory.l2_wave;
            const Rect back{at.x, at.y, size, size},
                next{back.right() + look_.hair(), at.y, size, size};
            if (icon_button(look_, "time.l2.back", back, Icon::kBack, false,
                            "the wave before ([)") &&
                wave > 0)
                --wave;
            if (icon_button(look_, "time.l2.next", next, Icon::kForward, false,
                            "the next wave (])") &&
                wave + 1 < all)
                ++wave;
            const std::string words = "wave " + with_commas(wave + 1) + " of " + with_commas(all);
            const float left = next.right() + look_.wide();
            draw_text({left, at.center().y}, words, {Face::kSemiBold, px, time_.colors().ink});
        });
        space(look_.gap());
    }

    [[nodiscard]] ImU32 solid_of(ArrayId array) const { return time_.color_of(l2_.names[array]); }

    // Arrays that blocks of a row read alike stand left of the grid, those of a column above it;
    // all others below it.
    void draw_grid() {
        std::vector<ArrayId> left, above, below;
        for (std::size_t i = 0; i < l2_.arrays.size(); ++i) {
            if (shown().run.arrays[i].asked <= 0) continue;
            (l2_.of_rows[i]      ? left
             : l2_.of_columns[i] ? above
                                 : below)
                .push_back(static_cast<ArrayId>(i));
        }
        const float px = time_.type(14), gap = look_.wide(), label = 1.5f * px;
        const float side = std::min(0.22f * rect_.w, 8 * px);
        const float margin = left.empty() ? 0 : side + gap;
        const float width = std::min(rect_.w - margin, 24 * px);
        const float tall = grid_height(width);
        for (const ArrayId array : above)
            row(label + 0.35f * side + gap, [&](const Rect& at) {
                draw_array(array, {at.x + margin, at.y, width, at.h - gap}, label);
            });
        row(tall + label, [&](const Rect& at) {
            float x = at.x;
            const float each = left.empty() ? 0 : side / static_cast<float>(left.size());
            for (const ArrayId array : left) {
                draw_array(array, {x, at.y, each - look_.hair(), at.h}, label);
                x += each;
            }
            draw_label("blocks", {at.x + margin, at.y}, time_.colors().ink);
            draw_blocks({at.x + margin, at.y + label, width, tall});
        });
        for (const ArrayId array : below) {
            space(gap);
            row(label + 0.4f * side, [&](const Rect& at) {
                draw_array(array, {at.x, at.y, margin + width, at.h}, label);
            });
        }
    }
    [[nodiscard]] float grid_height(float width) const {
        const float rows = static_cast<float>(rows_of_grid()),
                    columns = static_cast<float>(l2_.grid.x);
        return std::clamp(width * rows / columns, 2 * time_.type(14), 0.6f * width);
    }
    [[nodiscard]] std::uint32_t rows_of_grid() const { return l2_.grid.y * l2_.grid.z; }

    void draw_label(std::string_view text, ImVec2 at, ImU32 color) {
        draw_text({at.x, at.y + 0.6f * time_.type(14)}, text,
                  {Face::kSemiBold, time_.type(14), color});
    }

    // Of each cell the share of its blocks that run in this wave, or have run before.
    void draw_blocks(const Rect& at) {
        register_widget("time.l2.grid", at);
        const Palette& colors = time_.colors();
        const std::uint32_t columns = std::min(l2_.grid.x, kMostCells),
                            rows = std::min(rows_of_grid(), kMostCells);
        struct Count {
            float all = 0, running = 0, done = 0;
        };
        std::vector<Count> cells(std::size_t{columns} * rows);
        const L2Wave& now = wave();
        const auto blocks = static_cast<std::uint32_t>(l2_.grid.count());
        for (std::uint32_t position = 0; position < blocks; ++position) {
            const std::uint32_t block = shown().order.block_at(l2_.grid, position);
            const std::uint64_t x = block % l2_.grid.x, y = block / l2_.grid.x;
            Count& cell = cells[y * rows / rows_of_grid() * columns + x * columns / l2_.grid.x];
            ++cell.all;
            if (position < now.first)
                ++cell.done;
            else if (position < now.first + now.count)
                ++cell.running;
        }
        fill_rect(at, colors.raised, look_.hair());
        const float w = at.w / static_cast<float>(columns), h = at.h / static_cast<float>(rows);
        const float line = std::min(w, h) >= look_.px(4) ? look_.px(1) : 0;
        for (std::uint32_t i = 0; i < cells.size(); ++i) {
            const Count& cell = cells[i];
            const Rect place{at.x + static_cast<float>(i % columns) * w,
                             at.y + static_cast<float>(i / columns) * h, w - line, h - line};
            if (cell.done > 0)
                fill_rect(place, mix(colors.raised, colors.ink3, 0.55f * cell.done / cell.all));
            if (cell.running > 0)
                fill_rect(place, mix(colors.raised, colors.accent,
                                     std::max(0.4f, cell.running / cell.all)));
        }
    }

    // Its rows and columns in few cells: what comes from DRAM is solid, what is found in L2 a tint.
    void draw_array(ArrayId array, const Rect& at, float label) {
        const Palette& colors = time_.colors();
        register_widget("time.l2." + l2_.names[array], at);
        const ImU32 solid = solid_of(array);
        draw_label(l2_.names[array], at.min(), solid);
        const Rect box{at.x, at.y + label, at.w, at.h - label};
        fill_rect(box, colors.raised, look_.hair());
        const auto [rows, columns] = heat_extents(l2_.arrays[array]);
        const std::vector<HeatCell>& heat = wave().heat[array];
        const float w = box.w / static_cast<float>(columns), h = box.h / static_cast<float>(rows);
        for (std::uint32_t i = 0; i < heat.size(); ++i) {
            if (heat[i].asked <= 0) continue;
            const float share = heat[i].fetched / heat[i].asked;
            fill_rect({box.x + static_cast<float>(i % columns) * w,
                       box.y + static_cast<float>(i / columns) * h, w, h},
                      mix(mix(colors.raised, solid, 0.28f), solid, share));
        }
        stroke_rect(box, colors.line, look_.hair(), look_.hair());
    }

    void draw_legend() {
        const Palette& colors = time_.colors();
        const float px = time_.type(13);
        const std::array<std::pair<ImU32, const char*>, 4> marks{
            {{colors.accent, "run now"},
             {mix(colors.raised, colors.ink3, 0.55f), "have run"},
             {colors.ink, "read from DRAM"},
             {mix(colors.raised, colors.ink, 0.28f), "found in L2"}}};
        float x = rect_.x;
        std::vector<std::vector<std::size_t>> lines(1);
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const float width = 1.6f * px + text_width(marks[i].second, Face::kRegular, px);
            if (x + width > rect_.right() && !lines.back().empty()) {
                lines.emplace_back();
                x = rect_.x;
            }
            lines.back().push_back(i);
            x += width + look_.wide();
        }
        for (const auto& line : lines)
            row(1.6f * px, [&](const Rect& at) {
                float left = at.x;
                for (const std::size_t i : line) {
                    fill_rect({left, at.center().y - 0.45f * px, 0.9f * px, 0.9f * px},
                              marks[i].first, look_.hair());
                    left += 1.4f * px;
                    left += draw_text({left, at.center().y}, marks[i].second,
                                      {Face::kRegular, px, colors.ink2}) +
                            look_.wide();
                }
            });
    }

    void draw_reads() {
        const Palette& colors = time_.colors();
        L2Bytes all;
        for (const L2Bytes& each : wave().arrays) {
            all.asked += each.asked;
            all.fetched += each.fetched;
        }
        const float px = time_.type(15);
        std::vector<StyledText> words{
            {with_commas(wave().count) + " blocks", Face::kSemiBold, colors.ink},
            {" run together and ask L2 for ", Face::kRegular, colors.ink2},
            {amount_text(all.asked), Face::kSemiBold, colors.ink},
            {". ", Face::kRegular, colors.ink2},
            {amount_text(all.fetched), Face::kSemiBold, colors.ink},
            {" of it come from DRAM. Of what is read, L2 has:", Face::kRegular, colors.ink2}};
        const char* between = " ";
        for (std::size_t i = 0; i < wave().arrays.size(); ++i) {
            const L2Bytes& of = wave().arrays[i];
            if (of.asked <= 0) continue;
            words.push_back({between, Face::kRegular, colors.ink2});
            words.push_back({l2_.names[i], Face::kSemiBold, solid_of(static_cast<ArrayId>(i))});
            words.push_back({" " + share_text(of.hits()), Face::kRegular, colors.ink2});
            between = ", ";
        }
        words.push_back({".", Face::kRegular, colors.ink2});
        styled(words, px);
    }

    [[nodiscard]] std::string model_words() const {
        std::string words = "Modelled: L2 keeps what was used last. ";
        if (l2_.of_each > 1)
            words +=
                "The picture lets the " + std::to_string(l2_.of_each) +
                " blocks of an SM run in turn; the range of a bar is from all alike to in turn. ";
        words += l2_.all_recorded ? "All blocks are recorded."
                                  : "A few blocks are recorded, the others lie as these do.";
        return words;
    }

    const TimeContext& time_;
    const LaunchL2& l2_;
};

}  // namespace

float draw_time_l2(const TimeContext& time, const Rect& place) {
    const EstimatedLaunch* const answer = time.workbench.l2_answer();
    if (answer != nullptr && answer->l2 && !answer->l2->orders.empty() &&
        !answer->l2->orders.front().run.waves.empty())
        return L2Picture(time, place, *answer->l2).draw();
    const std::string words =
        answer == nullptr ? "Some blocks are being recorded at this size."
                          : "What the blocks find in L2 is not known: " + answer->why_no_l2 + ".";
    return draw_paragraph(place.min(), place.w, words,
                          {Face::kRegular, time.type(14), time.colors().ink3});
}

}  // namespace tilereel
