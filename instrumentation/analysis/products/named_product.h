#pragma once
// A product that the user names: the arrays that are A, B and C.
#include <cstdint>
#include <string>

#include "instrumentation/analysis/products/product_matrix.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct NamedProduct {
    struct Factor {
        std::string array;        // name
        bool by_columns = false;  // true: column-major; false: row-major if that fits
        bool operator==(const Factor&) const = default;
    };
    Factor a, b, c;
    std::uint32_t m = 0, n = 0, k = 0;  // all 0: determined from the arrays and the launch
    bool operator==(const NamedProduct&) const = default;
};

// "A,B,C" or "A,B,C,M,N,K": the names of three arrays, then the extents of C(M,N) = A(M,K) B(K,N).
// "^T" after a name: the matrix is column-major. kWrongCall says what is wrong.
[[nodiscard]] Result<NamedProduct> parse_product(const std::string& text);
[[nodiscard]] std::string text_of(const NamedProduct& product);

// Guesses the product from the launch: C is an array that is stored, A and B are loaded. M, N and K
// follow from the sizes of the arrays, or are the launch's integers of these names, or its first
// integers. The guess may not fit; the user can change it.
[[nodiscard]] NamedProduct guess_product(const Trace& trace);

// Whether the launch has arrays of these names.
[[nodiscard]] bool has_arrays_of(const Trace& trace, const NamedProduct& product);
// The layouts of the matrices in their arrays. The error says in one sentence which array is
// missing or which extent does not fit.
[[nodiscard]] Result<ProductForm> form_of(const Trace& trace, const NamedProduct& product);
// Changes the trace to that of this product (name_product.h).
Status show_as(Trace& trace, const NamedProduct& product);

}  // namespace tilereel
