// The counters of both sides of a comparison, and their differences.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/compare/compare_views.h"
#include "app/panels/inspector/kernel_counts.h"
#include "app/panels/measure.h"
#include "app/panels/panel_table.h"
#include "app/ui/widgets/widget_registry.h"

namespace tilereel {
namespace {

constexpr std::size_t kLongestHead = 9;  // characters

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
        rows_of_counts({.label = view.labels[0], .counts = left.counts}, right.counts);
    rows.push_back(row_of_numbers("shared bytes a block", left.trace->launch.shared_bytes,
                                  right.trace->launch.shared_bytes));
    rows.push_back(row_of_numbers("ticks of this block", view.replay(Side::kLeft).schedule().ticks,
                                  view.replay(Side::kRight).schedule().ticks));
    const auto alone = [&](Side side) { return view.steps.steps_only_of(side); };
    if (alone(Side::kLeft) + alone(Side::kRight) > 0)
        rows.push_back(
            row_of_numbers("steps on one side", alone(Side::kLeft), alone(Side::kRight)));
    return rows;
}

// A side's label, as above its stage, if it is short enough for a column.
std::string head_of(const CompareView& view, Side side) {
    const std::string& label = view.labels[static_cast<std::size_t>(side)];
    if (label.size() <= kLongestHead) return label;
    return side == Side::kLeft ? "left" : "right";
}

ScrollTable table_of(const CompareView& view) {
    const Palette& colors = view.look.colors();
    ScrollTable table(view.look, {type_px(view.look, 13), 1.9f, 2.2f},
                      {{"", Align::kLeft},
                       {head_of(view, Side::kLeft)},
                       {head_of(view, Side::kRight)},
                       {.head = "", .stretch = true}});
    const auto add = [&](const char* title, const std::vector<CountsRow>& rows) {
        if (rows.empty()) return;
        table.add({{title, Face::kSemiBold, colors.ink3}});
        for (const CountsRow& row : rows) table.add(cells_of(row, colors));
    };
    add("This request", request_rows(view));
    add("Whole kernel", kernel_rows(view));
    return table;
}

// A column for each counter of the whole kernel.
ScrollTable row_of_counters(const CompareView& view) {
    const Palette& colors = view.look.colors();
    const float px = type_px(view.look, 13);
    ScrollTable table(view.look, {px, 1.3f, 1.3f}, {{"", Align::kLeft}});
    std::vector<TableCell> cells = {
        {view.labels[0] + " | " + view.labels[1], Face::kSemiBold, colors.ink2}};
    std::vector<CountsRow> rows = kernel_rows(view);
    // Rows that differ come first.
    std::ranges::stable_sort(rows, {}, [](const CountsRow& row) { return !row.difference.counts; });
    for (const CountsRow& row : rows) {
        table.add_column({row.label, Align::kLeft});
        cells.push_back({row.before + " | " + row.after + "  " + row.difference.text, Face::kMono,
                         row.conflict_before || row.conflict_after ? colors.conflict
                         : row.difference.counts                   ? colors.ink
                                                                   : colors.ink3});
    }
    table.add(std::move(cells));
    return table;
}

void draw_card_of(const CompareView& view, const Rect& card, ScrollTable table, float pad,
                  TableScroll& scroll) {
    draw_card(view.look, card);
    register_widget("compare.differences", card);
    table.draw(card.inset(pad), scroll);
}

}  // namespace

float differences_width(const CompareView& view) {
    return std::round(table_of(view).width() + 2 * view.look.tight());
}

void draw_differences(const CompareView& view, const Rect& card, TableScroll& scroll) {
    draw_card_of(view, card, table_of(view), view.look.tight(), scroll);
}

DifferenceWords first_difference(const CompareView& view, Side side) {
    for (const CountsRow& row : kernel_rows(view)) {
        if (!row.difference.counts) continue;
        const bool left = side == Side::kLeft;
        return {(left ? row.before : row.after) + " " + row.label,
                left ? row.conflict_before : row.conflict_after};
    }
    return {};
}

float differences_row_height(const Look& look) {
    return std::round(2.8f * type_px(look, 13) + 3 * look.gap());
}

void draw_differences_row(const CompareView& view, const Rect& card, TableScroll& scroll) {
    draw_card_of(view, card, row_of_counters(view), view.look.gap(), scroll);
}

}  // namespace tilereel
