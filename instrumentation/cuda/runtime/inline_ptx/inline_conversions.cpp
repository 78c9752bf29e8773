// cvt: conversions between types. PTX ISA, "Data Movement and Conversion Instructions: cvt".
#include <array>
#include <cfenv>
#include <cmath>
#include <limits>

#include "instrumentation/cuda/include/tilereel/tiny_float.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_floats.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_conversions {

enum Rounding : std::uint8_t { kNearest, kZero, kDown, kUp, kAway };
enum Flag : std::uint8_t { kSaturate = 1, kRelu = 2, kFlush = 4, kFinite = 8, kToInteger = 16 };
enum Number : std::uint8_t { kTypes, kRounding, kFlags };  // PtxStep::numbers

PtxType target_type(const PtxStep& step) { return static_cast<PtxType>(step.numbers[kTypes] >> 8); }
PtxType source_type(const PtxStep& step) {
    return static_cast<PtxType>(step.numbers[kTypes] & 255);
}

double rounded_to_integer(double value, std::uint32_t rounding) {
    switch (rounding) {
        case kZero:
            return std::trunc(value);
        case kDown:
            return std::floor(value);
        case kUp:
            return std::ceil(value);
        default:
            return std::nearbyint(value);
    }
}

template <class T>
T to_integer(double value, std::uint32_t rounding) {
    if (std::isnan(value)) return 0;
    const double whole = rounded_to_integer(value, rounding);
    if (whole <= double(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    // The limit itself may not be a double.
    if (whole >= std::ldexp(1.0, std::numeric_limits<T>::digits))
        return std::numeric_limits<T>::max();
    return T(whole);
}

double floating_value(PtxType type, std::uint64_t bits) {
    switch (type) {
        case PtxType::kF16:
            return half_to_float(std::uint16_t(bits));
        case PtxType::kBf16:
            return bfloat_to_float(std::uint16_t(bits));
        case PtxType::kF64:
            return std::bit_cast<double>(bits);
        default:
            return std::bit_cast<float>(std::uint32_t(bits));
    }
}

float float_towards(double value, std::uint32_t rounding) {
    const int former = std::fegetround();
    std::fesetround(rounding == kZero   ? FE_TOWARDZERO
                    : rounding == kDown ? FE_DOWNWARD
                                        : FE_UPWARD);
    const volatile double from = value;
    const volatile float to = float(from);
    std::fesetround(former);
    return to;
}

std::uint32_t to_tf32(float value, std::uint32_t rounding) {
    if (rounding == kAway) return float_to_tf32(value);
    constexpr std::uint32_t kLost = 0x1fff, kNan = 0x7fffe000;  // measured on an H200
    if (std::isnan(value)) return kNan;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (rounding == kZero || std::isinf(value)) return bits & ~kLost;
    return (bits + 0xfff + (bits >> 13 & 1)) & ~kLost;
}

std::uint64_t to_floating(PtxType type, double value, std::uint32_t rounding, std::uint32_t flags) {
    if ((flags & kToInteger) != 0) value = rounded_to_integer(value, rounding);
    if ((flags & kSaturate) != 0) value = value > 0 ? std::min(value, 1.0) : 0.0;
    if ((flags & kRelu) != 0 && value < 0) value = 0;
    const bool directed = rounding != kNearest && rounding != kAway;
    switch (type) {
        case PtxType::kF16:
            if (directed && (flags & kToInteger) == 0) {
                constexpr float kInfinity = std::numeric_limits<float>::infinity();
                return float_to_half_towards(to_odd_float(value), rounding == kZero   ? 0.0f
                                                                  : rounding == kDown ? -kInfinity
                                                                                      : kInfinity);
            }
            if ((flags & kFinite) != 0 && std::fabs(value) > 65504 && !std::isnan(value))
                return value < 0 ? 0xfbff : 0x7bff;
            return Half(value).bits;
        case PtxType::kBf16:
            if (rounding == kZero) return std::bit_cast<std::uint32_t>(to_odd_float(value)) >> 16;
            return Bfloat(value).bits;
        case PtxType::kF64:
            return std::bit_cast<std::uint64_t>(value);
        case PtxType::kTf32:
            return to_tf32(float(value), rounding);
        default: {
            float to = directed && (flags & kToInteger) == 0 ? float_towards(value, rounding)
                                                             : float(value);
            if ((flags & kFlush) != 0 && std::fpclassify(to) == FP_SUBNORMAL)
                to = std::copysign(0.0f, to);
            return std::bit_cast<std::uint32_t>(to);
        }
    }
}

// The value of an integer, sign-extended; unsigned 64-bit values keep their bits.
std::int64_t integer_value(PtxType type, std::uint64_t bits) {
    switch (type) {
        case PtxType::kS8:
            return std::int8_t(bits);
        case PtxType::kS16:
            return std::int16_t(bits);
        case PtxType::kS32:
            return std::int32_t(bits);
        case PtxType::kU8:
        case PtxType::kB8:
            return std::uint8_t(bits);
        case PtxType::kU16:
        case PtxType::kB16:
            return std::uint16_t(bits);
        case PtxType::kU32:
        case PtxType::kB32:
            return std::uint32_t(bits);
        default:
            return std::int64_t(bits);
    }
}

template <class T>
std::uint64_t clamped(PtxType from, std::uint64_t bits) {
    const __int128 value = from == PtxType::kU64 || from == PtxType::kB64
                               ? __int128(bits)
                               : __int128(integer_value(from, bits));
    const __int128 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return std::uint64_t(std::int64_t(value < low ? low : value > high ? high : value));
}

void convert(PtxFrame& frame, const PtxStep& step) {
    const PtxType to = target_type(step), from = source_type(step);
    const std::uint64_t bits = get(frame, step.in[0]);
    const std::uint32_t rounding = step.numbers[kRounding], flags = step.numbers[kFlags];
    std::uint64_t result = 0;
    if (to == PtxType::kTf32 && (flags & kRelu) == 0) {
        // From its bits: on the way through double a NaN would become another.
        result = to_tf32(get_as<float>(frame, step.in[0]), rounding);
    } else if (is_floating(from)) {
        const double value = floating_value(from, bits);
        if (is_floating(to)) {
            result = to_floating(to, value, rounding, flags);
        } else {
            result = with_integer(to, [&]<class T>(T) {
                // Signed results fill a wider register with their sign.
                return std::uint64_t(std::int64_t(to_integer<T>(value, rounding)));
            });
        }
    } else if (is_floating(to)) {
        const bool large = from == PtxType::kU64 || from == PtxType::kB64;
        const std::int64_t value = integer_value(from, bits);
        if (to == PtxType::kF32 && rounding == kNearest) {
            result = std::bit_cast<std::uint32_t>(large ? float(bits) : float(value));
        } else {
            const long double exact =
                large ? static_cast<long double>(bits) : static_cast<long double>(value);
            result = to == PtxType::kF64 ? std::bit_cast<std::uint64_t>(double(exact))
                                         : to_floating(to, double(exact), rounding, flags);
        }
    } else if ((flags & kSaturate) != 0) {
        result = with_integer(to, [&]<class T>(T) { return clamped<T>(from, bits); });
    } else {
        const std::int64_t value = integer_value(from, bits);
        result =
            with_integer(to, [&]<class T>(T) { return std::uint64_t(std::int64_t(T(value))); });
    }
    put(frame, step.out[0], result);
}

// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
void convert_pair(PtxFrame& frame, const PtxStep& step) {
    const PtxType half = target_type(step) == PtxType::kF16x2 ? PtxType::kF16 : PtxType::kBf16;
    const auto part = [&](const PtxSource& source) {
        return to_floating(half, get_as<float>(frame, source), step.numbers[kRounding],
                           step.numbers[kFlags]);
    };
    put(frame, step.out[0], std::uint32_t(part(step.in[0]) << 16 | part(step.in[1])));
}

const TinyFormat& format_of(PtxType type) { return type == PtxType::kE5m2x2 ? kE5M2 : kE4M3; }

// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a becomes the upper byte.
void convert_to_bytes(PtxFrame& frame, const PtxStep& step) {
    const auto byte = [&](double value) {
        if ((step.numbers[kFlags] & kRelu) != 0 && value < 0) value = 0;
        return to_tiny(value, format_of(target_type(step)), true);
    };
    std::uint32_t result = 0;
    if (source_type(step) == PtxType::kF32) {
        result =
            byte(get_as<float>(frame, step.in[0])) << 8 | byte(get_as<float>(frame, step.in[1]));
    } else {  // of a pair of 16 bits
        const std::uint64_t pair = get(frame, step.in[0]);
        const PtxType half = source_type(step) == PtxType::kF16x2 ? PtxType::kF16 : PtxType::kBf16;
        result =
            byte(floating_value(half, pair >> 16)) << 8 | byte(floating_value(half, pair & 0xffff));
    }
    put(frame, step.out[0], std::uint16_t(result));
}
// cvt.rn.f16x2.e4m3x2 d, a
void convert_from_bytes(PtxFrame& frame, const PtxStep& step) {
    const auto pair = std::uint32_t(get(frame, step.in[0]));
    const auto half = [&](std::uint32_t byte) {
        const double value = from_tiny(byte, format_of(source_type(step)));
        return std::uint32_t(
            Half((step.numbers[kFlags] & kRelu) != 0 && value < 0 ? 0 : value).bits);
    };
    put(frame, step.out[0], half(pair >> 8 & 255) << 16 | half(pair & 255));
}

// cvt.pack.sat.s8.s32.b32 d, a, b, c: the low bytes become a and b, above them stands c.
void convert_and_pack(PtxFrame& frame, const PtxStep& step) {
    const std::uint32_t bits = 8 * bytes_of(target_type(step));
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const auto part = [&](const PtxSource& source) {
        return with_integer(target_type(step), [&]<class T>(T) {
            return clamped<T>(source_type(step), get(frame, source)) & mask;
        });
    };
    std::uint64_t result = part(step.in[0]) << bits | part(step.in[1]);
    if (bits == 8) result |= (get(frame, step.in[2]) & 0xffff) << 16;
    put(frame, step.out[0], std::uint32_t(result));
}

Result<PtxStep> bind(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    const std::vector<PtxType> types = instruction.types();
    if (types.size() < 2) return binder.refuse("it must name two types that Tilereel knows");
    const PtxType to = types[0], from = types[1];
    const bool to_pair = to == PtxType::kF16x2 || to == PtxType::kBf16x2;
    const bool to_bytes_pair = to == PtxType::kE4m3x2 || to == PtxType::kE5m2x2;
    const bool from_bytes_pair = from == PtxType::kE4m3x2 || from == PtxType::kE5m2x2;
    const bool packs = instruction.has("pack");
    PtxStep::Run run = convert;
    std::size_t inputs = 1;
    if (packs) {
        run = convert_and_pack;
        inputs = bytes_of(to) == 1 ? 3 : 2;
    } else if (to_bytes_pair) {
        run = convert_to_bytes;
        inputs = from == PtxType::kF32 ? 2 : 1;
    } else if (from_bytes_pair) {
        run = convert_from_bytes;
    } else if (to_pair) {
        run = convert_pair;
        inputs = 2;
    }
    if (to_pair && !from_bytes_pair && from != PtxType::kF32)
        return binder.refuse("convert from f32");
    PtxStep step = TRY(computing(binder, run, inputs, from));
    step.numbers[kTypes] = std::uint32_t(to) << 8 | std::uint32_t(from);
    constexpr std::array<std::pair<std::string_view, Rounding>, 9> kModes = {{{"rn", kNearest},
                                                                              {"rz", kZero},
                                                                              {"rm", kDown},
                                                                              {"rp", kUp},
                                                                              {"rna", kAway},
                                                                              {"rni", kNearest},
                                                                              {"rzi", kZero},
                                                                              {"rmi", kDown},
                                                                              {"rpi", kUp}}};
    for (const auto& [word, mode] : kModes)
        if (instruction.has(word)) {
            step.numbers[kRounding] = mode;
            if (word.size() == 3 && word != "rna") step.numbers[kFlags] |= kToInteger;
        }
    constexpr std::array<std::pair<std::string_view, Flag>, 4> kFlagWords = {
        {{"sat", kSaturate}, {"relu", kRelu}, {"ftz", kFlush}, {"satfinite", kFinite}}};
    for (const auto& [word, flag] : kFlagWords)
        if (instruction.has(word)) step.numbers[kFlags] |= flag;
    return step;
}

}  // namespace ptx_conversions

PtxBind conversion_instruction(std::string_view name) {
    return name == "cvt" ? ptx_conversions::bind : nullptr;
}

}  // namespace tilereel::runtime
