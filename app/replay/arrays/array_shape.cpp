#include "app/replay/arrays/array_shape.h"

#include <cmath>

#include "app/replay/arrays/contents.h"

namespace tilereel {
namespace {

// The number of planes in a row, so that the picture is about as wide as high.
std::uint32_t planes_across(std::uint32_t planes, std::uint64_t rows, std::uint64_t columns) {
    const double wide = std::sqrt(static_cast<double>(planes) * static_cast<double>(rows) /
                                  static_cast<double>(columns));
    // A few planes are all in one row.
    constexpr std::uint32_t kOneRow = 4;
    const double across = std::max(std::ceil(wide), static_cast<double>(kOneRow));
    return static_cast<std::uint32_t>(std::clamp(across, 1.0, static_cast<double>(planes)));
}

}  // namespace

ArrayShape::ArrayShape(const Array& array, std::uint32_t row_length)
    : cells_(cell_count(array)), row_length_(std::max(row_length, 1u)) {
    const std::uint32_t of_element = std::max(array.element_bytes / cell_bytes(array), 1u);
    used_columns_ = row_length_;
    if (!array.one_extent && array.rows > 1) {
        row_length_ = std::max(array.leading_dimension * of_element, 1u);
        used_columns_ = std::max((array.by_columns ? array.rows : array.columns) * of_element, 1u);
        planes_ = std::max(array.planes(), 1u);
    }
    const std::uint64_t all = std::max<std::uint64_t>((cells_ + row_length_ - 1) / row_length_, 1);
    rows_of_plane_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(all / planes_, 1));
    columns_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(cells_, 1, row_length_));
    rows_ = rows_of_plane_;
    if (planes_ == 1) return;
    across_ = planes_across(planes_, rows_of_plane_, columns_);
    columns_ = across_ * (row_length_ + 1) - 1;
    rows_ = (planes_ + across_ - 1) / across_ * (rows_of_plane_ + 1) - 1;
}

Element ArrayShape::place(std::uint64_t cell) const {
    const auto row = static_cast<std::uint32_t>(cell / row_length_);
    const auto column = static_cast<std::uint32_t>(cell % row_length_);
    if (planes_ == 1) return {row, column};
    const std::uint32_t plane = std::min(row / rows_of_plane_, planes_ - 1);
    return {plane / across_ * (rows_of_plane_ + 1) + row - plane * rows_of_plane_,
            plane % across_ * (row_length_ + 1) + column};
}

std::optional<std::uint64_t> ArrayShape::at(Element place) const {
    if (place.row >= rows_ || place.column >= columns_) return std::nullopt;
    std::uint32_t plane = 0;
    if (planes_ > 1) {
        const std::uint32_t pitch_y = rows_of_plane_ + 1, pitch_x = row_length_ + 1;
        plane = place.row / pitch_y * across_ + place.column / pitch_x;
        place = {place.row % pitch_y, place.column % pitch_x};
        if (place.row >= rows_of_plane_ || place.column >= row_length_ || plane >= planes_)
            return std::nullopt;
    }
    const std::uint64_t cell =
        (std::uint64_t{plane} * rows_of_plane_ + place.row) * row_length_ + place.column;
    return cell < cells_ ? std::optional(cell) : std::nullopt;
}

CellRect ArrayShape::plane(std::uint32_t plane) const {
    const Element first = place(std::uint64_t{plane} * rows_of_plane_ * row_length_);
    return {first.row, first.column, first.row + rows_of_plane_,
            first.column + std::min(row_length_, columns_)};
}

}  // namespace tilereel
