#pragma once
// The emulated build (g++ or clang++): a kernel is an ordinary function, run once a thread on a
// fiber of its own. Every access appends an event to the running thread's sequence.
#include <bit>
#include <cstring>

#include "kernels/dialect/emulated_thread.h"

#define TILEREEL_BUILD_NAMESPACE emulated
#define TILEREEL_INLINE inline __attribute__((always_inline))
#define __global__
#define __device__
#define __forceinline__ TILEREEL_INLINE
#define __launch_bounds__(...)

namespace tilereel::dialect {
inline namespace emulated {

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

struct Place;  // of proxies.h

struct Hooks {
    TILEREEL_INLINE static long long checked(long long index, long long count, std::uint32_t line,
                                             std::uint32_t array) {
        if (static_cast<unsigned long long>(index) < static_cast<unsigned long long>(count))
            [[likely]]
            return index;
        fail_index(index, count, line, array);
    }
    TILEREEL_INLINE static void check_aligned(unsigned long long offset_bytes,
                                              std::uint32_t width_bytes, std::uint32_t line,
                                              std::uint32_t array) {
        if (offset_bytes % width_bytes != 0) [[unlikely]]
            fail_alignment(offset_bytes, width_bytes, line, array);
    }
    TILEREEL_INLINE static std::uint32_t shared_offset(const void* element) {
        return static_cast<std::uint32_t>(static_cast<const unsigned char*>(element) -
                                          running.shared);
    }
    template <class T>
    TILEREEL_INLINE static T load(const T* element, Place place);
    template <class T>
    TILEREEL_INLINE static void store(T* element, Place place, const T& value);
    template <class T>
    TILEREEL_INLINE static void copy(T* to, Place at_to, const T* from, Place at_from);
    TILEREEL_INLINE static void commit_copies(std::uint32_t line) {
        record(event_key(line, EventKind::kBarrier, kCommitCopies, 4), 0u);
        close_copy_group();
    }
    template <int Newest>
    TILEREEL_INLINE static void wait_copies(std::uint32_t line) {
        if (is_left_out(line)) return;
        record(event_key(line, EventKind::kBarrier, kWaitCopies + Newest, 4), 0u);
        land_copies(Newest);
    }
    // What a thread says of a phase of a barrier in shared memory.
    TILEREEL_INLINE static void of_phase(std::uint32_t line, std::uint32_t what,
                                         std::uint32_t phase) {
        record(event_key(line, EventKind::kBarrier, what, 4), phase);
    }
    TILEREEL_INLINE static std::uint32_t begin_accumulator() {
        const std::uint32_t number = running.accumulators++;
        if (running.accumulators > running.most_accumulators)
            running.most_accumulators = running.accumulators;
        return number;
    }
    TILEREEL_INLINE static void end_accumulator() { --running.accumulators; }
    TILEREEL_INLINE static void multiply_add(std::uint32_t line, std::uint32_t accumulator,
                                             float after) {
        record(event_key(line, EventKind::kMultiplyAdd, accumulator, 4),
               std::bit_cast<std::uint32_t>(after));
    }
    TILEREEL_INLINE static float multiply_add_of(const float* a, const Place& at_a, const float* b,
                                                 const Place& at_b, std::uint32_t accumulator,
                                                 float sum);

  private:
    template <class T>
    TILEREEL_INLINE static void record_store(std::uint32_t line, std::uint32_t array,
                                             std::uint32_t offset_bytes, const T& value);
    template <class... Words>
    TILEREEL_INLINE static void record(EventKey key, Words... words) {
        if (*running.key == key) [[likely]] {
            std::uint32_t* slot = running.slot();
            ((*slot = words, slot += kLanes), ...);
            running.key += sizeof...(words);
        } else {
            const std::uint32_t all[] = {words...};
            record_unexpected(key, all);
        }
    }
    struct Operand {
        const float* element;
        EventKey key;
        std::uint32_t offset_bytes;
        [[nodiscard]] float load() const {
            record(key, offset_bytes);
            return *element;  // now: other threads may have run meanwhile
        }
    };
    // Returns the sum: one that lives across this call could not stay in a register.
    [[gnu::cold, gnu::noinline]] static float record_three(Operand a, Operand b, EventKey key_sum,
                                                           float sum) {
        const float a_value = a.load();
        const float b_value = b.load();
        const float after = sum + a_value * b_value;
        record(key_sum, std::bit_cast<std::uint32_t>(after));
        return after;
    }
};

}  // namespace emulated
}  // namespace tilereel::dialect

#include "kernels/dialect/proxies.h"

