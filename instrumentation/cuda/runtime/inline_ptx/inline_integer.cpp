// Integer, bit and extended-precision instructions. PTX ISA, "Integer Arithmetic Instructions",
// "Extended-Precision Integer Arithmetic Instructions", "Logic and Shift Instructions".
#include <algorithm>
#include <array>
#include <limits>

#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_integer {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
// Sums and products wrap, also those of signed types; small types are not promoted.
template <class T>
using Wide = std::conditional_t<
    (sizeof(T) > 4), std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<(sizeof(T) > 2),
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

struct Add {
    template <class T>
    T operator()(T a, T b) const {
        return T(Unsigned<T>(a) + Unsigned<T>(b));
    }
};
struct AddSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        const std::int64_t sum = std::int64_t{a} + b;
        return std::int32_t(std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max()));
    }
};
struct Subtract {
    template <class T>
    T operator()(T a, T b) const {
        return T(Unsigned<T>(a) - Unsigned<T>(b));
    }
};
struct SubtractSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        const std::int64_t rest = std::int64_t{a} - b;
        return std::int32_t(std::clamp<std::int64_t>(rest, std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max()));
    }
};
struct MultiplyLow {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<Unsigned<T>>(Unsigned<T>(a)) * Unsigned<T>(b));
    }
};
struct MultiplyHigh {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(a) * Wide<T>(b) >> 8 * sizeof(T));
    }
};
struct MultiplyWide {  // a result of twice the width
    template <class T>
    auto operator()(T a, T b) const {
        return Wide<T>(a) * Wide<T>(b);
    }
};
// 24 bits of each factor; "hi": bits 47 to 16 of the product.
template <class T>
T low_24(T a) {
    return std::is_signed_v<T> ? T(Unsigned<T>(a) << 8) >> 8 : T(a & 0xffffff);
}
struct Multiply24Low {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(low_24(a)) * low_24(b));
    }
};
struct Multiply24High {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(low_24(a)) * low_24(b) >> 16);
    }
};
// The GPU's results where a division is undefined in C++.
struct Divide {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return T(-1);
        if (std::is_signed_v<T> && b == T(-1)) return T(-Unsigned<T>(a));
        return T(a / b);
    }
};
struct Remainder {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == T(-1)) return 0;
        return T(a % b);
    }
};
struct Minimum {
    template <class T>
    T operator()(T a, T b) const {
        return std::min(a, b);
    }
};
struct Maximum {
    template <class T>
    T operator()(T a, T b) const {
        return std::max(a, b);
    }
};
struct Absolute {
    template <class T>
    T operator()(T a) const {
        return a < T(0) ? T(-Unsigned<T>(a)) : a;
    }
};
struct Negate {
    template <class T>
    T operator()(T a) const {
        return T(-Unsigned<T>(a));
    }
};
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
struct AbsoluteDifference {  // sad: c + |a - b|
    template <class T>
    T operator()(T a, T b, T c) const {
        return T(Unsigned<T>(c) +
                 (a < b ? Unsigned<T>(b) - Unsigned<T>(a) : Unsigned<T>(a) - Unsigned<T>(b)));
    }
};
template <class Product>
struct WithSum {  // mad
    template <class T>
    T operator()(T a, T b, T c) const {
        return T(Unsigned<T>(Product{}(a, b)) + Unsigned<T>(c));
    }
};
struct MultiplyAddSaturated {  // mad.hi.sat.s32
    std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
        return AddSaturated{}(MultiplyHigh{}(a, b), c);
    }
};

template <int inputs, class Function>
Result<PtxStep> same_type(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    if (type == PtxType::kPredicate) return binder.refuse("it has no predicates as operands");
    const PtxStep::Run run =
        with_integer(type, []<class T>(T) -> PtxStep::Run { return compute<T, inputs, Function>; });
    return computing(binder, run, inputs, type);
}

template <class Function>
Result<PtxStep> to_word(const PtxBinder& binder) {  // a result of 32 bits
    const PtxType type = last_type(binder.instruction());
    const PtxStep::Run run = with_integer(
        type, []<class T>(T) -> PtxStep::Run { return compute<T, 1, Function, std::uint32_t>; });
    return computing(binder, run, 1, type);
}

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

