#pragma once
// The fragments of nvcuda::wmma on compute capability 8.0 and later: which element of a tile x[i]
// of a lane is. CUDA C++ Programming Guide, "Warp Matrix Functions", leaves this open; measured on
// an H100 (tests/hardware/h100_fragments.csv).
//
// A tile is one or two products of mma.sync with 16 x 8 sums, and its fragments are theirs, one
// after another:
//
//     16 x 16   two products side by side: A of one, B and C of both
//     32 x 8    two products one below the other: A and C of both, B of one
//     8 x 32    the transposed product C^T = B^T A^T as 32 x 8: B lies like A, and A like B
//     8 x 8     one product
#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel {

struct WmmaProduct {
    MatrixShape shape;
    MatrixType a = MatrixType::kF16, b = MatrixType::kF16;
    MatrixType c = MatrixType::kF32, d = MatrixType::kF32;
    BitOperation bits = BitOperation::kNone;
    bool saturates = false;
};

struct WmmaPieces {
    WarpProduct product;         // each of the pieces
    int of_a = 1, of_b = 1;      // how many fragments of the product A and B are made of
    bool is_transposed = false;  // A and B are swapped, and all elements are transposed
    [[nodiscard]] int count() const { return of_a * of_b; }
};
[[nodiscard]] WmmaPieces pieces_of(const WmmaProduct& product);

// Different elements of one lane. With f16, x[] of A and of B has 16 elements; from this number on
// they repeat.
[[nodiscard]] int elements_of(const WmmaProduct& product, MatrixOperand operand);
// `index`: 0 to elements_of() - 1.
[[nodiscard]] MatrixElement element_of(const WmmaProduct& product, MatrixOperand operand, int lane,
                                       int index);

}  // namespace tilereel
