#pragma once
// Floating-point numbers of 4, 6 and 8 bits. OCP Microscaling Formats, version 1.0; CUDA Math API,
// "FP8", "FP6" and "FP4 Intrinsics". They are stored as bits: sign, exponent, mantissa.
namespace tilereel::runtime {

struct TinyFormat {
    int exponent_bits, mantissa_bits;
    unsigned greatest;  // the greatest finite number
    unsigned overflow;  // numbers beyond the greatest one, if they do not saturate
    unsigned nan;       // what a conversion makes of NaN
    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] constexpr unsigned sign_bit() const {
        return 1u << (exponent_bits + mantissa_bits);
    }
};
inline constexpr TinyFormat kE4M3{4, 3, 0x7e, 0x7f, 0x7f};
inline constexpr TinyFormat kE5M2{5, 2, 0x7b, 0x7c, 0x7f};
// Without infinities and NaN: what is too large becomes the greatest number, and so does NaN.
inline constexpr TinyFormat kE3M2{3, 2, 0x1f, 0x1f, 0x1f};
inline constexpr TinyFormat kE2M3{2, 3, 0x1f, 0x1f, 0x1f};
inline constexpr TinyFormat kE2M1{2, 1, 0x07, 0x07, 0x07};

// How the bits beyond the mantissa are rounded: cudaRoundMode's values.
enum class TinyRounding { kNearest, kZero, kUp, kDown };

inline constexpr unsigned to_tiny(double value, TinyFormat format, bool saturates,
                                  TinyRounding rounding = TinyRounding::kNearest) {
    const auto bits = __builtin_bit_cast(unsigned long long, value);
    const unsigned sign = bits >> 63 != 0 ? format.sign_bit() : 0;
    const int biased = int(bits >> 52 & 2047), exponent = biased - 1023;
    unsigned long long mantissa = bits & ((1ull << 52) - 1);
    if (biased == 2047 && mantissa != 0) return format.nan;
    const unsigned too_large = sign | (saturates ? format.greatest : format.overflow);
    if (exponent > 100) return too_large;
    if (biased != 0) mantissa |= 1ull << 52;
    // Below the least normal number the mantissa loses a bit for each step of the exponent.
    const int least = 1 - format.bias(), lost = exponent < least ? least - exponent : 0;
    const int shift = 52 - format.mantissa_bits + (lost > 60 ? 60 : lost);
    unsigned long long rest = 0, half = 0, rounded = 0;
    if (shift < 63) {
        rounded = mantissa >> shift;
        rest = mantissa & ((1ull << shift) - 1);
        half = 1ull << (shift - 1);
    } else {
        rest = mantissa, half = 1ull << 62;
    }
    const bool away = rounding == TinyRounding::kNearest
                          ? rest > half || (rest == half && (rounded & 1) != 0)
                          : rest != 0 && (rounding == TinyRounding::kUp     ? sign == 0
                                          : rounding == TinyRounding::kDown ? sign != 0
                                                                            : false);
    unsigned code = unsigned(rounded) + (away ? 1 : 0);
    // A carry out of the mantissa makes the next exponent.
    if (exponent >= least) code += unsigned((exponent - least) << format.mantissa_bits);
    return code > format.greatest ? too_large : sign | code;
}
inline constexpr float from_tiny(unsigned code, TinyFormat format) {
    const unsigned magnitude = code & (format.sign_bit() - 1);
    const unsigned sign = (code & format.sign_bit()) != 0 ? 0x80000000u : 0;
    if (magnitude > format.greatest) {
        const bool is_nan = magnitude != format.overflow || format.overflow == format.nan;
        return __builtin_bit_cast(float, is_nan ? 0x7fffffffu : sign | 0x7f800000u);
    }
    const unsigned exponent = magnitude >> format.mantissa_bits;
    unsigned fraction = magnitude & ((1u << format.mantissa_bits) - 1);
    if (exponent != 0)
        return __builtin_bit_cast(float, sign | (exponent + unsigned(127 - format.bias())) << 23 |
                                             fraction << (23 - format.mantissa_bits));
    if (fraction == 0) return __builtin_bit_cast(float, sign);
    int scale = 127 + 1 - format.bias();
    for (; fraction >> format.mantissa_bits == 0; --scale) fraction <<= 1;
    fraction &= (1u << format.mantissa_bits) - 1;
    return __builtin_bit_cast(
        float, sign | unsigned(scale) << 23 | fraction << (23 - format.mantissa_bits));
}

// E8M0: the power of two that is next to |value|, as a biased exponent; 255 is NaN.
inline constexpr unsigned to_scale(double value, bool saturates, TinyRounding rounding) {
    const auto bits = __builtin_bit_cast(unsigned long long, value);
    const int biased = int(bits >> 52 & 2047);
    const unsigned long long mantissa = bits & ((1ull << 52) - 1);
    if (biased == 2047 && mantissa != 0) return 255;
    int code = biased - 1023 + 127;
    if (code < 0) return 0;
    if (rounding == TinyRounding::kUp && mantissa != 0) ++code;
    const bool stays = saturates || (rounding == TinyRounding::kZero && biased != 2047);
    return code > 254 ? (stays ? 254u : 255u) : unsigned(code);
}
inline constexpr float from_scale(unsigned code) {
    const unsigned bits = code == 255 ? 0x7fff0000u : code == 0 ? 0x00400000u : code << 23;
    return __builtin_bit_cast(float, bits);
}

// Integers saturate; NaN becomes 0, of 64 bits their highest bit.
template <class Integer>
constexpr Integer tiny_to_integer(float value) {
    constexpr bool kSigned = Integer(-1) < Integer(0);
    constexpr int kBits = int(sizeof(Integer)) * 8;
    constexpr Integer kLeast = kSigned ? Integer(1ull << (kBits - 1)) : Integer(0);
    constexpr Integer kGreatest = Integer(kSigned ? ~kLeast : ~Integer(0));
    constexpr float kLimit = 2.0f * float(1ull << (kBits - (kSigned ? 2 : 1)));  // greatest + 1
    if (value != value) return kBits == 64 ? Integer(1ull << 63) : Integer(0);
    if (value >= kLimit) return kGreatest;
    return value <= float(kLeast) ? kLeast : Integer(value);
}

}  // namespace tilereel::runtime
