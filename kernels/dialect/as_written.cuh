#pragma once
// The as-written build: every access in the source is exactly one PTX load or store, which the
// compiler may neither merge, move, repeat nor leave out, so that a profiler counts what a reader
// of the source counts. Nothing is recorded.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/dialect/async_copy.cuh"
#include "kernels/dialect/device_trace.h"

#define TILEREEL_BUILD_NAMESPACE as_written
#define TILEREEL_INLINE __device__ __forceinline__

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

// One lane's access as the words of its one instruction.
template <unsigned Bytes>
struct Words;
template <>
struct Words<4> {
    std::uint32_t x;
};
template <>
struct Words<8> {
    std::uint32_t x, y;
};
template <>
struct Words<16> {
    std::uint32_t x, y, z, w;
};

// `address` is the operand's kind and value: "l" for a global address, "r" for a shared one.
#define TILEREEL_VOLATILE_ACCESSES(space, kind, Address)                                           \
    TILEREEL_INLINE void load_##space(Address from, Words<4>& to) {                                \
        asm volatile("ld.volatile." #space ".b32 %0, [%1];" : "=r"(to.x) : kind(from) : "memory"); \
    }                                                                                              \
    TILEREEL_INLINE void load_##space(Address from, Words<8>& to) {                                \
        asm volatile("ld.volatile." #space ".v2.b32 {%0, %1}, [%2];"                               \
                     : "=r"(to.x), "=r"(to.y)                                                      \
                     : kind(from)                                                                  \
                     : "memory");                                                                  \
    }                                                                                              \
    TILEREEL_INLINE void load_##space(Address from, Words<16>& to) {                               \
        asm volatile("ld.volatile." #space ".v4.b32 {%0, %1, %2, %3}, [%4];"                       \
                     : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)                              \
                     : kind(from)                                                                  \
                     : "memory");                                                                  \
    }                                                                                              \
    TILEREEL_INLINE void store_##space(Address to, Words<4> from) {                                \
        asm volatile("st.volatile." #space ".b32 [%0], %1;" ::kind(to), "r"(from.x) : "memory");   \
    }                                                                                              \
    TILEREEL_INLINE void store_##space(Address to, Words<8> from) {                                \
        asm volatile("st.volatile." #space ".v2.b32 [%0], {%1, %2};" ::kind(to), "r"(from.x),      \
                     "r"(from.y)                                                                   \
                     : "memory");                                                                  \
    }                                                                                              \
    TILEREEL_INLINE void store_##space(Address to, Words<16> from) {                               \
        asm volatile("st.volatile." #space ".v4.b32 [%0], {%1, %2, %3, %4};" ::kind(to),           \
                     "r"(from.x), "r"(from.y), "r"(from.z), "r"(from.w)                            \
                     : "memory");                                                                  \
    }
TILEREEL_VOLATILE_ACCESSES(global, "l", const void*)
TILEREEL_VOLATILE_ACCESSES(shared, "r", std::uint32_t)
#undef TILEREEL_VOLATILE_ACCESSES

struct Place;

struct Hooks {
    static constexpr bool kRecords = false;
    TILEREEL_INLINE static long long checked(long long index, long long, std::uint32_t,
                                             std::uint32_t) {
        return index;
    }
    TILEREEL_INLINE static void check_aligned(unsigned long long, std::uint32_t, std::uint32_t,
                                              std::uint32_t) {}
    TILEREEL_INLINE static std::uint32_t shared_offset(const void* element) {
        return device::shared_address(element);
    }
    template <class T>
    TILEREEL_INLINE static T load(const T* element, const Place& place);
    template <class T>
    TILEREEL_INLINE static void store(T* element, const Place& place, const T& value);
    template <class T>
    TILEREEL_INLINE static void copy(T* to, const Place& at_to, const T* from,
                                     const Place& at_from);
    TILEREEL_INLINE static void commit_copies(std::uint32_t) { device::commit_group(); }
    template <int Newest>
    TILEREEL_INLINE static void wait_copies(std::uint32_t) {
        device::wait_group<Newest>();
    }
    TILEREEL_INLINE static std::uint32_t begin_accumulator() { return 0; }
    TILEREEL_INLINE static void end_accumulator() {}
    TILEREEL_INLINE static void multiply_add(std::uint32_t, std::uint32_t, float) {}
    TILEREEL_INLINE static void of_phase(std::uint32_t, device::DeviceOperation, std::uint32_t,
                                         std::uint32_t) {}
    // Which of the shared arrays it is does not matter here: none of the hooks asks.
    TILEREEL_INLINE static std::uint32_t begin_shared_array(const void*, std::uint32_t) {
        return 0;
    }
};

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

#include "kernels/dialect/dynamic_shared.cuh"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

// `is_shared` is a constant once everything is inlined: one of the two instructions is left, and a
// test counts them.
template <class T>
TILEREEL_INLINE T Hooks::load(const T* element, const Place& place) {
    Words<sizeof(T)> words;
    if (place.is_shared)
        load_shared(place.offset_bytes, words);
    else
        load_global(element, words);
    return __builtin_bit_cast(T, words);
}

template <class T>
TILEREEL_INLINE void Hooks::store(T* element, const Place& place, const T& value) {
    const auto words = __builtin_bit_cast(Words<sizeof(T)>, value);
    if (place.is_shared)
        store_shared(place.offset_bytes, words);
    else
        store_global(element, words);
}

template <class T>
TILEREEL_INLINE void Hooks::copy(T* to, [[maybe_unused]] const Place& at_to, const T* from,
                                 [[maybe_unused]] const Place& at_from) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    device::start_copy(to, from);
#else
    store<T>(to, at_to, load<T>(from, at_from));
#endif
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect
