// The counters of both sides of a comparison, and their differences.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/column.h"
#include "app/panels/compare/compare_views.h"
#include "app/panels/inspector/kernel_counts.h"
#include "app/panels/measure.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

CountsRow row_of_numbers(const char* label, std::uint64_t left, std::uint64_t right) {
    return {
        .label = label,
        .before = with_commas(left),
        .after = with_commas(right),
        .difference = difference_of(static_cast<double>(left), static_cast<double>(right), true)};
}

// The costs of the current request on both sides. Empty if one side has no request now.
std::vector<CountsRow> request_rows(const CompareView& view) {
    const RequestCost* left = view.cost(Side::kLeft);
    const RequestCost* right = view.cost(Side::kRight);
    if (left == nullptr || right == nullptr) return {};
    if (left->wavefronts > 0 || right->wavefronts > 0) {
        std::vector<CountsRow> rows = {
            row_of_numbers("wavefronts", left->wavefronts, right->wavefronts),
            row_of_numbers("bank conflicts", left->bank_conflicts, right->bank_conflicts)};
        rows[1].conflict_before = left->bank_conflicts > 0;
        rows[1].conflict_after = right->bank_conflicts > 0;
        return rows;
    }
    return {row_of_numbers("transactions", left->transactions, right->transactions),
            row_of_numbers("bytes moved", left->bytes_moved, right->bytes_moved)};
}

std::vector<CountsRow> kernel_rows(const CompareView& view) {
    const Recording& left = *view.sides[0]->recording();
    const Recording& right = *view.sides[1]->recording();
    std::vector<CountsRow> rows =
        rows_of_counts({.label = view.labels[0], .counts = left.counts}, right.counts, 9);
    rows.push_back(row_of_numbers("shared bytes a block", left.trace->launch.shared_bytes,
                                  right.trace->launch.shared_bytes));
    rows.push_back(row_of_numbers("ticks of this block", view.replay(Side::kLeft).schedule().ticks,
                                  view.replay(Side::kRight).schedule().ticks));
    const auto alone = [&](Side side) { return view.steps.steps_only_of(side); };
    if (alone(Side::kLeft) + alone(Side::kRight) > 0)
        rows.push_back(
            row_of_numbers("steps of one side only", alone(Side::kLeft), alone(Side::kRight)));
    return rows;
}

// Draws a caption for each counter, and below it both values and their difference.
class DifferenceColumn : public Column {
  public:
    DifferenceColumn(const CompareView& view, const Rect& room)
        : Column(view.look, room), view_(view), px_(type_px(view.look, 14)) {}

    void head(const char* title) {
        const Palette& colors = view_.look.colors();
        caption(title, {Face::kSemiBold, px_, colors.ink3}, 0.8f * px_, 1.9f * px_);
        // If the names are long, they are stacked.
        for (const Side side : kSides) {
            const std::string& label = view_.label(side);
            const float fit = std::min(1.0f, rect_.w / text_width(label, Face::kBold, px_));
            const bool beside = text_width(view_.labels[0], Face::kBold, px_) < 0.45f * rect_.w &&
                                text_width(view_.labels[1], Face::kBold, px_) < 0.45f * rect_.w;
            const float right = beside && side == Side::kLeft ? middle() : rect_.right();
            draw_text({right, y_ + 0.5f * px_}, label,
                      {Face::kBold, px_ * fit, side == Side::kLeft ? colors.ink2 : colors.ink,
                       Align::kRight});
            if (!beside || side == Side::kRight) y_ += 1.5f * px_;
        }
    }
    void row(const CountsRow& row) {
        const Palette& colors = view_.look.colors();
        const float difference = text_width(row.difference.text, Face::kMono, px_);
        const float label = text_width(row.label, Face::kRegular, px_);
        const float fit = std::min(1.0f, (rect_.w - difference - 0.5f * px_) / label);
        draw_text({rect_.x, y_ + 0.7f * px_}, row.label, {Face::kRegular, px_ * fit, colors.ink2});
        draw_text(
            {rect_.right(), y_ + 0.7f * px_}, row.difference.text,
            {Face::kMono, px_, row.difference.counts ? colors.accent : colors.ink3, Align::kRight});
        const float y = y_ + 2.0f * px_;
        draw_text(
            {middle(), y}, row.before,
            {Face::kMono, px_, row.conflict_before ? colors.conflict : colors.ink2, Align::kRight});
        draw_text({rect_.right(), y}, row.after,
                  {Face::kMonoBold, px_, row.conflict_after ? colors.conflict : colors.ink,
                   Align::kRight});
        y_ += 3.0f * px_;
    }
    void end_of_part() { space(px_); }

  private:
    [[nodiscard]] float middle() const { return rect_.x + 0.58f * rect_.w; }
    const CompareView& view_;
    const float px_;
};

}  // namespace

void draw_differences(const CompareView& view, const Rect& card, float& scroll) {
    const Look& look = view.look;
    draw_card(look, card);
    register_widget("compare.differences", card);
    const float pad = look.px(18);
    const Rect room{card.x + pad, card.y + pad / 2, card.w - 2 * pad, card.h - pad};
    const auto write = [&](float y) {
        DifferenceColumn column(view, {room.x, y, room.w, 0});
        if (const std::vector<CountsRow> rows = request_rows(view); !rows.empty()) {
            column.head("This request");
            for (const CountsRow& row : rows) column.row(row);
            column.end_of_part();
        }
        column.head("Whole kernel");
        for (const CountsRow& row : kernel_rows(view)) column.row(row);
        return column.height();
    };
    // The scroll bar is beside the figures.
    const Rect place{room.x, room.y, card.right() - room.x, room.h};
    const ScrollArea area(look, place, measured([&] { return write(0); }), scroll);
    write(area.top());
}

float differences_row_height(const Look& look) { return std::round(3.4f * type_px(look, 13)); }

void draw_differences_row(const CompareView& view, const Rect& card) {
    const Look& look = view.look;
    const Palette& colors = look.colors();
    draw_card(look, card);
    register_widget("compare.differences", card);
    const float px = type_px(look, 13), gap = 1.6f * px;
    float x = card.x + look.pad();
    std::vector<CountsRow> rows = kernel_rows(view);
    // Rows that differ come first.
    std::ranges::stable_sort(rows, {}, [](const CountsRow& row) { return !row.difference.counts; });
    for (const CountsRow& row : rows) {
        const float arrow = text_width(" | ", Face::kMono, px);
        const float before = text_width(row.before, Face::kMono, px);
        const float after = text_width(row.after, Face::kMonoBold, px);
        const float change = text_width(row.difference.text, Face::kMono, px);
        const float figures = before + arrow + after + px + change;
        const float width = std::max(figures, text_width(row.label, Face::kRegular, px));
        if (x + width > card.right() - look.pad()) continue;
        draw_text({x, card.y + 0.29f * card.h}, row.label, {Face::kRegular, px, colors.ink2});
        const float y = card.y + 0.72f * card.h;
        draw_text({x, y}, row.before,
                  {Face::kMono, px, row.conflict_before ? colors.conflict : colors.ink2});
        draw_text({x + before, y}, " | ", {Face::kMono, px, colors.ink3});
        draw_text({x + before + arrow, y}, row.after,
                  {Face::kMonoBold, px, row.conflict_after ? colors.conflict : colors.ink});
        draw_text({x + before + arrow + after + px, y}, row.difference.text,
                  {Face::kMono, px, row.difference.counts ? colors.accent : colors.ink3});
        x += width + gap;
    }
}

}  // namespace tilereel
