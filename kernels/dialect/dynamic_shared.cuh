#pragma once
// proxies.h, and shared memory as nvcc has it: the traced build. Besides what proxies.h asks for, its
// Hooks have
//     uint32_t begin_shared_array(const void* first, uint32_t size_bytes)
//         the number of the shared array that the calling thread declares next
#include "kernels/dialect/proxies.h"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

// The block's dynamic shared memory. What the copy engine exchanges within 1024 bytes it counts
// from a multiple of 1024.
template <class T>
TILEREEL_INLINE T* first_dynamic_shared() {
    extern __shared__ __align__(1024) unsigned char tilereel_dynamic_shared[];
    return reinterpret_cast<T*>(tilereel_dynamic_shared);
}

// Dealt out from its start.
template <class T>
class DynamicShared {
  public:
    template <int Pad = 0>
    TILEREEL_INLINE SharedPointer<T> array(const char*, int rows, int columns) {
        const auto elements = static_cast<std::uint32_t>(rows * (columns + Pad));
        T* const first = take<T>(elements);
        return {first, elements, Hooks::begin_shared_array(first, bytes_of(elements))};
    }
    // T name[Extents]...
    template <int... Extents>
    TILEREEL_INLINE Tile<T, Extents...> tile(const char*) {
        constexpr auto kElements = static_cast<std::uint32_t>(Tile<T, Extents...>::kElements);
        T* const first = take<T>(kElements);
        return {first, Hooks::begin_shared_array(first, bytes_of(kElements))};
    }
    // Room for other things than elements, which are not recorded.
    template <class U>
    TILEREEL_INLINE U* take(std::uint32_t count) {
        U* const first = reinterpret_cast<U*>(next_);
        next_ = reinterpret_cast<T*>(first + count);
        return first;
    }
    // The number of the first of so many barriers more.
    TILEREEL_INLINE std::uint32_t number_barriers(std::uint32_t count) {
        return (barriers_ += count) - count;
    }

  private:
    TILEREEL_INLINE static constexpr std::uint32_t bytes_of(std::uint32_t elements) {
        return elements * static_cast<std::uint32_t>(sizeof(T));
    }
    T* next_ = first_dynamic_shared<T>();
    std::uint32_t barriers_ = 0;
};

template <class T>
TILEREEL_INLINE SharedPointer<T> dynamicShared() {  // NOLINT: named as CUDA names
    std::uint32_t bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    T* const first = first_dynamic_shared<T>();
    return {first, static_cast<std::uint32_t>(bytes / sizeof(T)),
            Hooks::begin_shared_array(first, bytes)};
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

#define SHARED(T, name, ...)                                                          \
    __shared__ T name##_memory[::tilereel::dialect::Tile<T, __VA_ARGS__>::kElements]; \
    const ::tilereel::dialect::Tile<T, __VA_ARGS__> name(                             \
        name##_memory,                                                                \
        ::tilereel::dialect::Hooks::begin_shared_array(name##_memory, sizeof(name##_memory)))
