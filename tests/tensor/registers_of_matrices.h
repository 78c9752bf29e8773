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

}  // namespace tilereel::tensor_test
