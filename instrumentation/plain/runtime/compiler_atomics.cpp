// The functions that -fsanitize=thread calls for atomic operations. They are sequentially
// consistent, whatever memory order the program requests.
#include <cstdint>

#include "instrumentation/plain/runtime/compiler_hooks.h"

using tilereel::plain::note_atomic;
using tilereel::plain::SiteKind;

namespace {

// Records the operation. Returns the address at which it takes place.
template <class T>
T* target_of(const volatile T* address, SiteKind kind, const void* from) {
    return static_cast<T*>(note_atomic(address, sizeof(T), kind, from));
}

}  // namespace

#define TILEREEL_TARGET(kind) target_of(address, SiteKind::kind, __builtin_return_address(0))
#define TILEREEL_FETCH(bits, T, name)                                                    \
    T __tsan_atomic##bits##_fetch_##name(volatile T* address, T value, int) {            \
        return __atomic_fetch_##name(TILEREEL_TARGET(kAtomic), value, __ATOMIC_SEQ_CST); \
    }
#define TILEREEL_EXCHANGE_IF(bits, T, way)                                                      \
    int __tsan_atomic##bits##_compare_exchange_##way(volatile T* address, T* expected, T value, \
                                                     int, int) {                                \
        return __atomic_compare_exchange_n(TILEREEL_TARGET(kAtomic), expected, value, false,    \
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
    }
#define TILEREEL_ATOMICS(bits, T)                                                               \
    T __tsan_atomic##bits##_load(const volatile T* address, int) {                              \
        return __atomic_load_n(TILEREEL_TARGET(kLoad), __ATOMIC_SEQ_CST);                       \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile T* address, T value, int) {                       \
        __atomic_store_n(TILEREEL_TARGET(kStore), value, __ATOMIC_SEQ_CST);                     \
    }                                                                                           \
    T __tsan_atomic##bits##_exchange(volatile T* address, T value, int) {                       \
        return __atomic_exchange_n(TILEREEL_TARGET(kAtomic), value, __ATOMIC_SEQ_CST);          \
    }                                                                                           \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T value, int, \
                                                 int) {                                         \
        __atomic_compare_exchange_n(TILEREEL_TARGET(kAtomic), &expected, value, false,          \
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
        return expected;                                                                        \
    }                                                                                           \
    TILEREEL_EXCHANGE_IF(bits, T, strong)                                                       \
    TILEREEL_EXCHANGE_IF(bits, T, weak)                                                         \
    TILEREEL_FETCH(bits, T, add)                                                                \
    TILEREEL_FETCH(bits, T, sub)                                                                \
    TILEREEL_FETCH(bits, T, and)                                                                \
    TILEREEL_FETCH(bits, T, or)                                                                 \
    TILEREEL_FETCH(bits, T, xor)                                                                \
    TILEREEL_FETCH(bits, T, nand)

extern "C" {
TILEREEL_ATOMICS(8, std::uint8_t)
TILEREEL_ATOMICS(16, std::uint16_t)
TILEREEL_ATOMICS(32, std::uint32_t)
TILEREEL_ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
