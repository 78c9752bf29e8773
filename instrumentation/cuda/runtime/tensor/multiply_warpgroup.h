#pragma once
// What wgmma.mma_async computes: D = A B + D or D = A B over the registers of a warpgroup's 128
// threads and shared memory. Arithmetic is as in multiply.h.
#include <cstddef>
#include <cstdint>
#include <span>

#include "instrumentation/trace/fragments/matrix_descriptor.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"

namespace tilereel::runtime {

// The operands of one instruction besides D.
struct WarpgroupFactors {
    // [thread][register]; nullptr if A lies in shared memory, where a_descriptor says.
    const std::uint32_t* a_registers = nullptr;
    MatrixDescriptor a_descriptor{}, b_descriptor{};
    // imm-trans-a, imm-trans-b: 0 is kK, 1 is kMN (16-bit types only).
    MajorDimension a_major = MajorDimension::kK, b_major = MajorDimension::kK;
    bool negates_a = false, negates_b = false;  // imm-scale-a, imm-scale-b: -1
    bool adds_d = true;                         // scale-d
};

// Shared memory of the block: the byte at shared address `first_address`, and those behind it.
struct SharedBytes {
    std::span<const std::byte> bytes;
    std::uint32_t first_address = 0;
};

inline constexpr int kAllWarps = -1;  // of the warpgroup

// Changes `d`, [thread][register]; of one warp, 0 to 3, only what its threads hold. Returns false
// and leaves `d` as it is if a part of A or B lies outside the shared memory.
[[nodiscard]] bool multiply(const WarpgroupProduct& product, const WarpgroupFactors& factors,
                            const SharedBytes& shared, std::uint32_t* d, int warp = kAllWarps);

}  // namespace tilereel::runtime
