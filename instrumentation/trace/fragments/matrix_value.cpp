#include "instrumentation/trace/fragments/matrix_value.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tilereel {
namespace {

// A floating-point format: sign, exponent, mantissa.
struct Format {
    int exponent = 8, mantissa = 23;
    bool has_infinity = true;  // false: only the code with all ones is special, a NaN
};

double value_of(const Format& format, std::uint64_t bits) {
    const std::uint64_t ones = (std::uint64_t{1} << format.exponent) - 1;
    const std::uint64_t fraction_ones = (std::uint64_t{1} << format.mantissa) - 1;
    const std::uint64_t exponent = bits >> format.mantissa & ones, fraction = bits & fraction_ones;
    const double sign = (bits >> (format.mantissa + format.exponent) & 1) != 0 ? -1.0 : 1.0;
    if (exponent == ones && format.has_infinity)
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    if (exponent == ones && fraction == fraction_ones)
        return std::numeric_limits<double>::quiet_NaN();
    const int bias = static_cast<int>(ones / 2), scale = -bias - format.mantissa;
    const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << format.mantissa;
    const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) + scale;
    return sign * std::ldexp(static_cast<double>(fraction | hidden), power);
}

double signed_value(std::uint64_t bits, int width) {
    return static_cast<double>(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
}

}  // namespace

double matrix_value(MatrixType type, std::uint64_t bits) {
    switch (type) {
        case MatrixType::kF16:
            return value_of({5, 10}, bits);
        case MatrixType::kBf16:
            return value_of({8, 7}, bits);
        case MatrixType::kTf32:
            return value_of({8, 10}, bits >> 13);
        case MatrixType::kF32:
            return value_of({8, 23}, bits);
        case MatrixType::kF64:
            return std::bit_cast<double>(bits);
        case MatrixType::kE4m3:
            return value_of({4, 3, false}, bits);
        case MatrixType::kE5m2:
            return value_of({5, 2}, bits);
        case MatrixType::kS8:
        case MatrixType::kS4:
        case MatrixType::kS32:
            return signed_value(bits, element_bits(type));
        default:  // kU8, kU4, kB1
            return static_cast<double>(bits & ((std::uint64_t{1} << element_bits(type)) - 1));
    }
}

}  // namespace tilereel
