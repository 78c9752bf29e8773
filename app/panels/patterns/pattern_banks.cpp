// The cost of the access, and the lane that each bank serves in each wavefront.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/patterns/pattern_views.h"
#include "instrumentation/analysis/word_service.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kLeastWavefronts = 4;  // smallest number of rows that are drawn

struct PatternFigure {
    std::string value, caption;
    bool conflict = false;
};

std::string counted(std::uint64_t number, const char* one, const char* many) {
    return with_commas(number) + " " + (number == 1 ? one : many);
}

std::vector<PatternFigure> figures_of_shared(const PatternAnswer& answer) {
    std::uint64_t crowded = 0;
    for (const std::uint8_t wavefronts : answer.banks.worst_group_wavefronts)
        crowded += wavefronts > 1 ? 1 : 0;
    const RequestCost& cost = answer.cost;
    return {
        {std::to_string(cost.wavefronts),
         std::string(cost.wavefronts == 1 ? "wavefront" : "wavefronts") + " of warp " +
             std::to_string(answer.warp) + "; the ideal is " +
             std::to_string(cost.ideal_wavefronts),
         cost.bank_conflicts > 0},
        {std::to_string(cost.bank_conflicts),
         cost.bank_conflicts == 1 ? "bank conflict" : "bank conflicts", cost.bank_conflicts > 0},
        {std::to_string(answer.banks.banks_used), "banks used"},
        {std::to_string(crowded), "banks with conflicts", crowded > 0},
        {with_commas(answer.block.wavefronts),
         "wavefronts of the block's " + counted(answer.block.requests, "request", "requests")}};
}

std::vector<PatternFigure> figures_of_global(const PatternAnswer& answer) {
    const RequestCost& cost = answer.cost;
    const GlobalRules& rules = answer.generation->global;
    const std::uint32_t used =
        cost.bytes_moved == 0 ? 0
                              : (100 * cost.bytes_used + cost.bytes_moved / 2) / cost.bytes_moved;
    std::vector<PatternFigure> figures = {
        {std::to_string(cost.transactions),
         std::string(cost.transactions == 1 ? rules.unit : rules.units) + " of warp " +
             std::to_string(answer.warp)},
        {std::to_string(cost.lines), cost.lines == 1 ? "line" : "lines"},
        {with_commas(cost.bytes_moved), "bytes moved"},
        {std::to_string(used) + " %", "of them used"},
        {with_commas(answer.block.sectors),
         "sectors of the block's " + counted(answer.block.requests, "request", "requests")}};
    return figures;
}

// Draws as many figures as fit on a row, the first one large. Returns the y position of the bottom.
float draw_figures(const PatternContext& lab, const Rect& room,
                   const std::vector<PatternFigure>& figures) {
    const Palette& colors = lab.colors();
    const float px = lab.type(14), large = lab.type(40), middle = lab.type(26);
    const float height = 1.2f * large, gap = lab.look.px(28);
    float x = room.x;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const PatternFigure& figure = figures[i];
        const ImU32 color = figure.conflict ? colors.conflict : colors.ink;
        const float size = i == 0 ? large : middle;
        const float number = text_width(figure.value, Face::kBold, size);
        const float words = text_width(figure.caption, Face::kRegular, px);
        const float width = i == 0 ? number + 0.6f * px + words : std::max(number, words);
        if (i > 0 && x + width > room.right()) break;
        if (i == 0) {
            draw_text({x, room.y + height / 2}, figure.value, {Face::kBold, size, color});
            draw_text_fit({x + number + 0.6f * px, room.y + height / 2},
                          room.right() - x - number - 0.6f * px, figure.caption,
                          {Face::kRegular, px, colors.ink2});
        } else {
            draw_text({x, room.y + 0.45f * middle}, figure.value, {Face::kBold, size, color});
            draw_text({x, room.y + height - 0.5f * px}, figure.caption,
                      {Face::kRegular, px, colors.ink2});
        }
        x += width + gap;
    }
    return room.y + height + 0.3f * px;
}

