#include "instrumentation/trace/fragments/warpgroup_reads.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr int kWarpsOfGroup = 4, kRowsOfWarp = 16, kPiecesOfCoreMatrix = 8;

// Calls visit(piece) for each piece of the rows or columns [first, end) of a matrix, core matrix by
// core matrix: the pieces of one follow each other across the major dimension.
template <class Visit>
void for_each_piece(std::uint64_t descriptor, MajorDimension major, int bits, int first, int end,
                    int k, Visit visit) {
    const MatrixDescriptor of = matrix_descriptor(descriptor);
    const int in_piece = 8 * static_cast<int>(kMatrixPieceBytes) / bits;
    if (major == MajorDimension::kK) {
        for (int at = 0; at < k; at += in_piece)
            for (int x = first; x < end; ++x)
                visit(MatrixPiece{piece_address(of, major, bits, x, at), x, at});
        return;
    }
    for (int x = first; x < end; x += in_piece)
        for (int at = 0; at < k; ++at)
            visit(MatrixPiece{piece_address(of, major, bits, x, at), x, at});
}

}  // namespace

std::uint8_t WarpgroupOperands::variety() const {
    return static_cast<std::uint8_t>((a_in_registers ? 1 : 0) |
                                     (a_major == MajorDimension::kMN ? 2 : 0) |
                                     (b_major == MajorDimension::kMN ? 4 : 0));
}

WarpgroupOperands WarpgroupOperands::of(std::uint8_t variety,
                                        std::span<const std::uint32_t> words) {
    const auto major = [variety](unsigned bit) {
        return (variety >> bit & 1) != 0 ? MajorDimension::kMN : MajorDimension::kK;
    };
    const auto descriptor = [words](std::size_t first) {
        return words[first] | std::uint64_t{words[first + 1]} << 32;
    };
    return {.a_in_registers = (variety & 1) != 0,
            .a_major = major(1),
            .b_major = major(2),
            .a_descriptor = descriptor(0),
            .b_descriptor = descriptor(2)};
}

MatrixPieces core_matrices_read(const WarpgroupProduct& product, const WarpgroupOperands& operands,
                                int warp) {
    MatrixPieces pieces;
    const int rows = kRowsOfWarp * warp;
    if (!operands.a_in_registers)
        for_each_piece(operands.a_descriptor, operands.a_major, element_bits(product.a), rows,
                       rows + kRowsOfWarp, product.shape.k,
                       [&](const MatrixPiece& piece) { pieces.a.push_back(piece); });
    int number = 0;
    for_each_piece(operands.b_descriptor, operands.b_major, element_bits(product.b), 0,
                   product.shape.n, product.shape.k, [&](const MatrixPiece& piece) {
                       if (number++ / kPiecesOfCoreMatrix % kWarpsOfGroup == warp)
                           pieces.b.push_back(piece);
                   });
    return pieces;
}

std::vector<std::uint32_t> pieces_read(const WarpgroupProduct& product,
                                       const WarpgroupOperands& operands, int warp) {
    const MatrixPieces read = core_matrices_read(product, operands, warp);
    std::vector<std::uint32_t> pieces;
    for (const auto& matrix : {read.a, read.b})
        for (const MatrixPiece& piece : matrix) pieces.push_back(piece.address);
    std::ranges::sort(pieces);
    const auto repeated = std::ranges::unique(pieces);
    pieces.erase(repeated.begin(), repeated.end());
    return pieces;
}

}  // namespace tilereel
