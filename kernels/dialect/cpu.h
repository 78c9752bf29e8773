#pragma once
// The native build of the CPU's kernels (g++ or clang++): plain pointers, plain arrays, a float. A
// block is one thread, so a kernel is a function that one core runs from end to end.
//
// Compiled once for each instruction set, in a namespace of its own, TILEREEL_BUILD_NAMESPACE: the
// linker would keep only one of two functions of the same name, and that one might hold
// instructions that the CPU at hand has not. For the same reason nothing else is included here.
#define TILEREEL_INLINE inline __attribute__((always_inline))
#define __global__ static
#define __device__
#define __forceinline__ TILEREEL_INLINE
#define __launch_bounds__(...)

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

struct BlockIndex {
    int x = 0, y = 0;
};
static thread_local constinit BlockIndex blockIdx;

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

// A sum in a register, as in native.cuh.
template <class T>
class Accumulator {
  public:
    TILEREEL_INLINE Accumulator() {}
    Accumulator(const Accumulator&) = delete;
    TILEREEL_INLINE void operator=(T value) { value_ = value; }
    TILEREEL_INLINE void operator+=(T term) { value_ += term; }
    TILEREEL_INLINE operator T() const { return value_; }  // NOLINT: implicit, as a register is

  private:
    T value_ = T(0);
};

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

// On the stack, which stays in the core's first cache. `name` is a restrict pointer to it: without,
// the compiler stores every sum before it reads the array again.
#define SHARED(T, name, ...)                                                                     \
    alignas(64) typename ::tilereel::dialect::ArrayOf<T, __VA_ARGS__>::Type name##_memory;       \
    auto* __restrict__ const name = name##_memory
