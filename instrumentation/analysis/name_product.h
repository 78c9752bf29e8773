#pragma once
// Makes the trace of any program one of a product that it was recognised as, or that the user says.
#include <string_view>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/product_accesses.h"
#include "instrumentation/analysis/product_matrix.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Follows the name of an array that is both factors where it stands for B.
inline constexpr std::string_view kSecondFactor = " (2nd)";

// Whether matrices fit into their arrays, and all that the kernel accesses of these into the
// matrices. The error (kWrongCall) says in one sentence which extent does not fit.
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

// The arrays get their two extents, the matrices their contents (trace.h, Trace::a, b, c), the
// launch its M, N and K. An array that is both factors is there twice from then on, and the sites
// that load B access the second. Where no multiply-adds were recorded (integers), the assignments
// to the local that holds the sums are taken for them. The form fits: FormCheck.
void name_product(Trace& trace, const ProductForm& form);

}  // namespace tilereel
