#pragma once
// Whether what a kernel adds up are the terms of a product, even if C is wrong. Private to
// recognise_product.cpp.
#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// Of the threads that store one element C[i][j] and have one sum: at least half of what they add
// are their own terms A[i][k] B[k][j], each k once; or, where a race lets them read another k, most
// are a value of their row of A times a value of their column of B. True where there are no such
// threads, or their sums were not kept.
[[nodiscard]] bool adds_terms_of(const Trace& trace, const ProductForm& form);

}  // namespace tilereel
