// The current pattern and the classical ones, in blocks of 16 x 16 and 32 x 32 threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/patterns/pattern_views.h"

namespace tilereel {
namespace {

struct NeighbourPlan {
    float px = 0, row = 0;
    float title = 0, index = 0, figure = 0;  // widths
    float bars = 0;                          // width of the bars of one block; 0: no room
};

// Draws a bar for the wavefronts that each bank needs. The scale is logarithmic.
void draw_bars(const PatternContext& lab, const Rect& place, const PatternAnswer& answer) {
    const Palette& colors = lab.colors();
    const int banks = answer.generation->shared.banks;
    const float pitch = place.w / static_cast<float>(banks);
    for (int bank = 0; bank < banks; ++bank) {
        const Rect slot{place.x + static_cast<float>(bank) * pitch, place.y,
                        std::max(1.0f, pitch - lab.look.px(1)), place.h};
        fill_rect(slot, colors.cell);
        const auto at = static_cast<std::size_t>(bank);
        const int turns = answer.banks.worst_group_wavefronts[at];
        if (answer.banks.words_in_bank[at] == 0) continue;
        const float share = (1 + std::log2(static_cast<float>(std::max(turns, 1)))) / 6;
        const float height = std::max(lab.look.hair(), share * place.h);
        fill_rect({slot.x, slot.bottom() - height, slot.w, height},
                  turns > 1 ? colors.conflict : colors.b);
    }
}

// Draws the share of the moved bytes that is used.
void draw_use(const PatternContext& lab, const Rect& place, const PatternAnswer& answer) {
    const Palette& colors = lab.colors();
    const RequestCost& cost = answer.cost;
    const float share = cost.bytes_moved == 0 ? 0
                                              : static_cast<float>(cost.bytes_used) /
                                                    static_cast<float>(cost.bytes_moved);
    const float inset = 0.25f * place.h;
    const Rect bar{place.x, place.y + inset, place.w, place.h - 2 * inset};
    draw_share(bar, share, colors.a_tint, colors.a, lab.look.px(3));
}

NeighbourPlan plan_neighbours(const PatternContext& lab, const Rect& room) {
    const std::vector<PatternNeighbour>& all = lab.lab.neighbours();
    NeighbourPlan plan;
    plan.row = std::min(room.h / static_cast<float>(all.size() + 1), 2.4f * lab.type(14));
    plan.px = std::min(lab.type(14), 0.62f * plan.row);
    for (const PatternNeighbour& each : all) {
        plan.title = std::max(plan.title, text_width(each.title.empty() ? "this one" : each.title,
                                                     Face::kRegular, plan.px));
        if (!each.title.empty())
            plan.index =
                std::max(plan.index, text_width(each.question.expression, Face::kMono, plan.px));
    }
    const float gap = 1.5f * plan.px;
    plan.title += gap;
    plan.index += gap;
    plan.figure = text_width("32 sectors", Face::kRegular, plan.px);
    const float words = room.w - plan.title - plan.index;
    plan.bars = std::floor(words / 2 - plan.figure - gap);
    if (plan.bars < lab.look.px(64)) plan.bars = 0;
    if (words < 2 * plan.figure) plan.title = 0;  // the expression is clear enough
    return plan;
}

void draw_in_block(const PatternContext& lab, const NeighbourPlan& plan, float x, float y,
                   const std::optional<PatternAnswer>& answer) {
    const Palette& colors = lab.colors();
    if (!answer) {
        draw_text({x, y}, "\xe2\x80\x93", {Face::kRegular, plan.px, colors.ink3});
        return;
    }
    const bool shared = lab.shared();
    const std::uint32_t figure = shared ? answer->cost.wavefronts : answer->cost.transactions;
    const ImU32 color = !shared                           ? colors.ink
                        : answer->cost.bank_conflicts > 0 ? colors.conflict
                                                          : colors.c;
    draw_text({x + plan.figure / 2, y}, std::to_string(figure),
              {Face::kMonoBold, 1.15f * plan.px, color, Align::kRight});
    if (plan.bars <= 0) return;
    const Rect bars{x + 0.7f * plan.figure, y - 0.38f * plan.row, plan.bars, 0.76f * plan.row};
    if (shared)
        draw_bars(lab, bars, *answer);
    else
        draw_use(lab, bars, *answer);
}

}  // namespace

void draw_pattern_neighbours(const PatternContext& lab, const Rect& card) {
    const Palette& colors = lab.colors();
    const float pad = lab.look.margin(), title = lab.type(16);
    const float head = draw_text({card.x + pad, card.y + 0.9f * title + pad / 3},
                                 "Classical patterns", {Face::kSemiBold, title, colors.ink});
    const std::string unit = lab.shared() ? "wavefronts of warp 0; bars: turns of each bank; click "
                                            "to take a pattern"
                                          : std::string(lab.answer().generation->global.units) +
                                                " of warp 0; bars: share of the bytes moved that "
                                                "is used; click to take a pattern";
    const float left = card.x + pad + head + lab.look.pad();
    if (text_width(unit, Face::kRegular, lab.type(12)) <= card.right() - pad - left)
        draw_text({left, card.y + 0.9f * title + pad / 3}, unit,
                  {Face::kRegular, lab.type(12), colors.ink3});
    const float top = card.y + pad / 3 + 1.8f * title;
    const Rect room{card.x + pad, top, card.w - 2 * pad, card.bottom() - top - pad / 4};
    register_widget("patterns.neighbours", room);
    const NeighbourPlan plan = plan_neighbours(lab, room);
    const float first = room.x + plan.title + plan.index;
    const float block = (room.right() - first) / 2;
    for (std::size_t i = 0; i < kNeighbourBlocks.size(); ++i)
        draw_text_fit({first + static_cast<float>(i) * block, room.y + plan.row / 2},
                      block - plan.px / 2, "block " + block_text(kNeighbourBlocks[i]),
                      {Face::kSemiBold, plan.px, colors.ink2});
    float y = room.y + plan.row;
    for (std::size_t i = 0; i < lab.lab.neighbours().size(); ++i, y += plan.row) {
        const PatternNeighbour& each = lab.lab.neighbours()[i];
        const Rect row{room.x - pad / 2, y, room.w + pad, plan.row};
        const bool own = each.title.empty();
        Touch touch;
        if (!own) touch = touch_area(lab.look, "patterns.preset." + std::to_string(i - 1), row, "");
        draw_row_mark(lab.look, row, own, touch.hovered);
        if (touch.clicked) lab.ask(each.question);
        const float middle = row.center().y;
        if (plan.title > 0)
            draw_text({room.x, middle}, own ? "this one" : each.title,
                      {Face::kRegular, plan.px, colors.ink2});
        draw_text_fit({room.x + plan.title, middle}, plan.index - plan.px / 2,
                      each.question.expression, {Face::kMono, plan.px, colors.ink});
        for (std::size_t b = 0; b < each.in_blocks.size(); ++b)
            draw_in_block(lab, plan, first + static_cast<float>(b) * block, middle,
                          each.in_blocks[b]);
    }
}

}  // namespace tilereel
