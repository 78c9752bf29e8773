#pragma once
// Changes the trace of any program to that of a matrix product, which was recognised or which the
// user named.
#include <string_view>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/products/product_accesses.h"
#include "instrumentation/analysis/products/product_matrix.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// If A and B are one array, B becomes a copy of it. Suffix of that copy's name:
inline constexpr std::string_view kSecondFactor = " (2nd)";

// Checks that the matrices fit into their arrays, that all accesses of the arrays are inside the
// matrices, that the contents of the arrays are known, and that C is stored. The error (kWrongCall)
// says in one sentence what is wrong.
class FormCheck {
  public:
    explicit FormCheck(const Trace& trace);
    [[nodiscard]] Status check(const ProductForm& form);

  private:
    [[nodiscard]] Status check_matrix(const char* role, ArrayId id, const StoredMatrix& matrix);
    [[nodiscard]] Status check_anew(const char* role, ArrayId id, const StoredMatrix& matrix) const;

    const Trace& trace_;
    ProductAccesses accesses_;
    std::vector<ArrayUse> uses_;
    std::vector<std::tuple<ArrayId, StoredMatrix, Status>> known_;
};

// Sets the two extents of the arrays, the contents of the matrices (Trace::a, b and c), and M, N
// and K of the launch. An array that is both factors is duplicated, and the sites that load B
// access the copy. If no multiply-adds were recorded (integers), the assignments to the local
// variable with the sums become multiply-adds. FormCheck must have accepted the form.
void name_product(Trace& trace, const ProductForm& form);

}  // namespace tilereel
