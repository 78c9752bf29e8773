#pragma once
// Lists the sizes and layouts with which three arrays can be the matrices of a product. Private to
// this folder.
#include <functional>
#include <optional>
#include <vector>

#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {

// The forms without padding whose M, N and K follow from the sizes of the arrays. All extents are
// greater than 1, because a vector is not a matrix. Forms with fewer column-major matrices come
// first.
[[nodiscard]] std::vector<ProductForm> dense_forms(const Trace& trace, const MatrixProduct& arrays);
// ProductAccesses::fill() and ProductAccesses::runs().
struct AccessedShapes {
    std::function<bool(ArrayId, const StoredMatrix&)> fill;
    std::function<std::optional<StoredMatrix>(ArrayId)> runs;
};
// The forms with padding, or in arrays that are larger than the matrices. M, N, K and the pitches
// are integers of the launch, or extents and pitches of arrays that were allocated as matrices, or
// follow from runs of accesses. Only forms whose matrices the accesses fill.
[[nodiscard]] std::vector<ProductForm> padded_forms(const Trace& trace, const MatrixProduct& arrays,
                                                    const AccessedShapes& accessed);
// All layouts for given M, N and K. Forms with fewer column-major matrices come first. A pitch is
// the smallest one (no padding), or the one with which the lines fill the array, or an integer of
// the launch. The forms need not fit.
[[nodiscard]] std::vector<ProductForm> forms_of_extents(const Trace& trace,
                                                        const MatrixProduct& arrays,
                                                        std::uint32_t m, std::uint32_t n,
                                                        std::uint32_t k);

}  // namespace tilereel
