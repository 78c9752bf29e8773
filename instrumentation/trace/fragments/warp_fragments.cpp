#include "instrumentation/trace/fragments/warp_fragments.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr int kWarpLanes = 32;

bool is_quad_product(const WarpProduct& product) { return product.count() != 1; }

// How many elements lie side by side along k in one lane: those of a register, or one wider
// element.
int side_by_side(MatrixType type) { return std::max(1, 32 / element_bits(type)); }

// m8n8k4 with f16. The two quads of a pair hold rows 0 to 3 and 4 to 7 (of B in row-major order and
// of C, which are cut along their columns, the same). PTX ISA 9.0, "Matrix Fragments for mma.m8n8k4
// with .f16 floating point type".
MatrixElement quad_element(const WarpProduct& product, MatrixOperand operand, int lane, int index) {
    const int in_quad = lane % 4, upper = lane < 16 ? 0 : 4;
    switch (operand) {
        case MatrixOperand::kA:
            if (product.a_order == MatrixOrder::kRowMajor) return {in_quad + upper, index};
            return {index + upper, in_quad};
        case MatrixOperand::kB:
            if (product.b_order == MatrixOrder::kRowMajor) return {in_quad, index + upper};
            return {index, in_quad + upper};
        default:
            break;
    }
    if (product.type(operand) == MatrixType::kF16) return {in_quad + upper, index};
    return {(lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)};
}

}  // namespace

int elements_of(const WarpProduct& product, MatrixOperand operand) {
    const auto [m, n, k] = product.shape;
    const int elements = operand == MatrixOperand::kA   ? m * k
                         : operand == MatrixOperand::kB ? k * n
                                                        : m * n;
    return elements * product.count() / kWarpLanes;
}

int registers_of(const WarpProduct& product, MatrixOperand operand) {
    return elements_of(product, operand) * element_bits(product.type(operand)) / 32;
}

int registers_of(const WarpProduct& product) {
    return registers_of(product, MatrixOperand::kA) + registers_of(product, MatrixOperand::kB) +
           registers_of(product, MatrixOperand::kD);
}

MatrixElement element_of(const WarpProduct& product, MatrixOperand operand, int lane, int index) {
    dcheck(lane >= 0 && lane < kWarpLanes && index >= 0 && index < elements_of(product, operand));
    if (is_quad_product(product)) return quad_element(product, operand, lane, index);
    const int group = lane / 4, in_group = lane % 4;
    if (operand == MatrixOperand::kC || operand == MatrixOperand::kD)
        return {group + 8 * (index / 2), 2 * in_group + index % 2};
    const int wide = side_by_side(product.type(operand));
    const int part = index / wide, along_k = wide * in_group + index % wide;
    if (operand == MatrixOperand::kB) return {4 * wide * part + along_k, group};
    const int halves = product.shape.m / 8;
    return {group + 8 * (part % halves), 4 * wide * (part / halves) + along_k};
}

int product_of_lane(const WarpProduct& product, int lane) {
    return is_quad_product(product) ? lane / 4 % 4 : 0;
}

MatrixElement matrix_load_element(bool transposed, int lane, int half) {
    const int along = 2 * (lane % 4) + half;
    return transposed ? MatrixElement{along, lane / 4} : MatrixElement{lane / 4, along};
}

}  // namespace tilereel