// Carry chains: the flag is of the thread, and holds within the statement.
template <class T, bool uses, bool sets, bool subtracts>
void with_carry(PtxFrame& frame, const PtxStep& step) {
    const T a = get_as<T>(frame, step.in[0]), b = get_as<T>(frame, step.in[1]);
    using W = unsigned __int128;
    const W carry = uses ? frame.carry : subtracts ? 1 : 0;
    // a - b = a + ~b + 1; the borrow is the missing carry.
    const W sum = W(a) + (subtracts ? T(~b) : b) + carry;
    put(frame, step.out[0], T(sum));
    if (sets) frame.carry = std::uint64_t(sum >> 8 * sizeof(T)) & 1;
}
template <bool subtracts>
Result<PtxStep> add_carry(const PtxBinder& binder, bool uses) {
    const PtxType type = last_type(binder.instruction());
    const bool sets = binder.instruction().has("cc"), wide = bytes_of(type) == 8;
    using U4 = std::uint32_t;
    using U8 = std::uint64_t;
    PtxStep::Run run = nullptr;
    if (uses)
        run = sets ? (wide ? with_carry<U8, true, true, subtracts>
                           : with_carry<U4, true, true, subtracts>)
                   : (wide ? with_carry<U8, true, false, subtracts>
                           : with_carry<U4, true, false, subtracts>);
    else
        run =
            wide ? with_carry<U8, false, true, subtracts> : with_carry<U4, false, true, subtracts>;
    return computing(binder, run, 2, type);
}
template <class T, bool high, bool uses, bool sets>
void multiply_carry(PtxFrame& frame, const PtxStep& step) {
    using W = unsigned __int128;
    const T a = get_as<T>(frame, step.in[0]), b = get_as<T>(frame, step.in[1]);
    const T product = high ? MultiplyHigh{}(a, b) : MultiplyLow{}(a, b);
    const W sum = W(product) + get_as<T>(frame, step.in[2]) + (uses ? frame.carry : 0);
    put(frame, step.out[0], T(sum));
    if (sets) frame.carry = std::uint64_t(sum >> 8 * sizeof(T)) & 1;
}
template <class T, bool high>
PtxStep::Run multiply_carry_of(bool uses, bool sets) {
    if (uses)
        return sets ? multiply_carry<T, high, true, true> : multiply_carry<T, high, true, false>;
    return multiply_carry<T, high, false, true>;
}
Result<PtxStep> mad_carry(const PtxBinder& binder, bool uses) {
    const PtxType type = last_type(binder.instruction());
    if (is_signed(type) && binder.instruction().has("hi"))
        return binder.refuse("use the unsigned form");
    const bool sets = binder.instruction().has("cc"), high = binder.instruction().has("hi");
    const PtxStep::Run run = bytes_of(type) == 8
                                 ? (high ? multiply_carry_of<std::uint64_t, true>(uses, sets)
                                         : multiply_carry_of<std::uint64_t, false>(uses, sets))
                                 : (high ? multiply_carry_of<std::uint32_t, true>(uses, sets)
                                         : multiply_carry_of<std::uint32_t, false>(uses, sets));
    return computing(binder, run, 3, type);
}

Result<PtxStep> add(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("cc")) return add_carry<false>(binder, false);
    if (instruction.has("sat"))
        return computing(binder, compute<std::int32_t, 2, AddSaturated>, 2, PtxType::kS32);
    return same_type<2, Add>(binder);
}
Result<PtxStep> subtract(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("cc")) return add_carry<true>(binder, false);
    if (instruction.has("sat"))
        return computing(binder, compute<std::int32_t, 2, SubtractSaturated>, 2, PtxType::kS32);
    return same_type<2, Subtract>(binder);
}

// A product of twice the width, and with a sum of that width.
template <class T>
void multiply_wide(PtxFrame& frame, const PtxStep& step) {
    const auto product = MultiplyWide{}(get_as<T>(frame, step.in[0]), get_as<T>(frame, step.in[1]));
    put(frame, step.out[0], product);
}
template <class T>
void multiply_wide_add(PtxFrame& frame, const PtxStep& step) {
    using W = Wide<T>;
    const W product = MultiplyWide{}(get_as<T>(frame, step.in[0]), get_as<T>(frame, step.in[1]));
    put(frame, step.out[0], W(Unsigned<W>(product) + Unsigned<W>(get_as<W>(frame, step.in[2]))));
}
template <bool adds>
Result<PtxStep> wide_product(const PtxBinder& binder) {
    PtxStep::Run run = nullptr;
    const PtxType type = last_type(binder.instruction());
    switch (type) {
        case PtxType::kU16:
            run = adds ? multiply_wide_add<std::uint16_t> : multiply_wide<std::uint16_t>;
            break;
        case PtxType::kS16:
            run = adds ? multiply_wide_add<std::int16_t> : multiply_wide<std::int16_t>;
            break;
        case PtxType::kU32:
            run = adds ? multiply_wide_add<std::uint32_t> : multiply_wide<std::uint32_t>;
            break;
        case PtxType::kS32:
            run = adds ? multiply_wide_add<std::int32_t> : multiply_wide<std::int32_t>;
            break;
        default:
            return binder.refuse("PTX has it for 16 and 32 bits");
    }
    PtxStep step = TRY(computing(binder, run, adds ? 3 : 2, type));
    if (adds) step.in[2] = TRY(binder.source(3, PtxType::kB64));
    return step;
}
Result<PtxStep> multiply(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("wide")) return wide_product<false>(binder);
    return instruction.has("hi") ? same_type<2, MultiplyHigh>(binder)
                                 : same_type<2, MultiplyLow>(binder);
}
Result<PtxStep> multiply_add(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("cc")) return mad_carry(binder, false);
    if (instruction.has("wide")) return wide_product<true>(binder);
    if (instruction.has("sat"))
        return computing(binder, compute<std::int32_t, 3, MultiplyAddSaturated>, 3, PtxType::kS32);
    return instruction.has("hi") ? same_type<3, WithSum<MultiplyHigh>>(binder)
                                 : same_type<3, WithSum<MultiplyLow>>(binder);
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

