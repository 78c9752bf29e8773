#pragma once
// Barriers and warp collectives. CUDA C++ Programming Guide, "Synchronization
// Functions", "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions", "Warp Shuffle
// Functions".
#include <cstring>

#include "tilereel/language.h"
#include "tilereel/runtime_calls.h"

namespace tilereel::runtime {
template <class T>
unsigned long long to_bits(T value) {
    static_assert(sizeof(T) <= 8, "a lane passes at most 8 bytes to the others");
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
T from_bits(unsigned long long bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}
// The value of lane `source` if it takes part, else the lane's own.
template <class T>
T value_of(unsigned mask, T value, int source) {
    const LaneValues lanes = warp_shuffle(mask, to_bits(value), unsigned(source));
    return (lanes.mask >> source & 1u) != 0 ? from_bits<T>(lanes.values[source]) : value;
}
template <class T>
T shuffle(unsigned mask, T value, int source, int width) {
    const int lane = int(lane_number()), base = lane & ~(width - 1);
    return value_of(mask, value, base | (source & (width - 1)));
}
template <class T>
T shuffle_up(unsigned mask, T value, unsigned delta, int width) {
    const int lane = int(lane_number()), source = (lane & (width - 1)) - int(delta);
    return value_of(mask, value, source < 0 ? lane : lane - int(delta));
}
template <class T>
T shuffle_down(unsigned mask, T value, unsigned delta, int width) {
    const int lane = int(lane_number()), source = (lane & (width - 1)) + int(delta);
    return value_of(mask, value, source >= width ? lane : lane + int(delta));
}
template <class T>
T shuffle_xor(unsigned mask, T value, int lane_mask, int width) {
    const int lane = int(lane_number()), source = lane ^ lane_mask;
    return value_of(mask, value, source >= (lane & ~(width - 1)) + width ? lane : source & 31);
}
inline unsigned ballot(unsigned mask, int predicate) {
    const LaneValues lanes = warp_exchange(mask, predicate != 0);
    unsigned result = 0;
    for (unsigned i = 0; i < 32; ++i)
        if (lanes.mask >> i & 1u) result |= unsigned(lanes.values[i] != 0) << i;
    return result;
}
template <class T>
unsigned match_any(unsigned mask, T value) {
    const LaneValues lanes = warp_exchange(mask, to_bits(value));
    unsigned result = 0;
    for (unsigned i = 0; i < 32; ++i)
        if (lanes.mask >> i & 1u) result |= unsigned(lanes.values[i] == to_bits(value)) << i;
    return result;
}
template <class T>
unsigned match_all(unsigned mask, T value, int* predicate) {
    const LaneValues lanes = warp_exchange(mask, to_bits(value));
    bool all = true;
    for (unsigned i = 0; i < 32; ++i)
        if (lanes.mask >> i & 1u) all = all && lanes.values[i] == to_bits(value);
    *predicate = all;
    return all ? lanes.mask : 0;
}
template <class T, class F>
T reduce(unsigned mask, T value, F combine) {
    const LaneValues lanes = warp_exchange(mask, to_bits(value));
    bool first = true;
    T result = value;
    for (unsigned i = 0; i < 32; ++i) {
        if (!(lanes.mask >> i & 1u)) continue;
        const T other = from_bits<T>(lanes.values[i]);
        result = first ? other : combine(result, other);
        first = false;
    }
    return result;
}
}  // namespace tilereel::runtime

void __syncthreads() noexcept TILEREEL_CALL;
inline TILEREEL_CALL int __syncthreads_count(int predicate) {
    return tilereel::runtime::barrier_count(predicate);
}
inline TILEREEL_CALL int __syncthreads_and(int predicate) {
    return tilereel::runtime::barrier_count(!predicate) == 0;
}
inline TILEREEL_CALL int __syncthreads_or(int predicate) {
    return tilereel::runtime::barrier_count(predicate) != 0;
}
inline TILEREEL_CALL void __syncwarp(unsigned mask = 0xffffffffu) {
    tilereel::runtime::warp_exchange(mask, 0);
}
inline TILEREEL_CALL unsigned __activemask() { return tilereel::runtime::warp_exchange(0, 0).mask; }
TILEREEL_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TILEREEL_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
TILEREEL_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TILEREEL_INLINE void __nanosleep(unsigned) {}

// Programmatic dependent launch. Launches run one after another, so that both functions have
// nothing to do.
TILEREEL_INLINE void cudaGridDependencySynchronize() {}
TILEREEL_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}

