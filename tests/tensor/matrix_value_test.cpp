// The values of elements, against their definition: sign, exponent and mantissa taken apart.
#include "instrumentation/trace/fragments/matrix_value.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/tensor/registers_of_matrices.h"

namespace tilereel::matrix_value_test {
namespace {

void expect_value(MatrixType type, std::uint64_t bits, double expected) {
    const double value = matrix_value(type, bits);
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(value)) << ptx_name(type) << " " << bits;
    else
        EXPECT_EQ(value, expected) << ptx_name(type) << " " << bits;
}

TEST(MatrixValue, EveryCodeOfANarrowType) {
    using enum MatrixType;
    for (const MatrixType type : {kF16, kBf16, kS8, kU8, kS4, kU4, kB1, kE4m3, kE5m2})
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << element_bits(type); ++bits)
            expect_value(type, bits, tensor_test::value_of(type, bits));
}

TEST(MatrixValue, WideTypes) {
    expect_value(MatrixType::kF32, 0x40490fdb, double{3.14159274f});
    expect_value(MatrixType::kF32, 0x00000001, std::ldexp(1.0, -149));
    expect_value(MatrixType::kF32, 0xff800000, -std::numeric_limits<double>::infinity());
    expect_value(MatrixType::kS32, 0xffffffff, -1);
    expect_value(MatrixType::kF64, 0xc000000000000000, -2);
    // The lower 13 bits of a tf32 are not read.
    expect_value(MatrixType::kTf32, 0x3f801fff, 1);
    expect_value(MatrixType::kTf32, 0x3f802000, 1 + std::ldexp(1.0, -10));
}

// Bits above the element belong to its neighbours.
TEST(MatrixValue, OnlyTheLowestBitsCount) {
    expect_value(MatrixType::kF16, 0xffff3c00, 1);
    expect_value(MatrixType::kE4m3, 0xff38, 1);
    expect_value(MatrixType::kS4, 0x17, 7);
    expect_value(MatrixType::kS4, 0x18, -8);
}

}  // namespace
}  // namespace tilereel::matrix_value_test
