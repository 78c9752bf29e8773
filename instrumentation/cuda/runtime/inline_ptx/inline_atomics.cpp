#include "instrumentation/cuda/runtime/inline_ptx/inline_atomics.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "instrumentation/cuda/runtime/inline_ptx/inline_floats.h"

namespace tilereel::runtime {
namespace {

constexpr std::array kAtomics = std::to_array<AtomicFacts>({
    {"and", Atomic::kAnd, "atomicAnd"},
    {"or", Atomic::kOr, "atomicOr"},
    {"xor", Atomic::kXor, "atomicXor"},
    {"cas", Atomic::kCas, "atomicCAS"},
    {"exch", Atomic::kExch, "atomicExch"},
    {"add", Atomic::kAdd, "atomicAdd"},
    {"inc", Atomic::kInc, "atomicInc"},
    {"dec", Atomic::kDec, "atomicDec"},
    {"min", Atomic::kMin, "atomicMin"},
    {"max", Atomic::kMax, "atomicMax"},
});

template <class T>
T next_value(Atomic operation, T old, T b, T c) {
    if constexpr (std::is_integral_v<T>) {
        switch (operation) {
            case Atomic::kAnd:
                return T(old & b);
            case Atomic::kOr:
                return T(old | b);
            case Atomic::kXor:
                return T(old ^ b);
            case Atomic::kInc:
                return old >= b ? T(0) : T(old + 1);
            case Atomic::kDec:
                return old == 0 || old > b ? b : T(old - 1);
            default:
                break;
        }
    }
    switch (operation) {
        case Atomic::kCas:
            return std::memcmp(&old, &b, sizeof old) == 0 ? c : old;
        case Atomic::kExch:
            return b;
        case Atomic::kMin:
            return double(b) < double(old) ? b : old;
        case Atomic::kMax:
            return double(b) > double(old) ? b : old;
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
    else if constexpr (std::is_floating_point_v<T>)
        return old + b;
    else
        return T(double(old) + double(b));
}
template <class T>
T next_integer(Atomic operation, T old, T b, T c) {  // 64 bits are not exact in double
    if (operation == Atomic::kMin) return std::min(old, b);
    if (operation == Atomic::kMax) return std::max(old, b);
    return next_value(operation, old, b, c);
}

// Atomic for the CPU, too: blocks that are not recorded run on several CPU threads. `Word`: an
// unsigned integer of the same size.
template <class Word, class Next>
Word exchange(void* address, Next next) {
    auto* const word = static_cast<Word*>(address);
    Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, next(old), true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T, class Word>
Word apply(Atomic operation, void* address, Word b, Word c) {
    return exchange<Word>(address, [&](Word old) {
        const auto as = [](Word bits) {
            T value;
            std::memcpy(&value, &bits, sizeof value);
            return value;
        };
        T next;
        if constexpr (std::is_integral_v<T>)
            next = next_integer(operation, as(old), as(b), as(c));
        else
            next = next_value(operation, as(old), as(b), as(c));
        Word bits = 0;
        std::memcpy(&bits, &next, sizeof next);
        return bits;
    });
}
template <class T>
std::uint32_t apply_pair(Atomic operation, void* address, std::uint32_t b, std::uint32_t) {
    return exchange<std::uint32_t>(address, [&](std::uint32_t old) {
        std::array<T, 2> x, y;
        std::memcpy(&x, &old, sizeof x);
        std::memcpy(&y, &b, sizeof y);
        for (int i = 0; i < 2; ++i) x[i] = next_value(operation, x[i], y[i], y[i]);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, sizeof x);
        return bits;
    });
}

}  // namespace

const AtomicFacts* atomic_named(const PtxInstruction& instruction) {
    const auto found = std::ranges::find_if(
        kAtomics, [&](const AtomicFacts& known) { return instruction.has(known.word); });
    return found == kAtomics.end() ? nullptr : &*found;
}

bool is_of_floats(Atomic operation) {
    return operation == Atomic::kAdd || operation == Atomic::kMin || operation == Atomic::kMax ||
           operation == Atomic::kExch;
}

std::uint64_t change_atomically(PtxType type, Atomic operation, void* address, std::uint64_t b,
                                std::uint64_t c) {
    const auto b4 = std::uint32_t(b), c4 = std::uint32_t(c);
    const auto b2 = std::uint16_t(b), c2 = std::uint16_t(c);
    switch (type) {
        case PtxType::kS32:
            return apply<std::int32_t, std::uint32_t>(operation, address, b4, c4);
        case PtxType::kU64:
        case PtxType::kB64:
            return apply<std::uint64_t, std::uint64_t>(operation, address, b, c);
        case PtxType::kS64:
            return apply<std::int64_t, std::uint64_t>(operation, address, b, c);
        case PtxType::kF32:
            return apply<float, std::uint32_t>(operation, address, b4, c4);
        case PtxType::kF64:
            return apply<double, std::uint64_t>(operation, address, b, c);
        case PtxType::kF16:
            return apply<Half, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kBf16:
            return apply<Bfloat, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kB16:
            return apply<std::uint16_t, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kF16x2:
            return apply_pair<Half>(operation, address, b4, c4);
        case PtxType::kBf16x2:
            return apply_pair<Bfloat>(operation, address, b4, c4);
        default:
            return apply<std::uint32_t, std::uint32_t>(operation, address, b4, c4);
    }
}

}  // namespace tilereel::runtime