inline TILEREEL_CALL unsigned __ballot_sync(unsigned mask, int predicate) {
    return tilereel::runtime::ballot(mask, predicate);
}
inline TILEREEL_CALL int __all_sync(unsigned mask, int predicate) {
    return tilereel::runtime::ballot(mask, !predicate) == 0;
}
inline TILEREEL_CALL int __any_sync(unsigned mask, int predicate) {
    return tilereel::runtime::ballot(mask, predicate) != 0;
}
inline TILEREEL_CALL int __uni_sync(unsigned mask, int predicate) {
    const unsigned votes = tilereel::runtime::ballot(mask, predicate);
    return votes == 0 || votes == mask;
}
inline TILEREEL_CALL unsigned __ballot(int predicate) {
    return tilereel::runtime::ballot(0, predicate);
}
inline TILEREEL_CALL int __all(int predicate) {
    return tilereel::runtime::ballot(0, !predicate) == 0;
}
inline TILEREEL_CALL int __any(int predicate) {
    return tilereel::runtime::ballot(0, predicate) != 0;
}
template <class T>
TILEREEL_CALL unsigned __match_any_sync(unsigned mask, T value) {
    return tilereel::runtime::match_any(mask, value);
}
template <class T>
TILEREEL_CALL unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
    return tilereel::runtime::match_all(mask, value, predicate);
}

template <class T>
TILEREEL_CALL T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    return tilereel::runtime::shuffle(mask, value, source, width);
}
template <class T>
TILEREEL_CALL T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return tilereel::runtime::shuffle_up(mask, value, delta, width);
}
template <class T>
TILEREEL_CALL T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return tilereel::runtime::shuffle_down(mask, value, delta, width);
}
template <class T>
TILEREEL_CALL T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
    return tilereel::runtime::shuffle_xor(mask, value, lane_mask, width);
}
// The functions from before CUDA 9 have no mask: the lanes at the same call take part.
template <class T>
TILEREEL_CALL T __shfl(T value, int source, int width = 32) {
    return tilereel::runtime::shuffle(0, value, source, width);
}
template <class T>
TILEREEL_CALL T __shfl_up(T value, unsigned delta, int width = 32) {
    return tilereel::runtime::shuffle_up(0, value, delta, width);
}
template <class T>
TILEREEL_CALL T __shfl_down(T value, unsigned delta, int width = 32) {
    return tilereel::runtime::shuffle_down(0, value, delta, width);
}
template <class T>
TILEREEL_CALL T __shfl_xor(T value, int lane_mask, int width = 32) {
    return tilereel::runtime::shuffle_xor(0, value, lane_mask, width);
}

#define TILEREEL_REDUCE(name, T, expression)                                                \
    inline TILEREEL_CALL T name(unsigned mask, T value) {                                   \
        return tilereel::runtime::reduce(mask, value, [](T a, T b) { return expression; }); \
    }
TILEREEL_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
TILEREEL_REDUCE(__reduce_add_sync, unsigned, a + b)
TILEREEL_REDUCE(__reduce_min_sync, int, a < b ? a : b)
TILEREEL_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
TILEREEL_REDUCE(__reduce_max_sync, int, a > b ? a : b)
TILEREEL_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
TILEREEL_REDUCE(__reduce_and_sync, unsigned, a& b)
TILEREEL_REDUCE(__reduce_or_sync, unsigned, a | b)
TILEREEL_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef TILEREEL_REDUCE
