#pragma once
// How the matrices of a product lie in their arrays, and what they hold.
#include <optional>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// A matrix within an array. Row-major: row after row. By columns (column-major, as cuBLAS has it;
// also how a transposed row-major matrix lies): column after column.
struct StoredMatrix {
    std::uint32_t rows = 0, columns = 0;  // of the matrix
    std::uint32_t pitch = 0;  // elements from one row to the next; by columns: from one column
    bool by_columns = false;
    bool operator==(const StoredMatrix&) const = default;

    [[nodiscard]] static StoredMatrix dense(std::uint32_t rows, std::uint32_t columns,
                                            bool by_columns = false) {
        return {rows, columns, by_columns ? rows : columns, by_columns};
    }
    // Rows, or columns, that lie one behind the other, and the elements of each.
    [[nodiscard]] std::uint32_t lines() const { return by_columns ? columns : rows; }
    [[nodiscard]] std::uint32_t length() const { return by_columns ? rows : columns; }
    [[nodiscard]] bool is_dense() const { return pitch == length(); }
    // Elements from the first to the last; padding behind the last line is not needed.
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

    // Row-major and without padding.
    [[nodiscard]] static ProductForm dense(const MatrixProduct& matrices, std::uint32_t m,
                                           std::uint32_t n, std::uint32_t k) {
        return {matrices, StoredMatrix::dense(m, k), StoredMatrix::dense(k, n),
                StoredMatrix::dense(m, n)};
    }
};

// Numbers of the array's type that it has room for: of a vector type ("float4") its components.
[[nodiscard]] std::uint64_t count_of_numbers(const Array& array);
// The matrix row-major and without padding, before the launch or after it. 64-bit integers are
// rounded to double. Empty: unknown, or the array is too small.
[[nodiscard]] std::vector<double> matrix_values(const Trace& trace, ArrayId array,
                                                const StoredMatrix& matrix, bool last);
// How the matrices of a trace that says which they are lie in their arrays.
[[nodiscard]] ProductForm form_of(const Trace& trace);

}  // namespace tilereel
