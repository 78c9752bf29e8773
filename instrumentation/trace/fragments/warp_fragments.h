#pragma once
// Which element of a matrix each register of each lane holds in a warp-level product. The part of a
// matrix that a lane holds is its fragment.
//
// All products but m8n8k4 with f16 follow one rule (PTX ISA 9.0, "Matrix Fragments for
// mma.m16n8k16" and the sections beside it). A lane belongs to group g = lane / 4 and is number t =
// lane % 4 in its group. `e` elements fill one 32-bit register (e = 1 for tf32 and f64).
//
//     A   register r: row g + 8 (r % 2), columns 4e (r / 2) + e t ... + e - 1    (m = 16)
//                     row g,             columns 4e r + e t ... + e - 1          (m = 8)
//     B   register r: rows 4e r + e t ... + e - 1, column g
//     C,D element i:  row g + 8 (i / 2), column 2 t + i % 2
//
// So a register of A lies along a row and a register of B along a column, both along k.
#include "instrumentation/trace/fragments/warp_product.h"

namespace tilereel {

struct MatrixElement {
    int row = 0, column = 0;
    bool operator==(const MatrixElement&) const = default;
};

// Elements of one lane.
[[nodiscard]] int elements_of(const WarpProduct& product, MatrixOperand operand);
// 32-bit registers of one lane. An f64 takes two, the lower half first.
[[nodiscard]] int registers_of(const WarpProduct& product, MatrixOperand operand);
// The registers of one lane that a kMatrixProduct record has: those of A, B and D.
[[nodiscard]] int registers_of(const WarpProduct& product);
// The element that `lane` holds as number `index`, 0 to elements_of() - 1. Elements are numbered as
// PTX numbers them: register by register, in a register from its lowest bits.
[[nodiscard]] MatrixElement element_of(const WarpProduct& product, MatrixOperand operand, int lane,
                                       int index);
// Which of product.count() products the lane's elements belong to.
[[nodiscard]] int product_of_lane(const WarpProduct& product, int lane);

// ldmatrix, stmatrix and movmatrix with .m8n8 and .b16 (PTX ISA 9.0, "ldmatrix"): register r of a
// lane holds two 16-bit elements of matrix r. .x1, .x2 and .x4 are 1, 2 and 4 matrices. `half`: 0
// for the lower 16 bits of the register, 1 for the upper ones. Without .trans the two elements lie
// in one row of the 8 x 8 matrix, with .trans in one column.
[[nodiscard]] MatrixElement matrix_load_element(bool transposed, int lane, int half);
// The lane that gives the address of a row of 16 bytes.
[[nodiscard]] constexpr int address_lane(int matrix, int row) { return 8 * matrix + row; }

}  // namespace tilereel
