#include "instrumentation/cuda/runtime/tensor/matrix_numbers.h"

#include <algorithm>
#include <array>
#include <limits>

#include "instrumentation/base/check.h"

namespace tilereel::runtime {
namespace {

template <TinyFormat kFormat>
constexpr std::array<float, 256> tiny_table() {
    std::array<float, 256> table{};
    for (unsigned code = 0; code < table.size(); ++code) table[code] = from_tiny(code, kFormat);
    return table;
}
constexpr std::array<float, 256> kE4m3Numbers = tiny_table<kE4M3>(),
                                 kE5m2Numbers = tiny_table<kE5M2>();

// `number` makes a float of the element in the lowest bits of its argument.
template <int kBits, class Number>
void each_number(const std::uint32_t* registers, int count, float* numbers, Number number) {
    constexpr int kElements = 32 / kBits;
    for (int i = 0; i < count; ++i)
        for (int element = 0; element < kElements; ++element)
            numbers[i * kElements + element] = number(registers[i] >> (element * kBits));
}

float sign_extended(std::uint32_t bits, int width) {
    return static_cast<float>(static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width));
}

}  // namespace

void matrix_numbers(MatrixType type, const std::uint32_t* registers, int count, float* numbers) {
    const auto read = [&]<int kBits>(auto number) {
        each_number<kBits>(registers, count, numbers, number);
    };
    using Bits = std::uint32_t;
    using Half = unsigned short;
    switch (type) {
        case MatrixType::kF16:
            return read.operator()<16>([](Bits bits) { return half_to_float(Half(bits)); });
        case MatrixType::kBf16:
            return read.operator()<16>([](Bits bits) { return bfloat_to_float(Half(bits)); });
        case MatrixType::kTf32:
            return read.operator()<32>(tf32_to_float);
        case MatrixType::kF32:
            return read.operator()<32>(float_of);
        case MatrixType::kS32:
            return read.operator()<32>([](Bits bits) { return sign_extended(bits, 32); });
        case MatrixType::kS8:
            return read.operator()<8>([](Bits bits) { return sign_extended(bits, 8); });
        case MatrixType::kU8:
            return read.operator()<8>([](Bits bits) { return static_cast<float>(bits & 255); });
        case MatrixType::kS4:
            return read.operator()<4>([](Bits bits) { return sign_extended(bits, 4); });
        case MatrixType::kU4:
            return read.operator()<4>([](Bits bits) { return static_cast<float>(bits & 15); });
        case MatrixType::kE4m3:
            return read.operator()<8>([](Bits bits) { return kE4m3Numbers[bits & 255]; });
        case MatrixType::kE5m2:
            return read.operator()<8>([](Bits bits) { return kE5m2Numbers[bits & 255]; });
        default:
            check(false);
    }
}

float matrix_number(MatrixType type, std::uint32_t bits) {
    if (type == MatrixType::kB1) return static_cast<float>(bits & 1);
    std::array<float, 8> numbers{};
    matrix_numbers(type, &bits, 1, numbers.data());
    return numbers[0];
}

std::uint32_t matrix_bits(MatrixType type, float value) {
    if (type == MatrixType::kF16) return float_to_half(value);
    if (type == MatrixType::kBf16) return float_to_bfloat(value);
    check(type == MatrixType::kF32);
    return value != value ? 0x7fffffffu : bits_of(value);
}

void matrix_bits(MatrixType type, const float* sums, int count, std::uint32_t* registers) {
    if (type == MatrixType::kF32) {
        for (int i = 0; i < count; ++i) registers[i] = matrix_bits(type, sums[i]);
        return;
    }
    for (int i = 0; i < count / 2; ++i)
        registers[i] = matrix_bits(type, sums[2 * i]) | matrix_bits(type, sums[2 * i + 1]) << 16;
}

std::uint32_t integer_sum(bool saturates, std::int64_t sum, std::uint32_t c) {
    using Limits = std::numeric_limits<std::int32_t>;
    sum += static_cast<std::int32_t>(c);
    if (saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    return static_cast<std::uint32_t>(sum);
}

}  // namespace tilereel::runtime