// The lanes that one bank serves in one wavefront.
struct Served {
    std::uint32_t first_lane = 0, lanes = 0;  // the lowest lane, and the number of lanes
    bool conflict = false;  // a later wavefront than the first of its group of lanes
};
using ServedCells = std::map<std::pair<std::uint32_t, std::uint32_t>, Served>;  // wavefront, bank

ServedCells served_cells(const PatternAnswer& answer) {
    const WordService service = word_service(answer.access, *answer.generation);
    ServedCells cells;
    for (const ServedWord& word : service.words) {
        const auto group = std::ranges::find_if(service.groups, [&](const LaneGroup& each) {
            return word.wavefront >= each.first_wavefront &&
                   word.wavefront < each.first_wavefront + each.wavefronts;
        });
        Served& cell = cells[{word.wavefront, word.bank}];
        cell.first_lane =
            cell.lanes == 0 ? word.lane : std::min<std::uint32_t>(cell.first_lane, word.lane);
        ++cell.lanes;
        cell.conflict = group != service.groups.end() && word.wavefront > group->first_wavefront;
    }
    return cells;
}

class BankPicture {
  public:
    BankPicture(const PatternContext& lab, const Rect& room) : lab_(lab), answer_(lab.answer()) {
        banks_ = static_cast<std::uint32_t>(answer_.generation->shared.banks);
        rows_ = std::max(answer_.cost.wavefronts, kLeastWavefronts);
        px_ = lab.type(12);
        left_ = text_width("bank ", Face::kRegular, px_) + lab.look.snug();
        pitch_x_ = std::floor((room.w - left_) / static_cast<float>(banks_));
        const float most = std::min(1.7f * pitch_x_, 4.5f * px_);
        bank_ = 1.5f * px_;
        const float gap = look_gap();
        pitch_y_ = std::clamp((room.h - bank_ - gap) / static_cast<float>(rows_), 3.0f, most);
        room_ = room;
        bottom_ = room.y + pitch_y_ * static_cast<float>(rows_) + gap + bank_;
    }

    void draw() {
        const ServedCells cells = served_cells(answer_);
        const Palette& colors = lab_.colors();
        draw_row_numbers();
        for (std::uint32_t row = 0; row < rows_; ++row)
            for (std::uint32_t bank = 0; bank < banks_; ++bank) {
                const Rect cell = cell_of(row, bank);
                const auto served = cells.find({row, bank});
                if (served == cells.end())
                    stroke_rect(cell, mix(colors.panel, colors.line, 0.5f), 1, radius());
                else
                    draw_served(cell, served->second);
            }
        for (std::uint32_t bank = 0; bank < banks_; ++bank) draw_bank(bank);
    }

