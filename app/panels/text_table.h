#pragma once
// A table whose columns are as wide as their contents. If they are too wide for the panel, the font
// is a little smaller; if that is not enough, all rows have two lines.
#include <string>
#include <vector>

#include "app/ui/draw.h"

namespace tilereel {

struct TextCell {
    std::string text{};
    ImU32 color = 0;
    Face face = Face::kRegular;
};

class TextTable {
  public:
    // `aligns`: one for each column. `second`: the column at which a row with two lines breaks.
    // `leading`: line height, as a multiple of the font size.
    TextTable(const Look& look, float px, std::vector<Align> aligns, std::size_t second,
              float leading = 1.55f)
        : px_(px),
          gap_(look.gap()),
          leading_(leading),
          aligns_(std::move(aligns)),
          second_(second) {}

    void add(std::vector<TextCell> row);  // missing cells are empty
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    void place(float width);  // after the last add(); pixels
    [[nodiscard]] bool two_lines() const { return two_lines_; }
    [[nodiscard]] float row_height() const { return line() * (two_lines_ ? 2 : 1); }
    // The place of a column of a row with one line; `row`: its rectangle.
    [[nodiscard]] Rect column(std::size_t index, const Rect& row) const;
    // The first cell of a line is cut with an ellipsis if the line has no room for it.
    void draw_row(std::size_t index, ImVec2 at) const;
    float draw(ImVec2 at) const;  // all rows from the top left corner `at`; returns their height

  private:
    [[nodiscard]] float line() const { return leading_ * px_; }
    [[nodiscard]] float needed(std::size_t first, std::size_t last) const;
    // The space between two columns of a line.
    [[nodiscard]] float between(std::size_t first, std::size_t last) const;
    void draw_line(std::size_t index, std::size_t first, std::size_t last, ImVec2 at) const;

    float px_, gap_, leading_, width_ = 0;  // pixels
    std::vector<Align> aligns_;
    std::size_t second_;
    bool two_lines_ = false;
    std::vector<std::vector<TextCell>> rows_;
    std::vector<float> widths_;  // by column
};

}  // namespace tilereel
