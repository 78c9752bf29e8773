#pragma once
// What C should be, and how far from it an element may lie, by the types that the kernel computes
// in.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// How far the sums of a product may lie from the exact ones. Floating types: summing K products
// with unit roundoff u gives an error of about sqrt(K) u |A||B|, since rounding errors are as often
// up as down (Higham, "Accuracy and Stability of Numerical Algorithms", sections 2.8 and 3.1); 8
// times as much is allowed. Storing it rounds once more, to the type of C. u = 2^-p for p bits of
// significand: 11 (binary16), 8 (bfloat16), 24 (binary32), 53 (binary64) (IEEE 754-2019, table
// 3.5). Integers are exact, modulo 2^bits.
class ProductRounding {
  public:
    // Sums are in the least exact type that the kernel's multiply-adds leave their values in; where
    // none are recorded, in the type of C.
    ProductRounding(const Trace& trace, ArrayId c, std::uint32_t k);
    [[nodiscard]] bool of_integers() const { return integers_; }
    // `magnitude`: |alpha| |A||B| + |beta| |C| there.
    [[nodiscard]] double bound(double expected, double magnitude) const;
    [[nodiscard]] bool is_right(double found, double expected, double magnitude) const;
    // An exact integer as an element of C holds it.
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

// The elements of C that are not alpha A B + beta C, row-major; none where the contents are not
// known. The trace names its product. M N K multiply-adds: on a thread of its own where they are
// many.
[[nodiscard]] std::vector<WrongProductElement> wrong_product_elements(const Trace& trace);

}  // namespace tilereel
