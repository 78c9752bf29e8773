#pragma once
// Whether the values that a kernel adds up are the terms of a matrix product, even if C is wrong.
// Private to recognise_product.cpp.
#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// Judges the threads that store one element C[i][j] and have one sum. True if at least half of the
// values that they add are their terms A[i][k] B[k][j], each k once. Also true if most of the
// values are a value of row i of A times a value of column j of B: a race may let threads read
// another k. True as well if there are no such threads, or if their sums were not kept.
[[nodiscard]] bool adds_terms_of(const Trace& trace, const ProductForm& form);

}  // namespace tilereel
