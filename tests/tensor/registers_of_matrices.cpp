#include "tests/tensor/registers_of_matrices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilereel::tensor_test {
namespace {

// IEEE 754 with these widths. `has_infinity`: the largest exponent is infinity and NaN; without it,
// only all ones are NaN (e4m3).
double small_value(std::uint64_t bits, int exponent_bits, int mantissa_bits, bool has_infinity) {
    const int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
    const int exponent = static_cast<int>(bits >> mantissa_bits) & largest;
    const int ones = (1 << mantissa_bits) - 1, mantissa = static_cast<int>(bits) & ones;
    const double sign = bits >> (exponent_bits + mantissa_bits) != 0 ? -1.0 : 1.0;
    if (exponent == largest && has_infinity) return mantissa == 0 ? sign * HUGE_VAL : NAN;
    if (exponent == largest && mantissa == ones) return NAN;
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * std::ldexp(mantissa + ones + 1, exponent - bias - mantissa_bits);
}

double signed_value(std::uint64_t bits, int width) {
    const auto value = static_cast<double>(bits);
    return bits >> (width - 1) != 0 ? value - std::ldexp(1, width) : value;
}

}  // namespace

double value_of(MatrixType type, std::uint64_t bits) {
    switch (type) {
        case MatrixType::kF16:
            return small_value(bits, 5, 10, true);
        case MatrixType::kBf16:
            return small_value(bits, 8, 7, true);
        case MatrixType::kTf32:
            return small_value(bits >> 13, 8, 10, true);
        case MatrixType::kF32:
            return small_value(bits, 8, 23, true);
        case MatrixType::kF64:
            return std::bit_cast<double>(bits);
        case MatrixType::kE4m3:
            return small_value(bits, 4, 3, false);
        case MatrixType::kE5m2:
            return small_value(bits, 5, 2, true);
        case MatrixType::kS8:
            return signed_value(bits, 8);
        case MatrixType::kS4:
            return signed_value(bits, 4);
        case MatrixType::kS32:
            return signed_value(bits, 32);
        default:
            return static_cast<double>(bits);
    }
}

Matrix matrix_of(const WarpProduct& product, MatrixOperand operand, const Words& registers,
                 int which) {
    const auto [m, n, k] = product.shape;
    const int rows = operand == MatrixOperand::kB ? k : m;
    Matrix matrix{.columns = operand == MatrixOperand::kA ? k : n, .values = {}};
    matrix.values.resize(static_cast<std::size_t>(rows * matrix.columns));
    std::vector<int> holders(matrix.values.size());
    const int width = registers_of(product, operand);
    for (int lane = 0; lane < 32; ++lane) {
        if (product_of_lane(product, lane) != which) continue;
        for (int i = 0; i < elements_of(product, operand); ++i) {
            const MatrixElement element = element_of(product, operand, lane, i);
            const MatrixType type = product.type(operand);
            matrix.at(element) = value_of(type, bits_of_element(registers, type, lane * width, i));
            ++holders[static_cast<std::size_t>(element.row * matrix.columns + element.column)];
        }
    }
    for (const int lanes : holders) EXPECT_EQ(lanes, 1) << instruction_of(product);
    return matrix;
}

std::uint64_t random_code(MatrixType type, std::mt19937& random) {
    const auto with_exponent = [&random](int width, int bias, int mantissa) {
        const std::uint64_t exponent = static_cast<std::uint64_t>(bias - 4) + random() % 8;
        const std::uint64_t fraction =
            (std::uint64_t{random()} << 32 | random()) >> (64 - mantissa);
        return std::uint64_t{random() & 1} << (width - 1) | exponent << mantissa | fraction;
    };
    switch (type) {
        case MatrixType::kF16:
            return with_exponent(16, 15, 10);
        case MatrixType::kBf16:
            return with_exponent(16, 127, 7);
        case MatrixType::kTf32:
        case MatrixType::kF32:
            return with_exponent(32, 127, 23);
        case MatrixType::kF64:
            return with_exponent(64, 1023, 52);
        case MatrixType::kE4m3:
            return with_exponent(8, 7, 3);
        case MatrixType::kE5m2:
            return with_exponent(8, 15, 2);
        default:
            return random() & ((std::uint64_t{1} << element_bits(type)) - 1);
    }
}

Words random_words(MatrixType type, int count, std::mt19937& random) {
    Words words(static_cast<std::size_t>(count));
    const std::size_t bits = static_cast<std::size_t>(element_bits(type));
    for (std::size_t first = 0; first < words.size() * 32; first += bits) {
        const std::uint64_t code = random_code(type, random);
        words[first / 32] |= static_cast<std::uint32_t>(code << first % 32);
        if (bits == 64) words[first / 32 + 1] = static_cast<std::uint32_t>(code >> 32);
    }
    return words;
}

double bound_of(MatrixType sums, int k, const Exact& exact) {
    const double in_sums = (k + 1) * exact.size;
    if (sums == MatrixType::kF64) return std::ldexp(in_sums, -53);
    const double bound = std::ldexp(in_sums, -23);
    if (sums == MatrixType::kF32) return bound;
    return bound + std::max(std::ldexp(std::fabs(exact.sum) + bound, -11), std::ldexp(1, -25));
}

double wrapped(bool saturates, double sum) {
    if (saturates) return std::min(std::max(sum, -2147483648.0), 2147483647.0);
    return value_of(MatrixType::kS32, static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

}  // namespace tilereel::tensor_test
