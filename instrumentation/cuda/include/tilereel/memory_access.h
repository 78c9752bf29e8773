#pragma once
// Atomic functions, and loads and stores with cache hints. Each call is recorded as one access to
// the object that its first argument points to.
#include "tilereel/language.h"

namespace tilereel::runtime {
template <class T>
using Same = typename std::remove_cv<T>::type;  // no deduction through it
template <class T>
struct Identity {
    using type = T;
};
template <class T>
using Value = typename Identity<T>::type;

// Atomic for the CPU, too, because blocks that are not recorded run on several CPU threads. Returns
// the old value.
template <class T, class F>
inline __attribute__((always_inline)) T exchange_with(T* address, F next_of) noexcept {
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    for (;;) {
        T next = next_of(old);
        if (__atomic_compare_exchange(address, &old, &next, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED))
            return old;
    }
}
}  // namespace tilereel::runtime

#define TILEREEL_ATOMIC_1(name, expression)                                                     \
    template <class T>                                                                          \
    TILEREEL_ACCESS("atomic")                                                                   \
    inline T name(T* address, tilereel::runtime::Value<T> value) noexcept {                     \
        return tilereel::runtime::exchange_with(address,                                        \
                                                [&](T old) noexcept { return T(expression); }); \
    }
#define TILEREEL_ATOMIC(name, expression)       \
    TILEREEL_ATOMIC_1(name, expression)         \
    TILEREEL_ATOMIC_1(name##_block, expression) \
    TILEREEL_ATOMIC_1(name##_system, expression)
TILEREEL_ATOMIC(atomicAdd, old + value)
TILEREEL_ATOMIC(atomicSub, old - value)
TILEREEL_ATOMIC(atomicExch, value)
TILEREEL_ATOMIC(atomicMin, value < old ? value : old)
TILEREEL_ATOMIC(atomicMax, value > old ? value : old)
TILEREEL_ATOMIC(atomicInc, old >= value ? T(0) : T(old + 1))
TILEREEL_ATOMIC(atomicDec, old == T(0) || old > value ? value : T(old - 1))
TILEREEL_ATOMIC(atomicAnd, old& value)
TILEREEL_ATOMIC(atomicOr, old | value)
TILEREEL_ATOMIC(atomicXor, old ^ value)
#undef TILEREEL_ATOMIC
#undef TILEREEL_ATOMIC_1
#define TILEREEL_CAS(name)                                                        \
    template <class T>                                                            \
    TILEREEL_ACCESS("atomic")                                                     \
    inline T name(T* address, tilereel::runtime::Value<T> compare,                \
                  tilereel::runtime::Value<T> value) noexcept {                   \
        T old = compare;                                                          \
        __atomic_compare_exchange(address, &old, &value, false, __ATOMIC_SEQ_CST, \
                                  __ATOMIC_SEQ_CST);                              \
        return old;                                                               \
    }
TILEREEL_CAS(atomicCAS)
TILEREEL_CAS(atomicCAS_block)
TILEREEL_CAS(atomicCAS_system)
#undef TILEREEL_CAS

#define TILEREEL_LOAD(name)                    \
    template <class T>                         \
    TILEREEL_ACCESS("load")                    \
    inline T name(const T* address) noexcept { \
        return *address;                       \
    }
TILEREEL_LOAD(__ldg)
TILEREEL_LOAD(__ldca)
TILEREEL_LOAD(__ldcg)
TILEREEL_LOAD(__ldcs)
TILEREEL_LOAD(__ldlu)
TILEREEL_LOAD(__ldcv)
#undef TILEREEL_LOAD
#define TILEREEL_STORE(name)                                                   \
    template <class T>                                                         \
    TILEREEL_ACCESS("store")                                                   \
    inline void name(T* address, tilereel::runtime::Value<T> value) noexcept { \
        *address = value;                                                      \
    }
TILEREEL_STORE(__stwb)
TILEREEL_STORE(__stcg)
TILEREEL_STORE(__stcs)
TILEREEL_STORE(__stwt)
#undef TILEREEL_STORE
