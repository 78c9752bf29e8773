#pragma once
// The layouts of the matrices of a product in their arrays, and their contents.
#include <optional>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// A matrix within an array, row-major or column-major (`by_columns`, as in cuBLAS). A transposed
// row-major matrix is column-major.
struct StoredMatrix {
    std::uint32_t rows = 0, columns = 0;  // of the matrix
    std::uint32_t pitch = 0;  // elements from one row, if by_columns from one column, to the next
    bool by_columns = false;
    bool operator==(const StoredMatrix&) const = default;

    [[nodiscard]] static StoredMatrix dense(std::uint32_t rows, std::uint32_t columns,
                                            bool by_columns = false) {
        return {rows, columns, by_columns ? rows : columns, by_columns};
    }
    // A line is a row, or a column if by_columns: contiguous elements in memory. Number of lines,
    // and elements of each.
    [[nodiscard]] std::uint32_t lines() const { return by_columns ? columns : rows; }
    [[nodiscard]] std::uint32_t length() const { return by_columns ? rows : columns; }
    [[nodiscard]] bool is_dense() const { return pitch == length(); }
    // Elements from the first to the last one, without the padding after the last line.
    [[nodiscard]] std::uint64_t elements() const {
        return (std::uint64_t{lines()} - 1) * pitch + length();
    }
    [[nodiscard]] ElementPlace place_of(std::uint64_t index) const {
        const auto line = static_cast<std::uint32_t>(index / pitch);
        const auto along = static_cast<std::uint32_t>(index % pitch);
        return by_columns ? ElementPlace{along, line} : ElementPlace{line, along};
    }
    [[nodiscard]] std::uint64_t index_of(std::uint32_t row, std::uint32_t column) const {
        return by_columns ? std::uint64_t{column} * pitch + row
                          : std::uint64_t{row} * pitch + column;
    }
    [[nodiscard]] bool holds(ElementPlace place) const {
        return place.row < rows && place.column < columns;
    }
};

// C(M,N) = alpha A(M,K) B(K,N) + beta C(M,N). `a` and `b` can be one array.
struct ProductForm {
    MatrixProduct matrices;
    StoredMatrix a, b, c;
    [[nodiscard]] std::uint32_t m() const { return c.rows; }
    [[nodiscard]] std::uint32_t n() const { return c.columns; }
    [[nodiscard]] std::uint32_t k() const { return a.columns; }
    bool operator==(const ProductForm&) const = default;

    // All matrices row-major and without padding.
    [[nodiscard]] static ProductForm dense(const MatrixProduct& matrices, std::uint32_t m,
                                           std::uint32_t n, std::uint32_t k) {
        return {matrices, StoredMatrix::dense(m, k), StoredMatrix::dense(k, n),
                StoredMatrix::dense(m, n)};
    }
};

// The number of scalars in the array; each component of a vector type ("float4") counts.
[[nodiscard]] std::uint64_t count_of_numbers(const Array& array);
// The values of the matrix, row-major without padding, before the launch or (`last`) after it.
// 64-bit integers are rounded to double. Empty if unknown, or if the array is too small.
[[nodiscard]] std::vector<double> matrix_values(const Trace& trace, ArrayId array,
                                                const StoredMatrix& matrix, bool last);
// The layouts of the matrices of a trace with Trace::product.
[[nodiscard]] ProductForm form_of(const Trace& trace);

}  // namespace tilereel
