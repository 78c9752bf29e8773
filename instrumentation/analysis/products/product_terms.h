#pragma once
// Tests whether the values that a kernel adds are the terms of a matrix product, even if C is
// wrong. Private to recognise_product.cpp.
#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {

// Examines the threads that store one element C[i][j] and have one sum. True if at least half of
// the values that they add are their terms A[i][k] B[k][j], each k once; or if most of the values
// are the product of a value in row i of A and a value in column j of B, because with a race
// threads may read another k; or if there are no such threads, or no recorded sums.
[[nodiscard]] bool adds_terms_of(const Trace& trace, const ProductForm& form);

}  // namespace tilereel
