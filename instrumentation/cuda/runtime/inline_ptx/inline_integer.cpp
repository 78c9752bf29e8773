// Arithmetic on integers. PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision
// Integer Arithmetic Instructions". inline_bits.cpp has the instructions on their bits.
#include <array>

#include "instrumentation/cuda/runtime/inline_ptx/integer_arithmetic.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_integer {

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
    {"dp4a", dot<true>},
    {"dp2a", dot<false>},
});

}  // namespace ptx_integer

PtxBind integer_instruction(std::string_view name) {
    return find_bind(ptx_integer::kInstructions, name);
}

}  // namespace tilereel::runtime
