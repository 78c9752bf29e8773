#include "app/panels/overlay/register_banks.h"

#include <string>

#include "app/panels/column.h"
#include "app/panels/table.h"

namespace tilereel {
namespace {

constexpr int kRows = 4, kColumns = 8;  // the shown part of a thread's tile

// The operands of a multiply-add, and where each is read from.
WrapTable sources_of(const Look& look, float px) {
    const Palette& colors = look.colors();
    WrapTable table(look, px, {Align::kLeft, Align::kLeft}, 1);
    table.add({{"sum", Face::kMonoBold, colors.c},
               {"from an even register", Face::kRegular, colors.ink2}});
    table.add(
        {{"b", Face::kMonoBold, colors.b}, {"from an odd register", Face::kRegular, colors.ink2}});
    table.add({{"a", Face::kMonoBold, colors.a},
               {"again, from the reuse cache", Face::kRegular, colors.ink2}});
    return table;
}

// The numbers of a thread's multiply-adds in their order. In a row of the tile `a` stays in the
// reuse cache; at the end of a row `b` does.
WrapTable order_of(const Look& look, float px) {
    const Palette& colors = look.colors();
    WrapTable table(look, px, std::vector<Align>(1 + kColumns, Align::kRight), 1);
    std::vector<TableCell> head(1);
    for (int column = 0; column < kColumns; ++column)
        head.push_back({"b" + std::to_string(column), Face::kMonoBold, colors.b});
    table.add(head);
    for (int row = 0; row < kRows; ++row) {
        std::vector<TableCell> cells = {{"a" + std::to_string(row), Face::kMonoBold, colors.a}};
        for (int column = 0; column < kColumns; ++column) {
            const int step = row % 2 == 0 ? column : kColumns - 1 - column;
            const bool row_changes = row > 0 && step == 0;
            cells.push_back({std::to_string(row * kColumns + step + 1),
                             row_changes ? Face::kMonoBold : Face::kMono,
                             row_changes ? colors.b : colors.a});
        }
        table.add(std::move(cells));
    }
    return table;
}

}  // namespace

float draw_register_banks(const Look& look, const Rect& rect, float px) {
    const TextStyle words{Face::kRegular, px, look.colors().ink2};
    Column column(look, rect);
    const auto draw = [&](WrapTable table, std::string_view caption) {
        table.place(std::min(rect.w, 26 * px));
        column.space(table.draw({rect.x, column.y()}));
        column.paragraph(caption, words);
        column.space(0.6f * px);
    };
    draw(sources_of(look, px), "A bank gives one operand a cycle.");
    draw(
        order_of(look, px),
        "The order of a thread's multiply-adds: a is reused along a row, b where the row changes.");
    return column.height();
}

}  // namespace tilereel