  private:
    [[nodiscard]] float radius() const { return lab_.look.px(pitch_y_ < 8 ? 1 : 4); }
    [[nodiscard]] float look_gap() const { return lab_.look.snug(); }  // above the banks
    [[nodiscard]] Rect cell_of(std::uint32_t row, std::uint32_t bank) const {
        const float gap = pitch_y_ < 8 ? 1 : lab_.look.hair();
        return {room_.x + left_ + static_cast<float>(bank) * pitch_x_,
                bottom_ - bank_ - look_gap() - pitch_y_ * (static_cast<float>(row) + 1),
                pitch_x_ - gap, pitch_y_ - gap};
    }
    // Draws a number in a cell, if there is room for a readable size.
    void draw_number(const Rect& cell, const std::string& text, ImU32 color, Face face) const {
        const float fits =
            std::min(px_, std::min(0.8f * cell.h, 0.92f * px_ * cell.w /
                                                      std::max(text_width(text, face, px_), 1.0f)));
        if (fits >= lab_.look.px(9) - 0.5f)
            draw_text(cell.center(), text, {face, fits, color, Align::kCenter});
    }
    void draw_served(const Rect& cell, const Served& served) const {
        const Palette& colors = lab_.colors();
        fill_rect(cell, served.conflict ? colors.conflict_tint : colors.b, radius());
        if (served.conflict)
            stroke_rect(cell, colors.conflict, std::max(1.0f, lab_.look.frame()), radius());
        std::string text = std::to_string(served.first_lane);
        if (served.lanes > 1) text += "+" + std::to_string(served.lanes - 1);
        draw_number(cell, text, served.conflict ? colors.ink : colors.on, Face::kMonoBold);
    }
    void draw_row_numbers() const {
        const float px = std::min(px_, 0.9f * pitch_y_);
        // If the rows are low, only every 4th or 8th is numbered.
        const std::uint32_t every = px >= lab_.look.px(9) ? 1 : rows_ > 16 ? 8 : 4;
        for (std::uint32_t row = 0; row < rows_; ++row)
            if (every == 1 || (row + 1) % every == 0)
                draw_text({room_.x + left_ - lab_.look.gap(), cell_of(row, 0).center().y},
                          std::to_string(row + 1),
                          {Face::kMono, std::max(px, lab_.look.px(10)),
                           row < answer_.cost.wavefronts ? lab_.colors().ink : lab_.colors().ink3,
                           Align::kRight});
    }
    void draw_bank(std::uint32_t bank) const {
        const Palette& colors = lab_.colors();
        Rect cell = cell_of(0, bank);
        cell.h = bank_;
        cell.y = bottom_ - bank_;
        const bool used = answer_.banks.words_in_bank[bank] > 0;
        const bool crowded = answer_.banks.worst_group_wavefronts[bank] > 1;
        const ImU32 fill = crowded ? colors.conflict : used ? colors.b : colors.cell;
        fill_rect(cell, fill, lab_.look.px(4));
        if (crowded) stroke_rect(cell, colors.ink, lab_.look.frame(), lab_.look.px(4));
        draw_number(cell, std::to_string(bank), used ? colors.on : colors.ink3, Face::kMono);
        if (bank == 0)
            draw_text({room_.x, cell.center().y}, "bank", {Face::kRegular, px_, colors.ink2});
    }

    const PatternContext& lab_;
    const PatternAnswer& answer_;
    Rect room_;
    std::uint32_t banks_ = 32, rows_ = kLeastWavefronts;
    float px_ = 12, left_ = 0, pitch_x_ = 0, pitch_y_ = 0, bottom_ = 0, bank_ = 0;
};

}  // namespace

void draw_pattern_picture(const PatternContext& lab, const Rect& card) {
    const float pad = lab.look.margin();
    const Rect inner{card.x + pad, card.y + pad / 2, card.w - 2 * pad, card.h - pad};
    float y = draw_figures(
        lab, inner,
        lab.shared() ? figures_of_shared(lab.answer()) : figures_of_global(lab.answer()));
    const float px = lab.type(12);
    constexpr std::array<const char*, 3> kOfBanks = {
        "wavefront by wavefront, upwards; in a cell: the lane that is served, +n: n more that want "
        "the same word",
        "rows: wavefronts; in a cell: the lane, +n: n more", "rows: wavefronts; cells: lanes"};
    constexpr std::array<const char*, 3> kOfLines = {
        "lines of 128 bytes; in a cell: the lane that wants the word; tinted: moved but not wanted",
        "lines of 128 bytes; in a cell: the lane", "lines of 128 bytes"};
    draw_text({inner.x, y + 0.8f * px},
              first_that_fits(lab.shared() ? kOfBanks : kOfLines, inner.w, Face::kRegular, px),
              {Face::kRegular, px, lab.colors().ink3});
    y += 1.9f * px;
    const Rect place{inner.x, y, inner.w, inner.bottom() - y};
    register_widget("patterns.picture", place);
    if (lab.shared())
        BankPicture(lab, place).draw();
    else
        draw_pattern_sectors(lab, place);
}

}  // namespace tilereel
