#pragma once
// The sizes and layouts in which three arrays can be the matrices of a product. Private to
// this folder.
#include <functional>
#include <optional>
#include <vector>

#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// From the sizes of the arrays alone, each without padding: M, N and K, all over 1, since a vector
// is no matrix. Row-major first, then those with more and more matrices by columns.
[[nodiscard]] std::vector<ProductForm> dense_forms(const Trace& trace, const MatrixProduct& arrays);
// What the accesses tell of an array's shape, as ProductAccesses has it.
struct AccessedShapes {
    std::function<bool(ArrayId, const StoredMatrix&)> fill;
    std::function<std::optional<StoredMatrix>(ArrayId)> runs;
};
// Likewise with padding, or in arrays that are too large: M, N, K and the pitches are among the
// launch's integers, or are the extents and pitches of arrays that were allocated as matrices, or
// the accesses come in runs. Only of matrices that the accesses fill.
[[nodiscard]] std::vector<ProductForm> padded_forms(const Trace& trace, const MatrixProduct& arrays,
                                                    const AccessedShapes& accessed);
// All layouts of given M, N and K, dense first. The pitches are the smallest, or those with which
// the lines fill the array, or among the launch's integers. They need not fit.
[[nodiscard]] std::vector<ProductForm> forms_of_extents(const Trace& trace,
                                                        const MatrixProduct& arrays,
                                                        std::uint32_t m, std::uint32_t n,
                                                        std::uint32_t k);

}  // namespace tilereel
