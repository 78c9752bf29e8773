#pragma once
// Numbers of 16 bits in steps. Their arithmetic is that of double, rounded once.
#include <bit>
#include <cmath>
#include <cstdint>

#include "instrumentation/cuda/include/tilereel/small_float.h"

namespace tilereel::runtime {

// The float that rounds to any shorter type as `value` itself does: "round to odd". Rounding to
// float first and to 16 bits afterwards would round twice.
inline float to_odd_float(double value) {
    const auto near = static_cast<float>(value);
    if (std::isnan(value) || std::isinf(near) || static_cast<double>(near) == value) return near;
    auto bits = std::bit_cast<std::uint32_t>(near);
    const bool is_too_large = std::fabs(static_cast<double>(near)) > std::fabs(value);
    if (is_too_large) --bits;  // towards zero
    return std::bit_cast<float>(bits | 1);
}

struct Half {
    std::uint16_t bits;
    Half() = default;
    explicit Half(double value) : bits(float_to_half(to_odd_float(value))) {}
    explicit operator double() const { return half_to_float(bits); }
};
struct Bfloat {
    std::uint16_t bits;
    Bfloat() = default;
    explicit Bfloat(double value) : bits(float_to_bfloat(to_odd_float(value))) {}
    explicit operator double() const { return bfloat_to_float(bits); }
};

}  // namespace tilereel::runtime
