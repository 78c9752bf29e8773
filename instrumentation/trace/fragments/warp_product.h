#pragma once
// The products that a warp computes with one mma.sync: D = A B + C. A is m x k, B is k x n, C and D
// are m x n. PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions", dense products of
// compute capability 7.0 to 9.0.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/fragments/matrix_type.h"

namespace tilereel {

enum class MatrixOperand : std::uint8_t { kA, kB, kC, kD };
enum class MatrixOrder : std::uint8_t { kRowMajor, kColumnMajor };
// How one bit of A and one of B are joined before the ones are counted.
enum class BitOperation : std::uint8_t { kNone, kXor, kAnd };

struct WarpProduct {
    MatrixShape shape;
    MatrixType a = MatrixType::kF16, b = MatrixType::kF16;
    MatrixType c = MatrixType::kF32, d = MatrixType::kF32;
    // They decide which element a lane holds in m8n8k4 with f16. All other products have .row.col.
    MatrixOrder a_order = MatrixOrder::kRowMajor, b_order = MatrixOrder::kColumnMajor;
    BitOperation bits = BitOperation::kNone;  // of b1
    bool saturates = false;                   // .satfinite: a sum beyond 32 bits is clamped
    bool operator==(const WarpProduct&) const = default;

    // The product as a number, for Records::base. From bit 0: a, b, c, d with 4 bits each; the
    // binary logarithm of m / 8 with 2, n / 8 - 1 with 5, the binary logarithm of k with 4; a_order
    // and b_order with 1 each, bits with 2, saturates with 1.
    [[nodiscard]] std::uint32_t code() const;
    // nullopt: no product of every_warp_product() has the code.
    [[nodiscard]] static std::optional<WarpProduct> of_code(std::uint32_t code);
    [[nodiscard]] MatrixType type(MatrixOperand operand) const;
    // m8n8k4 with f16 is four products: one for each pair of quads (lanes 4q to 4q + 3 and 16 + 4q
    // to 16 + 4q + 3). All others are one product of the whole warp.
    [[nodiscard]] int count() const;
    // 2 for each multiplication and its addition, also of integers and bits.
    [[nodiscard]] std::int64_t flop() const;
};

// The product of an instruction: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32". An error is
// one sentence that says what is not taken and what to do.
[[nodiscard]] Result<WarpProduct> find_warp_product(std::string_view instruction);
// The instruction of a product.
[[nodiscard]] std::string instruction_of(const WarpProduct& product);
// All of them: every shape with every choice of types, layouts, bit operation and .satfinite.
[[nodiscard]] std::vector<WarpProduct> every_warp_product();

}  // namespace tilereel
