#pragma once
// The matrices of a trace's product as floats, for tests that expect or change their elements.
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

inline std::vector<float> values_of(const Trace& trace, MatrixRole which) {
    return matrix_of(trace, which).copy();
}

// Calls change(values), which may change elements, but not their number. The matrix may have any
// layout of floats.
template <class Change>
void change_matrix(Trace& trace, MatrixRole which, Change&& change) {
    std::vector<float> values = values_of(trace, which);
    change(values);
    Array& array = trace.arrays[array_of(*trace.product, which)];
    if (is_dense_float(array)) return set_matrix(trace, which, values);
    std::vector<std::byte>& content =
        which == MatrixRole::kC ? array.last_bytes : array.first_bytes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto row = static_cast<std::uint32_t>(i / array.columns);
        const auto column = static_cast<std::uint32_t>(i % array.columns);
        const auto bytes = std::as_bytes(std::span(&values[i], 1));
        std::ranges::copy(
            bytes, content.begin() +
                       static_cast<std::ptrdiff_t>(array.index_of({row, column}) * sizeof(float)));
    }
}
inline void set_element(Trace& trace, MatrixRole which, std::size_t element, float value) {
    change_matrix(trace, which, [&](std::vector<float>& values) { values[element] = value; });
}
inline void add_to_element(Trace& trace, MatrixRole which, std::size_t element, float value) {
    set_element(trace, which, element, matrix_of(trace, which)[element] + value);
}

}  // namespace tilereel
