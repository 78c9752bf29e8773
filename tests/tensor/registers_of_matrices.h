#pragma once
// An independent way from matrices to registers and back: element by element, in double.
#include <cstdint>
#include <random>
#include <vector>

#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel::tensor_test {

using Words = std::vector<std::uint32_t>;

// The bits of an element of a lane, in a 64-bit word.
inline std::uint64_t bits_of_element(const Words& registers, MatrixType type, int first_register,
                                     int index) {
    const int bits = element_bits(type);
    if (bits == 64)
        return registers[first_register + 2 * index] |
               std::uint64_t{registers[first_register + 2 * index + 1]} << 32;
    const int in_a_register = 32 / bits;
    const std::uint32_t word = registers[first_register + index / in_a_register];
    const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    return word >> (index % in_a_register * bits) & mask;
}

// The value of an element by its definition: sign, exponent and mantissa are taken apart.
double value_of(MatrixType type, std::uint64_t bits);

// A matrix of doubles with rows of `columns` elements.
struct Matrix {
    int columns = 0;
    std::vector<double> values;
    double& at(MatrixElement element) {
        return values[static_cast<std::size_t>(element.row * columns + element.column)];
    }
};

// The matrix of product number `which` that the registers of all lanes hold. Fails the test if an
// element is held by no lane or has two values.
Matrix matrix_of(const WarpProduct& product, MatrixOperand operand, const Words& registers,
                 int which = 0);

// The code of a random element. Floating values lie between 2^-4 and 2^4, so that the bound is
// tight enough to see a wrong element.
std::uint64_t random_code(MatrixType type, std::mt19937& random);
Words random_words(MatrixType type, int count, std::mt19937& random);

// C + A B in double, and the sum of the sizes of all addends, which the bound is proportional to.
struct Exact {
    double sum = 0, size = 0;
};
// The largest difference from the exact sum. binary32: k + 1 additions, each of which rounds or
// truncates to 23 bits after the leading one. f16 adds one rounding to 10 bits, or to 2^-25 in the
// subnormal range. f64: k fused multiply-adds.
double bound_of(MatrixType sums, int k, const Exact& exact);
// What 32 bits hold of an integer sum.
double wrapped(bool saturates, double sum);

}  // namespace tilereel::tensor_test
