#pragma once
// wmma::mma_sync() and bmma_sync().
#pragma GCC system_header
#include "tilereel/runtime_calls.h"
#include "tilereel/wmma/fragment.h"

namespace nvcuda {
namespace wmma {
namespace detail {

// `bits`: "xor" or "and" of b1.
template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
inline void multiply(fragment<accumulator, m, n, k, D>& d,
                     const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                     const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                     const fragment<accumulator, m, n, k, C>& c, const char* bits, bool saturates) {
    tilereel::runtime::MatrixCall call = {m,
                                          n,
                                          k,
                                          Type<A>::kName,
                                          Type<B>::kName,
                                          Type<C>::kName,
                                          Type<D>::kName,
                                          bits,
                                          saturates,
                                          a.x,
                                          b.x,
                                          c.x,
                                          d.x,
                                          false};
    tilereel::runtime::matrix_product(call);
}

}  // namespace detail

// A and B have one type. With half, C and D are half or float, each for itself.
template <int m, int n, int k, class D, class T, class LayoutA, class LayoutB, class C>
TILEREEL_CALL inline void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                   const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                   const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                                   const fragment<accumulator, m, n, k, C>& c,
                                   bool saturates = false) {
    static_assert(std::is_same<C, D>::value || std::is_same<T, half>::value,
                  "the accumulators of mma_sync() have one type");
    detail::multiply(d, a, b, c, "", saturates && std::is_same<D, int>::value);
}
TILEREEL_CALL inline void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    detail::multiply(d, a, b, c, operation == experimental::bmmaBitOpXOR ? "xor" : "and", false);
}

}  // namespace wmma
}  // namespace nvcuda
