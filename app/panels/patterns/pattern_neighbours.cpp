// The current pattern and the classical ones, in blocks of 16 x 16 and 32 x 32 threads.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panel_table.h"
#include "app/panels/patterns/pattern_views.h"

namespace tilereel {
namespace {

constexpr std::size_t kFirstBlock = 2;  // the first column of a block

// Draws a bar for the wavefronts that each bank needs. The scale is logarithmic.
void draw_bars(const PatternContext& lab, const Rect& place, const PatternAnswer& answer) {
    const Palette& colors = lab.colors();
    const int banks = answer.generation->shared.banks;
    const float pitch = place.w / static_cast<float>(banks);
    for (int bank = 0; bank < banks; ++bank) {
        const Rect slot{place.x + static_cast<float>(bank) * pitch, place.y,
                        std::max(1.0f, pitch - lab.look.line()), place.h};
        fill_rect(slot, colors.cell);
        const auto at = static_cast<std::size_t>(bank);
        const int wavefronts = answer.banks.worst_group_wavefronts[at];
        if (answer.banks.words_in_bank[at] == 0) continue;
        const float share = (1 + std::log2(static_cast<float>(std::max(wavefronts, 1)))) / 6;
        const float height = std::max(lab.look.hair(), share * place.h);
        fill_rect({slot.x, slot.bottom() - height, slot.w, height},
                  wavefronts > 1 ? colors.conflict : colors.b);
    }
}

// The cost in wavefronts or transactions; for global memory with the share of the bytes moved that
// is used as a bar.
TableCell cost_of(const PatternContext& lab, const std::optional<PatternAnswer>& answer) {
    const Palette& colors = lab.colors();
    if (!answer) return {"\xe2\x80\x93", Face::kRegular, colors.ink3};
    const RequestCost& cost = answer->cost;
    if (lab.shared())
        return {std::to_string(cost.wavefronts), Face::kMonoBold,
                cost.bank_conflicts > 0 ? colors.conflict : colors.c};
    return {std::to_string(cost.transactions), Face::kMonoBold, colors.ink,
            static_cast<double>(cost.bytes_used) / std::max(cost.bytes_moved, 1u), colors.a};
}

}  // namespace

void draw_pattern_neighbours(const PatternContext& lab, const Rect& card) {
    const Palette& colors = lab.colors();
    const Rect room =
        draw_title(
            lab.look, card, "Classical patterns",
            lab.shared()
                ? std::string("wavefronts of ") + (lab.of_matrices() ? "request" : "warp") +
                      " 0; bars: wavefronts of each bank; click to take a pattern"
                : std::string(lab.answer().generation->global.units) +
                      " of warp 0; bars: share of the bytes moved that is used; click to take "
                      "a pattern",
            16, 0)
            .room;
    register_widget("patterns.neighbours", room);
    const float px = lab.type(14), bars = 9 * px;
    ScrollTable table(lab.look, {px, 1.5f, 2.4f}, {{"", Align::kLeft}, {"", Align::kLeft}});
    for (std::size_t i = 0; i < kNeighbourBlocks.size(); ++i)
        table.add_column({.head = lab.of_matrices()
                                      ? std::to_string(kNeighbourMatrices[i]) + " matrices"
                                      : "block " + block_text(kNeighbourBlocks[i]),
                          .picture = bars,
                          .stretch = true});
    const std::vector<PatternNeighbour>& all = lab.lab.neighbours();
    for (const PatternNeighbour& each : all) {
        std::vector<TableCell> cells = {
            {each.question.expression, Face::kMono, colors.ink},
            {each.title.empty() ? "this one" : each.title, Face::kRegular, colors.ink2}};
        for (const auto& answer : each.in_blocks) cells.push_back(cost_of(lab, answer));
        table.add(std::move(cells));
    }
    const auto draw_row = [&](std::size_t row, const Rect& area) {
        const bool own = all[row].title.empty();
        const std::string name = "patterns.preset." + std::to_string(row - 1);
        const Interaction touch = own ? Interaction{} : interact(lab.look, name, area, "");
        draw_row_mark(lab.look, area, own, touch.hovered);
        if (touch.clicked) lab.ask(all[row].question);
    };
    table.draw(
        room, lab.memory.neighbours,
        {.row = draw_row, .cell = [&](std::size_t row, std::size_t column, const Rect& area) {
             if (column < kFirstBlock || !lab.shared()) return;
             const auto& answer = all[row].in_blocks[column - kFirstBlock];
             if (answer)
                 draw_bars(lab,
                           {area.x + px, area.y + 0.12f * area.h, area.w - 4 * px, 0.76f * area.h},
                           *answer);
         }});
}

}  // namespace tilereel
