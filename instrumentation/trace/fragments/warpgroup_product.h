#pragma once
// The products that a warpgroup (four warps, 128 threads) computes with one wgmma.mma_async:
// D = A B + D or D = A B. A is 64 x k and lies in registers or in shared memory, B is k x n and
// lies in shared memory, D is 64 x n and lies in registers. PTX ISA 9.0, "Asynchronous Warpgroup
// Level Matrix Multiply-Accumulate Instructions", dense products of compute capability 9.0
// (sm_90a).
#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel {

inline constexpr int kWarpgroupThreads = 128;

struct WarpgroupProduct {
    MatrixShape shape;
    MatrixType a = MatrixType::kF16, b = MatrixType::kF16, d = MatrixType::kF32;
    BitOperation bits = BitOperation::kNone;  // of b1: kAnd
    bool saturates = false;                   // .satfinite of integers
    bool operator==(const WarpgroupProduct&) const = default;

    // As WarpProduct::code(); m = 64 tells them apart. The record of a warp is its quarter.
    [[nodiscard]] std::uint32_t code() const;
    [[nodiscard]] static std::optional<WarpgroupProduct> of_code(std::uint32_t code);
    // Whether a code is a warpgroup's, not a warp's: by m.
    [[nodiscard]] static constexpr bool is_code(std::uint32_t code) {
        return (code >> 16 & 3) == 3;
    }
    [[nodiscard]] std::int64_t flop() const {
        return std::int64_t{2} * shape.m * shape.n * shape.k;
    }
};

// The product of "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16". An error is one sentence
// that says what is not taken and what to do.
[[nodiscard]] Result<WarpgroupProduct> find_warpgroup_product(std::string_view instruction);
[[nodiscard]] std::string instruction_of(const WarpgroupProduct& product);
[[nodiscard]] std::vector<WarpgroupProduct> every_warpgroup_product();

// The fragments of A, if it lies in registers, and of D (`operand`: kA or kD). Warp w = thread / 32
// of the warpgroup holds rows 16 w to 16 w + 15. In a warp, A lies as in mma.sync with m16 and the
// same k, and D as n / 8 accumulators of m16n8 side by side ("Register Fragments for
// wgmma.mma_async.m64nNk16" and the sections beside it).
[[nodiscard]] int elements_of(const WarpgroupProduct& product, MatrixOperand operand);
[[nodiscard]] int registers_of(const WarpgroupProduct& product, MatrixOperand operand);
// `thread`: 0 to 127 in the warpgroup.
[[nodiscard]] MatrixElement element_of(const WarpgroupProduct& product, MatrixOperand operand,
                                       int thread, int index);
// The product of one warp with 16 rows and 8 columns of the same types and k.
[[nodiscard]] WarpProduct warp_part(const WarpgroupProduct& product);

// The FLOP of a kMatrixProduct record, whose base is the code of a warp's or a warpgroup's product;
// of a warpgroup's, a quarter. 0: there is no such product.
[[nodiscard]] std::int64_t flop_of_record(std::uint32_t code);

}  // namespace tilereel
