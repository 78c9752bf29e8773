#pragma once
// Finds wrong elements of C: the expected values, and the largest error that the kernel's types
// allow.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {

// The largest error of a product's elements. Floating types: summing K products with unit roundoff
// u gives an error of about sqrt(K) u |A||B|, because rounding errors have random signs (Higham,
// "Accuracy and Stability of Numerical Algorithms", sections 2.8 and 3.1); 8 times as much is
// allowed. The store rounds once more, to the type of C. u = 2^-p for p bits of significand: 11
// (binary16), 8 (bfloat16), 24 (binary32), 53 (binary64) (IEEE 754-2019, table 3.5). Integers are
// exact, modulo 2^bits.
class ProductRounding {
  public:
    // The type of the sums is the least exact type of the kernel's multiply-adds, or the type of C
    // if none are recorded.
    ProductRounding(const Trace& trace, ArrayId c, std::uint32_t k);
    [[nodiscard]] bool of_integers() const { return integers_; }
    // `magnitude`: |alpha| |A||B| + |beta| |C| of the element.
    [[nodiscard]] double bound(double expected, double magnitude) const;
    [[nodiscard]] bool is_right(double found, double expected, double magnitude) const;
    // An exact integer sum, converted to the type of C.
    [[nodiscard]] double wrapped(std::uint64_t sum) const;

  private:
    ElementType type_;
    bool integers_ = false;
    double of_sum_ = 0, of_element_ = 0;
};

struct WrongProductElement {
    std::uint32_t row = 0, column = 0;
    double found = 0, expected = 0;
};

// The elements of C that are not alpha A B + beta C, in row-major order; none if the contents are
// unknown. The trace must have a product. If the other blocks had not run when the trace was
// written, only what the recorded blocks store is judged. Otherwise it takes M N K multiply-adds:
// call it on a thread of its own if they are many.
[[nodiscard]] std::vector<WrongProductElement> wrong_product_elements(const Trace& trace);

}  // namespace tilereel
