#pragma once
// alpha and beta of C = alpha A B + beta C, from the launch's arguments and from the values of C.
// Private to recognise_product.cpp.
#include <optional>
#include <vector>

#include "instrumentation/analysis/product_reference.h"

namespace tilereel {

// An element of C, and what it could be made of.
struct ProductSample {
    double found = 0;
    double product = 0, magnitude = 0;  // A B and |A||B| there
    double before = 0;                  // C before the launch
};

struct Scalars {
    double alpha = 1, beta = 0;
};
// The scalars for which most of the samples are right, if these are at least a quarter of them: a
// kernel may be wrong. 1 and 0 come first, then what the launch was given, at last what solves the
// equation: then nearly all samples must be right, and A B must not be the same everywhere.
// `reads_c`: the kernel loads C; else beta is 0.
[[nodiscard]] std::optional<Scalars> find_scalars(const Trace& trace,
                                                  const ProductRounding& rounding,
                                                  const std::vector<ProductSample>& samples,
                                                  bool reads_c);
// Where no sample tells: two arguments of a floating type and a C that is read are alpha and beta.
[[nodiscard]] Scalars likely_scalars(const Trace& trace, bool reads_c);

}  // namespace tilereel
