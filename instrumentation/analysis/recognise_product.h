#pragma once
// Whether a launch of any program computes a matrix product, from the sizes of its arrays and its
// integers, from what its blocks load and store, and from the values it left.
#include <optional>

#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// C is an array that is stored to, A and B are arrays that are only loaded (or one such array), of
// any floating or integer types, and:
// - their sizes are those of M x K, K x N and M x N matrices, all extents over 1 (a vector is no
//   matrix), each row-major or column-major, with padding where the launch's integers tell it;
// - each block loads of A the rows, and of B the columns, of what it stores of C;
// - a quarter of C at least is alpha A B + beta C; or, since a kernel may be wrong, each block does
//   about K multiply-adds for an element, adds the terms of a product (product_terms.h), and some
//   block stores neither whole rows nor whole columns of C.
// Names play a part only between two readings that are both right: by rows, C = A B is by columns
// C = B A with each matrix transposed. Nothing is found where contents are not known.
[[nodiscard]] std::optional<ProductForm> recognise_product(const Trace& trace);

// The first of some forms whose values are right, with alpha and beta; else the first that the
// accesses fit, else the first of all. `forms` is not empty.
[[nodiscard]] ProductForm likeliest_form(const Trace& trace, const std::vector<ProductForm>& forms);

}  // namespace tilereel
