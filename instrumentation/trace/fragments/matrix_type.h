#pragma once
// The types of the elements that tensor cores multiply and add, and the shape of a product.
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilereel {

// As PTX names them (PTX ISA, "Matrix Data-types").
enum class MatrixType : std::uint8_t {
    kF16,   // IEEE 754 binary16
    kBf16,  // the upper half of a binary32
    kTf32,  // the upper 19 bits of a binary32; the lower 13 bits are not read
    kF32,
    kF64,
    kS8,
    kU8,
    kS4,
    kU4,
    kB1,    // one bit
    kE4m3,  // 8-bit floating point: 4 bits of exponent, 3 of mantissa
    kE5m2,
    kS32,
};
inline constexpr MatrixType kLastMatrixType = MatrixType::kS32;

// ".f16" is "f16".
[[nodiscard]] std::string_view ptx_name(MatrixType type);
[[nodiscard]] std::optional<MatrixType> matrix_type(std::string_view ptx_name);
// Bits of one element in a register; 32 for kTf32.
[[nodiscard]] constexpr int element_bits(MatrixType type) {
    switch (type) {
        case MatrixType::kF64:
            return 64;
        case MatrixType::kTf32:
        case MatrixType::kF32:
        case MatrixType::kS32:
            return 32;
        case MatrixType::kF16:
        case MatrixType::kBf16:
            return 16;
        case MatrixType::kS4:
        case MatrixType::kU4:
            return 4;
        case MatrixType::kB1:
            return 1;
        default:
            return 8;
    }
}

// A is m x k, B is k x n, C and D are m x n.
struct MatrixShape {
    int m = 0, n = 0, k = 0;
    bool operator==(const MatrixShape&) const = default;
};

}  // namespace tilereel
