#pragma once
// Two tables whose columns are as wide as their contents. A ScrollTable fills a place of its own
// and scrolls where it does not fit. A WrapTable is part of a Column, which scrolls: a row that is
// too wide takes two lines.
#include <functional>
#include <string>
#include <vector>

#include "app/ui/draw/draw.h"

namespace tilereel {

struct TableCell {
    std::string text{};
    Face face = Face::kRegular;
    ImU32 color = 0;
    double share = -1;  // of a bar beside the text, 0 to 1; negative: no bar
    ImU32 bar = 0;      // its colour
};
// The cells of a table, row by row.
class TableRows {
  public:
    void add(std::vector<TableCell> cells);  // missing cells are empty
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }

  protected:
    TableRows(const Look& look, float px, std::size_t columns)
        : look_(look), px_(px), texts_(columns) {}

    const Look& look_;
    float px_;  // font size
    std::vector<std::vector<TableCell>> rows_;
    std::vector<float> texts_;  // by column: the width of the widest text, pixels
};

struct TableColumn {
    std::string head;  // one or two lines
    Align align = Align::kRight;
    float picture = 0;     // pixels at the left of the text, for a bar or what the panel draws
    bool stretch = false;  // gets a share of the width that is left
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

// A table with headings. It scrolls up and down below them, and sideways beside its first column.
class ScrollTable : public TableRows {
  public:
    ScrollTable(const Look& look, const TableSize& size, std::vector<TableColumn> columns);
    void add_column(TableColumn column);      // before the first add()
    [[nodiscard]] float width() const;        // without columns that stretch, pixels
    [[nodiscard]] float least_width() const;  // with its columns closest together
    // Pixels. A room lower than the least height scrolls.
    [[nodiscard]] float least_height() const { return height_with(size_.least_row); }
    [[nodiscard]] float most_height() const { return height_with(size_.most_row); }
    void draw(const Rect& place, TableScroll& scroll, const TableParts& parts = {});
    void draw(const Rect& place, const TableParts& parts = {}) {  // from the first row on
        TableScroll none;
        draw(place, none, parts);
    }

  private:
    [[nodiscard]] float width_of(std::size_t column) const;
    [[nodiscard]] float head_height() const;
    [[nodiscard]] float height_with(float row) const;  // `row`: a row's height / font size
    void place_columns(float room);
    void draw_heads(const Rect& room, float x, std::size_t from, std::size_t to,
                    const TableParts& parts) const;
    void draw_cell(const TableCell& cell, std::size_t column, const Rect& area) const;
    void draw_cells(const Rect& body, float x, float y, std::size_t from, std::size_t to,
                    const TableParts& parts) const;

    TableSize size_;
    std::vector<TableColumn> columns_;
    std::vector<float> lefts_, widths_;  // of the columns, from the table's left edge
    float row_ = 0, gap_;                // pixels; between two columns
};

// Rows without headings. Columns that are too wide first get a font that is a little smaller; if
// that is not enough, all rows have two lines. It draws no bars.
class WrapTable : public TableRows {
  public:
    // `aligns`: one for each column. `second`: the column at which a row with two lines breaks.
    // `leading`: line height, as a multiple of the font size.
    WrapTable(const Look& look, float px, std::vector<Align> aligns, std::size_t second,
              float leading = 1.55f)
        : TableRows(look, px, aligns.size()),
          gap_(look.gap()),
          leading_(leading),
          aligns_(std::move(aligns)),
          second_(second) {}

    void place(float width);                        // after the last add(); pixels
    [[nodiscard]] float px() const { return px_; }  // font size
    [[nodiscard]] bool two_lines() const { return two_lines_; }
    [[nodiscard]] float row_height() const { return line() * (two_lines_ ? 2 : 1); }
    // The place of a column of a row with one line; `row`: its rectangle.
    [[nodiscard]] Rect column(std::size_t index, const Rect& row) const;
    // The first cell of a line is cut with an ellipsis if the line has no room for it.
    void draw_row(std::size_t index, ImVec2 at) const;
    float draw(ImVec2 at) const;  // all rows from the top left corner `at`; returns their height

  private:
    [[nodiscard]] float line() const { return leading_ * px_; }
    [[nodiscard]] float needed_width(std::size_t first, std::size_t last) const;
    // The space between two columns of a line.
    [[nodiscard]] float column_gap(std::size_t first, std::size_t last) const;
    void draw_line(std::size_t index, std::size_t first, std::size_t last, ImVec2 at) const;

    float gap_, leading_, width_ = 0;  // pixels
    std::vector<Align> aligns_;
    std::size_t second_;
    bool two_lines_ = false;
    std::vector<float> widths_;  // by column
};

}  // namespace tilereel
