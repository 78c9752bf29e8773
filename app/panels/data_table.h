#pragma once
// A table: columns as wide as their contents, a heading above them. What does not fit scrolls: rows
// up and down, columns sideways beside the first one.
#include <functional>
#include <string>
#include <vector>

#include "app/ui/draw.h"

namespace tilereel {

struct TableColumn {
    std::string head;  // one or two lines
    Align align = Align::kRight;
    float picture = 0;     // pixels at the left of the text, for a bar or what the panel draws
    bool stretch = false;  // gets a share of the width that is left
};
struct TableCell {
    std::string text{};
    Face face = Face::kMono;
    ImU32 color = 0;
    double share = -1;  // of a bar beside the text, 0 to 1; negative: no bar
    ImU32 bar = 0;      // its colour
};
struct TableScroll {
    float x = 0, y = 0;  // pixels
};
struct TableSize {
    float px = 14;                         // font size
    float least_row = 1.5f, most_row = 2;  // heights, in multiples of `px`
};
// What a panel adds to a table. A function is called before the text of its row, cell or heading is
// drawn. `cell` and `heading` get the whole area between the neighbours.
struct TableParts {
    std::function<void(std::size_t row, const Rect& area)> row{};
    std::function<void(std::size_t row, std::size_t column, const Rect& area)> cell{};
    // Returns the colour of the heading; 0: the usual one.
    std::function<ImU32(std::size_t column, const Rect& area)> heading{};
};

class DataTable {
  public:
    DataTable(const Look& look, const TableSize& size, std::vector<TableColumn> columns);
    void add_column(TableColumn column) { columns_.push_back(std::move(column)); }
    void add(std::vector<TableCell> cells) { rows_.push_back(std::move(cells)); }
    [[nodiscard]] float width() const;         // without columns that stretch, pixels
    [[nodiscard]] float least_height() const;  // pixels; a lower room scrolls
    [[nodiscard]] float most_height() const;
    void draw(const Rect& place, TableScroll& scroll, const TableParts& parts = {});

  private:
    [[nodiscard]] float gap() const { return 1.25f * size_.px; }
    [[nodiscard]] float text_width_of(std::size_t column) const;
    [[nodiscard]] float width_of(std::size_t column, float text) const;
    [[nodiscard]] float head_height() const;
    void place_columns(float room);
    void draw_heads(const Rect& room, float x, std::size_t from, std::size_t to,
                    const TableParts& parts) const;
    void draw_cell(const TableCell& cell, std::size_t column, const Rect& area) const;
    void draw_cells(const Rect& body, float x, float y, std::size_t from, std::size_t to,
                    const TableParts& parts) const;

    const Look& look_;
    TableSize size_;
    std::vector<TableColumn> columns_;
    std::vector<std::vector<TableCell>> rows_;
    std::vector<float> lefts_, widths_,
        texts_;  // of the columns: from the table's left edge, widths, widths of text
    float row_ = 0;
};

}  // namespace tilereel
