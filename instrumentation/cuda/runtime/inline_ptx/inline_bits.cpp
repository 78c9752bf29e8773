// Instructions on the bits of integers. PTX ISA, "Logic and Shift Instructions" and, of "Integer
// Arithmetic Instructions", those that count, find, extract, insert or reverse bits; "prmt".
#include <algorithm>
#include <array>
#include <bit>

#include "instrumentation/cuda/runtime/inline_ptx/integer_steps.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_bits {

using ptx_integer::same_type;
using ptx_integer::to_word;
using ptx_integer::Unsigned;

struct And {
    template <class T>
    T operator()(T a, T b) const {
        return T(a & b);
    }
};
struct Or {
    template <class T>
    T operator()(T a, T b) const {
        return T(a | b);
    }
};
struct Xor {
    template <class T>
    T operator()(T a, T b) const {
        return T(a ^ b);
    }
};
struct Not {
    template <class T>
    T operator()(T a) const {
        return T(~a);
    }
};
struct LogicalNot {  // cnot
    template <class T>
    T operator()(T a) const {
        return T(a == 0);
    }
};
struct PopulationCount {
    template <class T>
    std::uint32_t operator()(T a) const {
        return std::uint32_t(std::popcount(Unsigned<T>(a)));
    }
};
struct LeadingZeros {
    template <class T>
    std::uint32_t operator()(T a) const {
        return std::uint32_t(std::countl_zero(Unsigned<T>(a)));
    }
};
// The place of the highest bit that differs from the sign; all ones if there is none.
template <bool shift>
struct FindBit {
    template <class T>
    std::uint32_t operator()(T a) const {
        Unsigned<T> bits = Unsigned<T>(a);
        if (a < T(0)) bits = ~bits;
        if (bits == 0) return ~std::uint32_t{0};
        const auto zeros = std::uint32_t(std::countl_zero(bits));
        return shift ? zeros : std::uint32_t(8 * sizeof(T) - 1) - zeros;
    }
};
struct ReverseBits {
    template <class T>
    T operator()(T a) const {
        Unsigned<T> from = Unsigned<T>(a), to = 0;
        for (std::size_t i = 0; i < 8 * sizeof(T); ++i, from >>= 1)
            to = Unsigned<T>(to << 1 | (from & 1));
        return T(to);
    }
};

// Logic also takes predicates.
template <class Function>
void compute_predicate(PtxFrame& frame, const PtxStep& step) {
    const bool a = get_predicate(frame, step.in[0]);
    const bool b = get_predicate(frame, step.in[1]);
    put(frame, step.out[0], std::uint64_t(Function{}(int{a}, int{b}) & 1));
}
template <class Function>
Result<PtxStep> logic(const PtxBinder& binder) {
    if (last_type(binder.instruction()) != PtxType::kPredicate)
        return same_type<2, Function>(binder);
    return computing(binder, compute_predicate<Function>, 2, PtxType::kPredicate);
}
Result<PtxStep> logical_not(const PtxBinder& binder) {
    if (last_type(binder.instruction()) != PtxType::kPredicate) return same_type<1, Not>(binder);
    return computing(
        binder,
        [](PtxFrame& frame, const PtxStep& step) {
            put(frame, step.out[0], std::uint64_t(!get_predicate(frame, step.in[0])));
        },
        1, PtxType::kPredicate);
}

