#pragma once
// What our block-wide and warp-wide primitives are built from. They call a user's function with
// items that are not const, as CUB does, because its parameters may be references.
#pragma GCC system_header
#include "cuda_runtime.h"

namespace cub {

inline constexpr int kWarpThreads = 32;

namespace detail {

// Memory for items. A class with a constructor gets bytes, because shared memory is not
// initialized.
template <class T, int kCount, bool kPlain = std::is_trivially_default_constructible<T>::value>
struct Items {
    T items[kCount];
    __device__ T& operator[](int i) { return items[i]; }
};
template <class T, int kCount>
struct Items<T, kCount, false> {
    alignas(T) unsigned char bytes[sizeof(T) * kCount];
    __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// The number of the thread in its block.
template <int kX, int kY, int kZ>
__device__ inline int thread_of_block() {
    return int((kZ == 1 ? 0 : threadIdx.z * kX * kY) + (kY == 1 ? 0 : threadIdx.y * kX) +
               threadIdx.x);
}

// Lanes of a warp that work together, from `first` on.
template <int kLanes>
struct LogicalWarp {
    int lane = int(tilereel::runtime::lane_number());
    int first = kLanes == kWarpThreads ? 0 : lane / kLanes * kLanes;
    int rank = lane - first;
    unsigned mask = kLanes >= kWarpThreads ? ~0u : ((1u << kLanes % 32) - 1) << first;
};

// Exchanges of values of any size, 8 bytes at a time.
template <class T>
T value_of_lane(unsigned mask, const T& value, int lane) {
    T result = value;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
        unsigned long long part = 0;
        const std::size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        std::memcpy(&part, reinterpret_cast<const char*>(&value) + at, bytes);
        part = tilereel::runtime::value_of(mask, part, lane);
        std::memcpy(reinterpret_cast<char*>(&result) + at, &part, bytes);
    }
    return result;
}
template <class T>
TILEREEL_CALL T shfl_up(unsigned mask, T value, int lane, int offset, int first) {
    return value_of_lane(mask, value, lane - offset < first ? lane : lane - offset);
}
template <class T>
TILEREEL_CALL T shfl_down(unsigned mask, T value, int lane, int offset, int last) {
    return value_of_lane(mask, value, lane + offset > last ? lane : lane + offset);
}
template <class T>
TILEREEL_CALL T shfl(unsigned mask, T value, int lane) {
    return value_of_lane(mask, value, lane);
}

}  // namespace detail
}  // namespace cub
