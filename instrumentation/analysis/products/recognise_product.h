#pragma once
// Recognises a launch that computes a matrix product, from the sizes of its arrays, its integer
// arguments, the loads and stores of its blocks, and the values of C.
#include <optional>

#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {

// C is an array that is stored; A and B are arrays that are only loaded (or one such array). They
// have any floating or integer types, and:
// - their sizes are those of M x K, K x N and M x N matrices with extents greater than 1, each
//   row-major or column-major, with padding if it follows from the launch's integers;
// - each block loads the rows of A and the columns of B that belong to its elements of C;
// - at least a quarter of C is alpha A B + beta C; or, because a kernel may be wrong, each block
//   executes about K multiply-adds for an element, adds the terms of a product (product_terms.h),
//   and some block stores neither whole rows nor whole columns of C.
// C = alpha A B + beta X with X in another array is not recognised.
// A row-major C = A B is also a column-major C = B A of the transposed matrices. Only between two
// such correct readings, the names of the arrays decide. nullopt also if contents are unknown or
// the trace names its product.
[[nodiscard]] std::optional<ProductForm> recognise_product(const Trace& trace);

// The first form that the accesses fit and whose values are right; else the first form that the
// accesses fit; else the first form. alpha and beta are set: if the values are not right, to the
// most likely ones. `forms` must not be empty.
[[nodiscard]] ProductForm likeliest_form(const Trace& trace, const std::vector<ProductForm>& forms);

}  // namespace tilereel
