#pragma once
// Finds alpha and beta of C = alpha A B + beta C from the launch's arguments and the values of C.
// Private to recognise_product.cpp.
#include <optional>
#include <vector>

#include "instrumentation/analysis/products/product_reference.h"

namespace tilereel {

// An element of C and its terms.
struct ProductSample {
    double found = 0;
    double product = 0, magnitude = 0;  // the element of A B, and of |A||B|
    double before = 0;                  // the element of C before the launch
};

struct Scalars {
    double alpha = 1, beta = 0;
};
// The scalars for which most samples are right. At least a quarter of the samples, and eight or
// all, must be right, because a kernel may be wrong. 1 and 0 are tried first, then the launch's
// arguments, and finally the solution of the equations. For the solution nearly all samples must be
// right, and A B must not be constant. `reads_c`: the kernel loads C; else beta is 0.
[[nodiscard]] std::optional<Scalars> find_scalars(const Trace& trace,
                                                  const ProductRounding& rounding,
                                                  const std::vector<ProductSample>& samples,
                                                  bool reads_c);
// A guess without samples: if the launch has two floating-point arguments and loads C, they are
// alpha and beta.
[[nodiscard]] Scalars likely_scalars(const Trace& trace, bool reads_c);

}  // namespace tilereel
