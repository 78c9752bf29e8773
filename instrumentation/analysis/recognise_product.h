#pragma once
// Whether a launch of any program computes a matrix product, from the sizes of its arrays, from
// what its blocks load and store, and from the values it left. No name of an array, a parameter or
// a kernel plays a part.
#include <optional>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct RecognisedProduct {
    MatrixProduct matrices;
    std::uint32_t m = 0, n = 0, k = 0;  // C(M,N) = A(M,K) B(K,N), row-major, float
    bool operator==(const RecognisedProduct&) const = default;
};

// C is an array that only stores go to, A and B are arrays that are only loaded, and:
// - their sizes are M*K, K*N and M*N elements for whole numbers M, N and K, all over 1: a vector is
//   no matrix;
// - each block loads of A the rows, and of B the columns, of what it stores of C;
// - a quarter of C at least is A times B; or, since a kernel may be wrong, each block does about K
//   multiply-adds for an element, and some block stores neither whole rows nor whole columns of C.
// A product of which a factor is transposed, or that is scaled or added to what C held, is none:
// its C is not to be compared with A times B. Nothing is found where contents are not known.
[[nodiscard]] std::optional<RecognisedProduct> recognise_product(const Trace& trace);

// Makes the trace one of that product: the arrays get their two extents, the matrices their
// contents (trace.h, Trace::a, b, c), the launch its M, N and K.
void name_product(Trace& trace, const RecognisedProduct& product);

}  // namespace tilereel