// Shifts: an amount of 32 bits, of which large ones clear the register or fill it with the sign.
template <class T, bool left>
void shift(PtxFrame& frame, const PtxStep& step) {
    const T a = get_as<T>(frame, step.in[0]);
    const std::uint32_t amount = get_as<std::uint32_t>(frame, step.in[1]);
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    T result = 0;
    if (left)
        result = amount >= kBits ? T(0) : T(Unsigned<T>(a) << amount);
    else
        result = amount >= kBits ? T(a < T(0) ? -1 : 0) : T(a >> amount);
    put(frame, step.out[0], result);
}
template <bool left>
Result<PtxStep> shifted(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    PtxStep step = TRY(computing(
        binder, with_integer(type, []<class T>(T) -> PtxStep::Run { return shift<T, left>; }), 2,
        type));
    step.in[1] = TRY(binder.source(2, PtxType::kU32));
    return step;
}
// shf: d = the high or low word of b:a shifted.
template <bool left, bool clamps>
void funnel(PtxFrame& frame, const PtxStep& step) {
    const std::uint64_t low = get_as<std::uint32_t>(frame, step.in[0]),
                        high = get_as<std::uint32_t>(frame, step.in[1]);
    std::uint32_t amount = get_as<std::uint32_t>(frame, step.in[2]);
    amount = clamps ? std::min(amount, 32u) : amount & 31;
    const std::uint64_t both = high << 32 | low;
    put(frame, step.out[0], std::uint32_t(left ? both << amount >> 32 : both >> amount));
}
Result<PtxStep> funnel_shift(const PtxBinder& binder) {
    const bool left = binder.instruction().has("l"), clamps = binder.instruction().has("clamp");
    return computing(binder,
                     left ? (clamps ? funnel<true, true> : funnel<true, false>)
                          : (clamps ? funnel<false, true> : funnel<false, false>),
                     3, PtxType::kB32);
}