namespace tilereel::dialect {
inline namespace emulated {

template <class T>
T Hooks::load(const T* element, Place place) {
    record(event_key(place.line, EventKind::kLoad, place.array, sizeof(T)), place.offset_bytes);
    return *element;
}

template <class T>
void Hooks::store(T* element, Place place, const T& value) {
    record_store(place.line, place.array, place.offset_bytes, value);
    *element = value;
}

template <class T>
void Hooks::record_store(std::uint32_t line, std::uint32_t array, std::uint32_t offset_bytes,
                         const T& value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    std::uint32_t word[sizeof(T) / 4];
    std::memcpy(word, &value, sizeof(T));
    const EventKey key = event_key(line, EventKind::kStore, array, sizeof(T));
    if constexpr (sizeof(T) == 4)
        record(key, offset_bytes, word[0]);
    else if constexpr (sizeof(T) == 8)
        record(key, offset_bytes, word[0], word[1]);
    else
        record(key, offset_bytes, word[0], word[1], word[2], word[3]);
}

template <class T>
void Hooks::copy(T* to, Place at_to, const T* from, Place at_from) {
    record(event_key(at_to.line, EventKind::kLoad, at_from.array | kOfCopy, sizeof(T)),
           at_from.offset_bytes);
    const T value = *from;
    record_store(at_to.line, at_to.array | kOfCopy, at_to.offset_bytes, value);
    start_copy(to, &value, sizeof(T));
}

// The loop that nearly all time goes into: three events, one step along the keys.
float Hooks::multiply_add_of(const float* a, const Place& at_a, const float* b, const Place& at_b,
                             std::uint32_t accumulator, float sum) {
    const EventKey key_a = event_key(at_a.line, EventKind::kLoad, at_a.array, sizeof(float));
    const EventKey key_b = event_key(at_b.line, EventKind::kLoad, at_b.array, sizeof(float));
    const EventKey key_sum = event_key(at_a.line, EventKind::kMultiplyAdd, accumulator, 4);
    const float after = sum + *a * *b;
    const EventKey* key = running.key;
    if (key[0] == key_a && key[1] == key_b && key[2] == key_sum) [[likely]] {
        std::uint32_t* slot = running.slot();
        slot[0] = at_a.offset_bytes;
        slot[kLanes] = at_b.offset_bytes;
        slot[2 * kLanes] = std::bit_cast<std::uint32_t>(after);
        running.key = key + 3;
        return after;
    }
    return record_three({a, key_a, at_a.offset_bytes}, {b, key_b, at_b.offset_bytes}, key_sum, sum);
}

TILEREEL_INLINE void __syncthreads(std::uint32_t line = __builtin_LINE()) { block_barrier(line); }
TILEREEL_INLINE void __syncwarp(unsigned = 0xffffffff, std::uint32_t line = __builtin_LINE()) {
    warp_barrier(line);
}

template <class T, int... Extents>
TILEREEL_INLINE Tile<T, Extents...> declare_shared(const char* name, const char* extents,
                                                   bool dynamic = false) {
    static constexpr int kExtent[] = {Extents...};
    constexpr std::uint32_t kExtents = sizeof...(Extents);
    constexpr int kRow = kExtent[kExtents - 1];
    const SharedPlace place = reserve_shared({.name = name,
                                              .extents = extents,
                                              .rows = Tile<T, Extents...>::kElements / kRow,
                                              .row_elements = kRow,
                                              .outer_extents = kExtent,
                                              .outer_extent_count = kExtents > 2 ? kExtents - 2 : 0,
                                              .element_bytes = sizeof(T),
                                              .alignment_bytes = alignof(T),
                                              .dynamic = dynamic});
    return {reinterpret_cast<T*>(place.first), place.array};
}

template <class T>
class DynamicShared {
  public:
    template <int Pad = 0>
    TILEREEL_INLINE SharedPointer<T> array(const char* name, int rows, int columns) {
        const auto size = [](int extent) { return static_cast<std::uint32_t>(extent); };
        const SharedPlace place = reserve_shared({.name = name,
                                                  .extents = "",
                                                  .rows = size(rows),
                                                  .row_elements = size(columns + Pad),
                                                  .padding_elements = Pad,
                                                  .element_bytes = sizeof(T),
                                                  .alignment_bytes = alignof(T),
                                                  .dynamic = true});
        return {reinterpret_cast<T*>(place.first), size(rows) * size(columns + Pad), place.array};
    }
    template <int... Extents>
    TILEREEL_INLINE Tile<T, Extents...> tile(const char* name) {
        return declare_shared<T, Extents...>(name, "", true);
    }
};

template <class T>
TILEREEL_INLINE SharedPointer<T> dynamicShared() {
    const SharedPlace place = dynamic_shared(sizeof(T));
    return {reinterpret_cast<T*>(place.first), static_cast<std::uint32_t>(place.bytes / sizeof(T)),
            place.array};
}

}  // namespace emulated
}  // namespace tilereel::dialect

#define SHARED(T, name, ...) \
    const auto name = ::tilereel::dialect::declare_shared<T, __VA_ARGS__>(#name, #__VA_ARGS__)
