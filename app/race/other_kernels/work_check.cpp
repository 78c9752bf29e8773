#include "app/race/other_kernels/work_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace tilereel {
namespace {

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// IEEE 754 binary16.
double of_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == 0x1f) return fraction != 0 ? std::nan("") : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(0x400 + fraction, exponent - 25);
}

struct Real {
    std::size_t bytes = 4;
    double allowed = 1e-4;
};
Real real_of(OwnType type) {
    switch (type) {
        case OwnType::kFloat64:
            return {8, 1e-9};
        case OwnType::kFloat16:
            return {2, 1e-2};
        case OwnType::kBfloat16:
            return {2, 5e-2};
        default:
            return {};
    }
}

double number_at(OwnType type, std::span<const std::byte> bytes, std::size_t at) {
    switch (type) {
        case OwnType::kFloat64:
            return value_at<double>(bytes, at);
        case OwnType::kFloat16:
            return of_half(value_at<std::uint16_t>(bytes, at));
        case OwnType::kBfloat16:
            return std::bit_cast<float>(std::uint32_t{value_at<std::uint16_t>(bytes, at)} << 16);
        default:
            return value_at<float>(bytes, at);
    }
}

// The mean magnitude of the finite values.
double mean_magnitude(OwnType type, std::size_t step, std::span<const std::byte> bytes) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t at = 0; at + step <= bytes.size(); at += step) {
        const double value = std::abs(number_at(type, bytes, at));
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::string text_of(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", value);
    return text;
}

// A whole number of up to 8 bytes, else the first 8 bytes.
std::string text_of_bytes(std::span<const std::byte> bytes) {
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    if (bytes.size() == 4) value = static_cast<std::int32_t>(value);
    return std::to_string(value);
}

std::string sentence(const OwnArray& array, std::size_t at, const std::string& found,
                     const std::string& expected) {
    return array.name + "[" + std::to_string(at / array.element_bytes) + "] is " + found +
           ", and should be " + expected;
}

std::optional<std::string> exact_difference(const OwnArray& array, std::span<const std::byte> found,
                                            std::span<const std::byte> expected) {
    const auto [at, same] = std::ranges::mismatch(found, expected);
    if (at == found.end()) return std::nullopt;
    const auto byte = static_cast<std::size_t>(at - found.begin());
    const std::size_t begin = byte / array.element_bytes * array.element_bytes;
    const std::size_t bytes = std::min<std::size_t>(array.element_bytes, found.size() - begin);
    return sentence(array, begin, text_of_bytes(found.subspan(begin, bytes)),
                    text_of_bytes(expected.subspan(begin, bytes)));
}

}  // namespace

std::optional<std::string> difference_in(const OwnArray& array, std::span<const std::byte> found,
                                         std::span<const std::byte> expected) {
    if (array.type == OwnType::kExact) return exact_difference(array, found, expected);
    const Real real = real_of(array.type);
    if (std::ranges::equal(found, expected)) return std::nullopt;
    const double mean = mean_magnitude(array.type, real.bytes, expected);
    for (std::size_t at = 0; at + real.bytes <= found.size(); at += real.bytes) {
        if (std::memcmp(found.data() + at, expected.data() + at, real.bytes) == 0) continue;
        const double is = number_at(array.type, found, at);
        const double should = number_at(array.type, expected, at);
        if (is == should || (std::isnan(is) && std::isnan(should))) continue;
        if (!(std::abs(is - should) <= real.allowed * (std::abs(should) + mean)))
            return sentence(array, at, text_of(is), text_of(should));
    }
    return std::nullopt;
}

}  // namespace tilereel