// dp4a, dp2a: sums of products of bytes; each factor has a type of its own.
template <bool a_signed, bool b_signed>
void dot_4(PtxFrame& frame, const PtxStep& step) {
    const std::uint32_t a = get_as<std::uint32_t>(frame, step.in[0]),
                        b = get_as<std::uint32_t>(frame, step.in[1]);
    std::uint32_t sum = get_as<std::uint32_t>(frame, step.in[2]);
    const auto part = [](std::uint32_t word, int i, bool is_signed_byte) {
        const auto byte = std::uint8_t(word >> 8 * i);
        return is_signed_byte ? std::int32_t(std::int8_t(byte)) : std::int32_t(byte);
    };
    for (int i = 0; i < 4; ++i) sum += std::uint32_t(part(a, i, a_signed) * part(b, i, b_signed));
    put(frame, step.out[0], sum);
}
template <bool a_signed, bool b_signed>
void dot_2(PtxFrame& frame, const PtxStep& step) {
    const std::uint32_t a = get_as<std::uint32_t>(frame, step.in[0]),
                        b = get_as<std::uint32_t>(frame, step.in[1]) >> 16 * step.numbers[0];
    std::uint32_t sum = get_as<std::uint32_t>(frame, step.in[2]);
    for (int i = 0; i < 2; ++i) {
        const auto half = std::uint16_t(a >> 16 * i);
        const auto byte = std::uint8_t(b >> 8 * i);
        const std::int32_t x = a_signed ? std::int32_t(std::int16_t(half)) : std::int32_t(half);
        const std::int32_t y = b_signed ? std::int32_t(std::int8_t(byte)) : std::int32_t(byte);
        sum += std::uint32_t(x) * std::uint32_t(y);
    }
    put(frame, step.out[0], sum);
}
template <bool four>
Result<PtxStep> dot(const PtxBinder& binder) {
    const std::vector<PtxType> types = binder.instruction().types();
    if (types.size() != 2) return binder.refuse("PTX gives it two types");
    const bool a = is_signed(types[0]), b = is_signed(types[1]);
    const PtxStep::Run run = four ? (a ? (b ? dot_4<true, true> : dot_4<true, false>)
                                       : (b ? dot_4<false, true> : dot_4<false, false>))
                                  : (a ? (b ? dot_2<true, true> : dot_2<true, false>)
                                       : (b ? dot_2<false, true> : dot_2<false, false>));
    PtxStep step = TRY(computing(binder, run, 3, PtxType::kB32));
    step.numbers[0] = binder.instruction().has("hi") ? 1 : 0;
    return step;
}

constexpr std::array kInstructions = std::to_array<PtxEntry>({
    {"add", add},
    {"addc", [](const PtxBinder& binder) { return add_carry<false>(binder, true); }},
    {"sub", subtract},
    {"subc", [](const PtxBinder& binder) { return add_carry<true>(binder, true); }},
    {"mul", multiply},
    {"mad", multiply_add},
    {"madc", [](const PtxBinder& binder) { return mad_carry(binder, true); }},
    {"mul24",
     [](const PtxBinder& binder) {
         return binder.instruction().has("hi") ? same_type<2, Multiply24High>(binder)
                                               : same_type<2, Multiply24Low>(binder);
     }},
    {"mad24",
     [](const PtxBinder& binder) {
         return binder.instruction().has("hi") ? same_type<3, WithSum<Multiply24High>>(binder)
                                               : same_type<3, WithSum<Multiply24Low>>(binder);
     }},
    {"div", same_type<2, Divide>},
    {"rem", same_type<2, Remainder>},
    {"min", same_type<2, Minimum>},
    {"max", same_type<2, Maximum>},
    {"abs", same_type<1, Absolute>},
    {"neg", same_type<1, Negate>},
    {"sad", same_type<3, AbsoluteDifference>},
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
    {"dp4a", dot<true>},
    {"dp2a", dot<false>},
});

}  // namespace ptx_integer

PtxBind integer_instruction(std::string_view name) {
    return find_bind(ptx_integer::kInstructions, name);
}

}  // namespace tilereel::runtime
