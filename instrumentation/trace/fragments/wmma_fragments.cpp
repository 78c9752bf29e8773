#include "instrumentation/trace/fragments/wmma_fragments.h"

#include <utility>

namespace tilereel {
namespace {

// The operand of the pieces that an operand of the tile is made of.
MatrixOperand operand_in_pieces(const WmmaPieces& pieces, MatrixOperand operand) {
    if (!pieces.is_transposed) return operand;
    if (operand == MatrixOperand::kA) return MatrixOperand::kB;
    return operand == MatrixOperand::kB ? MatrixOperand::kA : operand;
}

int count_of(const WmmaPieces& pieces, MatrixOperand in_pieces) {
    if (in_pieces == MatrixOperand::kA) return pieces.of_a;
    return in_pieces == MatrixOperand::kB ? pieces.of_b : pieces.count();
}

}  // namespace

WmmaPieces pieces_of(const WmmaProduct& product) {
    const auto [m, n, k] = product.shape;
    WmmaPieces pieces{.product = {.shape = {m == 8 && n == 8 ? 8 : 16, 8, k},
                                  .a = product.a,
                                  .b = product.b,
                                  .c = product.c,
                                  .d = product.d,
                                  .bits = product.bits,
                                  .saturates = product.saturates}};
    if (m == 32 || n == 32) pieces.of_a = 2;
    if (m == 16 && n == 16) pieces.of_b = 2;
    if (n == 32) {
        pieces.is_transposed = true;
        std::swap(pieces.product.a, pieces.product.b);
    }
    return pieces;
}

int elements_of(const WmmaProduct& product, MatrixOperand operand) {
    const WmmaPieces pieces = pieces_of(product);
    const MatrixOperand in_pieces = operand_in_pieces(pieces, operand);
    return elements_of(pieces.product, in_pieces) * count_of(pieces, in_pieces);
}

MatrixElement element_of(const WmmaProduct& product, MatrixOperand operand, int lane, int index) {
    const WmmaPieces pieces = pieces_of(product);
    const MatrixOperand in_pieces = operand_in_pieces(pieces, operand);
    const int in_piece = elements_of(pieces.product, in_pieces), piece = index / in_piece;
    MatrixElement element = element_of(pieces.product, in_pieces, lane, index % in_piece);
    const bool is_below = in_pieces != MatrixOperand::kB && pieces.of_a == 2;
    if (is_below)
        element.row += 16 * piece;
    else
        element.column += 8 * piece;
    if (pieces.is_transposed) std::swap(element.row, element.column);
    return element;
}

}  // namespace tilereel
