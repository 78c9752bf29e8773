#pragma once
// The layout of an array's cells in a picture: rows of a chosen length. The planes of an array of
// three or more extents are arranged in a grid with a gap of one column and one row.
#include <cstdint>
#include <optional>

#include "app/replay/elements.h"

namespace tilereel {

// An array has fewer than 2^32 cells, because a recorded offset has 32 bits.
class ArrayShape {
  public:
    // `row_length`: cells (contents.h) per row with padding, at least 1. It is ignored for an array
    // of several extents, which has its declared row length.
    ArrayShape(const Array& array, std::uint32_t row_length);

    [[nodiscard]] std::uint64_t cells() const { return cells_; }  // of the array
    [[nodiscard]] std::uint32_t rows() const { return rows_; }    // of the picture
    [[nodiscard]] std::uint32_t columns() const { return columns_; }
    [[nodiscard]] std::uint32_t row_length() const { return row_length_; }
    [[nodiscard]] std::uint32_t planes() const { return planes_; }
    [[nodiscard]] CellRect plane(std::uint32_t plane) const;
    // The place of a cell in the picture, and the cell at a place; nullopt if there is none.
    [[nodiscard]] Element place(std::uint64_t cell) const;
    [[nodiscard]] std::optional<std::uint64_t> at(Element place) const;
    [[nodiscard]] bool is_padding(std::uint64_t cell) const {
        return cell % row_length_ >= used_columns_;
    }

  private:
    std::uint64_t cells_ = 0;
    std::uint32_t row_length_ = 1, used_columns_ = 1;
    std::uint32_t rows_of_plane_ = 1;
    std::uint32_t planes_ = 1, across_ = 1;
    std::uint32_t rows_ = 1, columns_ = 1;
};

}  // namespace tilereel
