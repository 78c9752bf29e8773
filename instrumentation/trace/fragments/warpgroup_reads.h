#pragma once
// What a warpgroup's product reads of shared memory. No counter of a GPU shows these reads: they
// are modelled from the descriptors (matrix_descriptor.h).
//
// All four warps together make one product. The record of each warp stands for its 16 rows of A and
// for every fourth core matrix of B, so that the four records read each byte once.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "instrumentation/trace/fragments/matrix_descriptor.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"

namespace tilereel {

inline constexpr std::uint32_t kMatrixPieceBytes = 16;

// The operands of wgmma.mma_async besides D, as its record keeps them.
struct WarpgroupOperands {
    bool a_in_registers = false;
    MajorDimension a_major = MajorDimension::kK, b_major = MajorDimension::kK;
    std::uint64_t a_descriptor = 0, b_descriptor = 0;  // shared addresses from the block's first
                                                       // byte on; of A in registers 0

    // The values of a lane: the descriptor of A, then that of B, each its lower half first.
    static constexpr std::uint32_t kWords = 4;
    static constexpr std::uint8_t kLastVariety = 7;
    // Site::variety. Bit 0: A in registers; bits 1 and 2: A and B are MN-major.
    [[nodiscard]] std::uint8_t variety() const;
    [[nodiscard]] static WarpgroupOperands of(std::uint8_t variety,
                                              std::span<const std::uint32_t> words);
};

// A piece of 16 bytes: its shared address and its first element. `x`: row of A or column of B.
struct MatrixPiece {
    std::uint32_t address = 0;
    int x = 0, k = 0;
};
// The pieces that the record of a warp (0 to 3 in its warpgroup) stands for, matrix by matrix.
// Eight pieces in a row are a core matrix, which the tensor core reads together. `a` is empty if A
// lies in registers.
struct MatrixPieces {
    std::vector<MatrixPiece> a, b;
};
[[nodiscard]] MatrixPieces core_matrices_read(const WarpgroupProduct& product,
                                              const WarpgroupOperands& operands, int warp);
// Their addresses, ascending, without repetition.
[[nodiscard]] std::vector<std::uint32_t> pieces_read(const WarpgroupProduct& product,
                                                     const WarpgroupOperands& operands, int warp);

}  // namespace tilereel