// bfe: a field of `length` bits from `begin`, with the sign of its highest bit.
template <class T>
void extract(PtxFrame& frame, const PtxStep& step) {
    const T a = get_as<T>(frame, step.in[0]);
    const std::uint32_t begin = get_as<std::uint32_t>(frame, step.in[1]) & 255,
                        length = get_as<std::uint32_t>(frame, step.in[2]) & 255;
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const bool sign = std::is_signed_v<T> && length != 0 &&
                      (Unsigned<T>(a) >> std::min(begin + length - 1, kBits - 1) & 1) != 0;
    Unsigned<T> result = sign ? Unsigned<T>(-1) : Unsigned<T>(0);
    for (std::uint32_t i = 0; i < std::min(length, kBits); ++i) {
        if (begin + i >= kBits) break;
        const Unsigned<T> bit = Unsigned<T>(1) << i;
        result = (Unsigned<T>(a) >> (begin + i) & 1) != 0 ? result | bit : result & ~bit;
    }
    put(frame, step.out[0], T(result));
}
Result<PtxStep> bit_field_extract(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    return computing(
        binder, with_integer(type, []<class T>(T) -> PtxStep::Run { return extract<T>; }), 3, type);
}
// bfi: puts the low `length` bits of a into b at `begin`.
template <class T>
void insert(PtxFrame& frame, const PtxStep& step) {
    const T a = get_as<T>(frame, step.in[0]);
    T b = get_as<T>(frame, step.in[1]);
    const std::uint32_t begin = get_as<std::uint32_t>(frame, step.in[2]) & 255,
                        length = get_as<std::uint32_t>(frame, step.in[3]) & 255;
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    for (std::uint32_t i = 0; i < length && begin + i < kBits; ++i) {
        const T bit = T(T(1) << (begin + i));
        b = (a >> i & 1) != 0 ? T(b | bit) : T(b & ~bit);
    }
    put(frame, step.out[0], b);
}
Result<PtxStep> bit_field_insert(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    return computing(binder, bytes_of(type) == 8 ? insert<std::uint64_t> : insert<std::uint32_t>, 4,
                     type);
}
// bmsk: `length` ones from `begin`.
Result<PtxStep> bit_mask(const PtxBinder& binder) {
    const auto clamped = [](PtxFrame& frame, const PtxStep& step) {
        const std::uint32_t begin = get_as<std::uint32_t>(frame, step.in[0]),
                            length = get_as<std::uint32_t>(frame, step.in[1]);
        const std::uint64_t ones = length >= 32 ? 0xffffffffu : (std::uint64_t{1} << length) - 1;
        put(frame, step.out[0], begin >= 32 ? 0u : std::uint32_t(ones << begin));
    };
    const auto wrapped = [](PtxFrame& frame, const PtxStep& step) {
        const std::uint32_t begin = get_as<std::uint32_t>(frame, step.in[0]) & 31,
                            length = get_as<std::uint32_t>(frame, step.in[1]) & 31;
        put(frame, step.out[0], std::uint32_t(((std::uint64_t{1} << length) - 1) << begin));
    };
    if (binder.instruction().has("wrap")) return computing(binder, wrapped, 2, PtxType::kB32);
    return computing(binder, clamped, 2, PtxType::kB32);
}
// lop3: for each bit, the table's bit at the number a:b:c.
void lookup_3(PtxFrame& frame, const PtxStep& step) {
    const std::uint32_t a = get_as<std::uint32_t>(frame, step.in[0]),
                        b = get_as<std::uint32_t>(frame, step.in[1]),
                        c = get_as<std::uint32_t>(frame, step.in[2]);
    std::uint32_t result = 0;
    for (std::uint32_t row = 0; row < 8; ++row)
        if ((get(frame, step.in[3]) >> row & 1) != 0)
            result |=
                ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    put(frame, step.out[0], result);
}
Result<PtxStep> logic_3(const PtxBinder& binder) {
    if (binder.operands() != 5) return binder.refuse("use its form without a predicate");
    return computing(binder, lookup_3, 4, PtxType::kB32);
}
// prmt: each nibble of c chooses a byte of b:a; its bit 3 fills the byte with the byte's sign.
void permute(PtxFrame& frame, const PtxStep& step) {
    const std::uint64_t both = get_as<std::uint32_t>(frame, step.in[0]) |
                               std::uint64_t{get_as<std::uint32_t>(frame, step.in[1])} << 32;
    const std::uint32_t control = get_as<std::uint32_t>(frame, step.in[2]);
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        std::uint32_t select = control >> 4 * i & 15;
        const std::uint32_t low = control & 3;
        switch (step.numbers[0]) {  // PTX ISA, "prmt", the table of modes
            case 1:
                select = low + i;
                break;  // f4e
            case 2:
                select = (low - i) & 7;
                break;  // b4e
            case 3:
                select = low;
                break;  // rc8
            case 4:
                select = std::max(low, i);
                break;  // ecl
            case 5:
                select = std::min(low, i);
                break;  // ecr
            case 6:
                select = (control & 1) * 2 + (i & 1);
                break;  // rc16
            default:
                break;
        }
        const auto byte = std::uint32_t(both >> 8 * (select & 7) & 255);
        const std::uint32_t chosen = (select & 8) == 0 ? byte : (byte & 128) != 0 ? 255u : 0u;
        result |= chosen << 8 * i;
    }
    put(frame, step.out[0], result);
}
Result<PtxStep> permute_bytes(const PtxBinder& binder) {
    PtxStep step = TRY(computing(binder, permute, 3, PtxType::kB32));
    constexpr std::array<std::string_view, 6> kModes = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    for (std::uint32_t i = 0; i < kModes.size(); ++i)
        if (binder.instruction().has(kModes[i])) step.numbers[0] = i + 1;
    return step;
}
Result<PtxStep> find_bit(const PtxBinder& binder) {
    return binder.instruction().has("shiftamt") ? to_word<FindBit<true>>(binder)
                                                : to_word<FindBit<false>>(binder);
}

constexpr std::array kInstructions = std::to_array<PtxEntry>({
    {"and", logic<And>},
    {"or", logic<Or>},
    {"xor", logic<Xor>},
    {"not", logical_not},
    {"cnot", same_type<1, LogicalNot>},
    {"popc", to_word<PopulationCount>},
    {"clz", to_word<LeadingZeros>},
    {"bfind", find_bit},
    {"brev", same_type<1, ReverseBits>},
    {"shl", shifted<true>},
    {"shr", shifted<false>},
    {"shf", funnel_shift},
    {"bfe", bit_field_extract},
    {"bfi", bit_field_insert},
    {"bmsk", bit_mask},
    {"lop3", logic_3},
    {"prmt", permute_bytes},
});

}  // namespace ptx_bits

PtxBind bit_instruction(std::string_view name) { return find_bind(ptx_bits::kInstructions, name); }

}  // namespace tilereel::runtime
