#pragma once
// A product as the user names it: which arrays are A, B and C.
#include <cstdint>
#include <string>

#include "instrumentation/analysis/product_matrix.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct NamedProduct {
    struct Factor {
        std::string array;        // by name
        bool by_columns = false;  // column-major; false: whatever fits, row-major first
        bool operator==(const Factor&) const = default;
    };
    Factor a, b, c;
    std::uint32_t m = 0, n = 0, k = 0;  // all 0: as the arrays and the launch tell
    bool operator==(const NamedProduct&) const = default;
};

// "A,B,C" or "A,B,C,M,N,K": the names of three arrays, then the extents of C(M,N) = A(M,K) B(K,N).
// "^T" behind a name: its matrix is stored by columns. kWrongCall says what is wrong.
[[nodiscard]] Result<NamedProduct> parse_product(const std::string& text);
[[nodiscard]] std::string text_of(const NamedProduct& product);

// What the arrays and integers of a launch suggest: C is stored to, A and B are loaded; M, N and K
// follow from the sizes of the arrays, or are the launch's integers of these names, or its first
// ones. A first guess, which the user can change; it may not fit.
[[nodiscard]] NamedProduct guess_product(const Trace& trace);

// Whether the launch has arrays of these names.
[[nodiscard]] bool has_arrays_of(const Trace& trace, const NamedProduct& product);
// How the matrices lie in their arrays. The error says in one sentence which array is missing or
// which extent does not fit.
[[nodiscard]] Result<ProductForm> form_of(const Trace& trace, const NamedProduct& product);
// Makes the trace one of this product (name_product.h).
Status show_as(Trace& trace, const NamedProduct& product);

}  // namespace tilereel
