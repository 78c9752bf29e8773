#pragma once
// The native build of 20_champion: plain pointers and a float. The other kernels' is compiled from
// their plain CUDA files.
#include <cuda_runtime.h>

#define TILEREEL_BUILD_NAMESPACE native
#define TILEREEL_INLINE __device__ __forceinline__

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

template <class T>
using Global = T* __restrict__;

template <class V, class T>
TILEREEL_INLINE V* as(T* elements) {
    return reinterpret_cast<V*>(elements);
}

// A sum in a register. Not a bare T only because the other builds' sum starts at 0 and cannot be
// copied: what compiles here compiles there and means the same.
template <class T>
class Accumulator {
  public:
    TILEREEL_INLINE Accumulator() {}
    TILEREEL_INLINE Accumulator(T value) : value_(value) {}  // NOLINT: `Accumulator<float> sum = 0`
    Accumulator(const Accumulator&) = delete;
    TILEREEL_INLINE void operator=(T value) { value_ = value; }
    TILEREEL_INLINE void operator=(const Accumulator& other) { value_ = other.value_; }
    TILEREEL_INLINE void operator+=(T term) { value_ += term; }
    TILEREEL_INLINE operator T() const { return value_; }  // NOLINT: implicit, as a register is

  private:
    T value_ = T(0);
};

// sum += a * b, where it matters that it is one instruction from the first pass of the compiler on:
// then it keeps the order of the source.
TILEREEL_INLINE void add_product(Accumulator<float>& sum, float a, float b) {
    sum = fmaf(a, b, sum);
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect
