#pragma once
// The native build: plain pointers, plain shared arrays, a float. Costs nothing: the PTX is that of
// the same kernel written by hand, and a test compares the two.
#include <cuda_runtime.h>

#include "kernels/dialect/async_copy.cuh"

#define TILEREEL_BUILD_NAMESPACE native
#define TILEREEL_INLINE __device__ __forceinline__

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

template <class T>
using Global = T* __restrict__;

template <class T, int... Extents>
struct ArrayOf;
template <class T, int N>
struct ArrayOf<T, N> {
    using Type = T[N];
};
template <class T, int N, int... Rest>
struct ArrayOf<T, N, Rest...> {
    using Type = typename ArrayOf<T, Rest...>::Type[N];
};

template <class T>
using SharedPointer = T*;

template <class T>
TILEREEL_INLINE T* dynamicShared() {  // NOLINT: named as CUDA names
    extern __shared__ __align__(16) unsigned char tilereel_dynamic_shared[];
    return reinterpret_cast<T*>(tilereel_dynamic_shared);
}

// The block's dynamic shared memory, dealt out from its start; the name and the shape are for the
// builds that record.
template <class T>
class DynamicShared {
  public:
    template <int Pad = 0>
    TILEREEL_INLINE T* array(const char*, int rows, int columns) {
        T* const first = next_;
        next_ += rows * (columns + Pad);
        return first;
    }

  private:
    T* next_ = dynamicShared<T>();
};

template <class V, class T>
TILEREEL_INLINE V* as(T* elements) {
    return reinterpret_cast<V*>(elements);
}

// Global to shared memory without passing through a register; nobody may read `to` before the thread
// that copies has waited for it, and other threads not before a barrier after that.
template <class T>
TILEREEL_INLINE void copy_async(T& to, const T& from) {
    device::start_copy(&to, &from);
}
// What the thread has begun to copy since the last group is one more group.
TILEREEL_INLINE void commit_copies() { device::commit_group(); }
// All groups of this thread have arrived but the `Newest` latest.
template <int Newest>
TILEREEL_INLINE void wait_copies() {
    device::wait_group<Newest>();
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

#define SHARED(T, name, ...) \
    __shared__ typename ::tilereel::dialect::ArrayOf<T, __VA_ARGS__>::Type name
