#pragma once
// The layout of an array's cells in a picture: rows of a chosen length. The planes of an array of
// three or more extents are arranged in a grid with a gap of one column and one row.
#include <algorithm>
#include <cstdint>

#include "instrumentation/trace/array.h"

namespace tilereel {

// A rectangle of a picture, in cells, half-open.
struct PictureBox {
    std::uint64_t row0 = 0, column0 = 0, row1 = 0, column1 = 0;
    [[nodiscard]] bool empty() const { return row0 >= row1 || column0 >= column1; }
    [[nodiscard]] std::uint64_t rows() const { return row1 - row0; }
    [[nodiscard]] std::uint64_t columns() const { return column1 - column0; }
    void add(std::uint64_t row, std::uint64_t column) {
        if (empty()) *this = {row, column, row + 1, column + 1};
        row0 = std::min(row0, row), row1 = std::max(row1, row + 1);
        column0 = std::min(column0, column), column1 = std::max(column1, column + 1);
    }
    bool operator==(const PictureBox&) const = default;
};

class ArrayShape {
  public:
    // `row_length`: cells (contents.h) per row with padding, at least 1. It is ignored for an array
    // of several extents, which has its declared row length.
    ArrayShape(const Array& array, std::uint32_t row_length);

    [[nodiscard]] std::uint64_t cells() const { return cells_; }  // of the array
    [[nodiscard]] std::uint64_t rows() const { return rows_; }    // of the picture
    [[nodiscard]] std::uint64_t columns() const { return columns_; }
    [[nodiscard]] std::uint32_t row_length() const { return row_length_; }
    [[nodiscard]] std::uint32_t planes() const { return planes_; }
    [[nodiscard]] PictureBox plane(std::uint32_t plane) const;

    struct Place {
        std::uint64_t row = 0, column = 0;
    };
    [[nodiscard]] Place place(std::uint64_t cell) const;
    // Sets `cell` to the cell at a place of the picture; returns false if there is none.
    [[nodiscard]] bool at(std::uint64_t row, std::uint64_t column, std::uint64_t& cell) const;
    [[nodiscard]] bool is_padding(std::uint64_t cell) const {
        return cell % row_length_ >= used_columns_;
    }

  private:
    std::uint64_t cells_ = 0;
    std::uint32_t row_length_ = 1, used_columns_ = 1;
    std::uint64_t rows_of_plane_ = 1;
    std::uint32_t planes_ = 1, across_ = 1;
    std::uint64_t rows_ = 1, columns_ = 1;
};

}  // namespace tilereel
