#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {
namespace {

StoredMatrix stored_matrix(const Trace& trace, ArrayId id) {
    const Array& array = trace.arrays[id];
    return {array.rows, array.columns, array.leading_dimension, array.by_columns};
}

}  // namespace

std::uint64_t count_of_numbers(const Array& array) {
    return array.size_bytes() / type_bytes(array.type);
}

std::vector<double> matrix_values(const Trace& trace, ArrayId id, const StoredMatrix& matrix,
                                  bool last) {
    const std::span<const std::byte> bytes =
        last ? trace.arrays[id].last_bytes : trace.arrays[id].first_bytes;
    const ElementType type = trace.arrays[id].type;
    const std::size_t size = type_bytes(type);
    if (bytes.size() < matrix.elements() * size) return {};
    std::vector<double> values;
    values.reserve(std::size_t{matrix.rows} * matrix.columns);
    for (std::uint32_t row = 0; row < matrix.rows; ++row)
        for (std::uint32_t column = 0; column < matrix.columns; ++column)
            values.push_back(
                number_of(type, bytes.subspan(matrix.index_of(row, column) * size, size)));
    return values;
}

ProductForm form_of(const Trace& trace) {
    const MatrixProduct matrices = *trace.product;
    return {matrices, stored_matrix(trace, matrices.a), stored_matrix(trace, matrices.b),
            stored_matrix(trace, matrices.c)};
}

}  // namespace tilereel
