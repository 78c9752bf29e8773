// What a warpgroup's product reads of shared memory. Expected: the pieces of 16 bytes in which
// element_address() finds the elements of A and B (PTX ISA, "Matrix Descriptor Format").
#include "instrumentation/trace/fragments/warpgroup_reads.h"

#include <gtest/gtest.h>

#include <set>

namespace tilereel::warpgroup_reads_test {
namespace {

using Pieces = std::set<std::uint32_t>;

Pieces pieces_of(const MatrixDescriptor& matrix, MajorDimension major, int bits, int extent,
                 int k) {
    Pieces pieces;
    for (int x = 0; x < extent; ++x)
        for (int i = 0; i < k; ++i)
            pieces.insert(element_address(matrix, major, bits, x, i) / 16 * 16);
    return pieces;
}

MatrixDescriptor matrix(std::uint32_t start, std::uint32_t leading, std::uint32_t stride,
                        Swizzle swizzle) {
    return {.start_bytes = start,
            .leading_bytes = leading,
            .stride_bytes = stride,
            .base_offset = 0,
            .swizzle = swizzle};
}

// All operands that do not overlap: the four warps read each piece once, and no others.
void expect_all_once(const WarpgroupProduct& product, const MatrixDescriptor& a,
                     MajorDimension a_major, const MatrixDescriptor& b, MajorDimension b_major) {
    const WarpgroupOperands operands = {.a_in_registers = false,
                                        .a_major = a_major,
                                        .b_major = b_major,
                                        .a_descriptor = descriptor_bits(a),
                                        .b_descriptor = descriptor_bits(b)};
    Pieces expected =
        pieces_of(a, a_major, element_bits(product.a), product.shape.m, product.shape.k);
    expected.merge(
        pieces_of(b, b_major, element_bits(product.b), product.shape.n, product.shape.k));
    Pieces all;
    std::size_t count = 0;
    for (int warp = 0; warp < 4; ++warp) {
        const auto pieces = pieces_read(product, operands, warp);
        count += pieces.size();
        all.insert(pieces.begin(), pieces.end());
    }
    EXPECT_EQ(all, expected);
    EXPECT_EQ(count, expected.size());
}

TEST(WarpgroupReads, TheFourWarpsReadEachPieceOnce) {
    const auto halves =
        *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16");
    const auto bytes = *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8");
    for (const Swizzle swizzle :
         {Swizzle::kNone, Swizzle::k32Bytes, Swizzle::k64Bytes, Swizzle::k128Bytes}) {
        const bool is_plain = swizzle == Swizzle::kNone;
        const auto stride = static_cast<std::uint32_t>(8 * swizzle_bytes(swizzle));
        const auto along_k = [&](std::uint32_t start) {
            return matrix(start, is_plain ? 128 : 16, is_plain ? 256 : stride, swizzle);
        };
        expect_all_once(halves, along_k(0), MajorDimension::kK, along_k(32768), MajorDimension::kK);
        expect_all_once(bytes, along_k(0), MajorDimension::kK, along_k(32768), MajorDimension::kK);
        const auto along_rows = [&](std::uint32_t start) {
            return is_plain ? matrix(start, 4096, 128, swizzle)
                            : matrix(start, 2 * stride, stride, swizzle);
        };
        expect_all_once(halves, along_rows(0), MajorDimension::kMN, along_rows(65536),
                        MajorDimension::kMN);
    }
}

// 64 x 16 halves in core matrices of 128 bytes, one behind the other: a warp has 512 bytes of A. B
// has 16 columns: 4 core matrices, of which warp 2 has the third.
TEST(WarpgroupReads, AWarpReadsItsRowsOfAAndEveryFourthCoreMatrixOfB) {
    const auto product =
        *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16");
    WarpgroupOperands operands = {
        .a_descriptor = descriptor_bits(matrix(0, 128, 256, Swizzle::kNone)),
        .b_descriptor = descriptor_bits(matrix(4096, 128, 256, Swizzle::kNone))};
    const auto pieces = pieces_read(product, operands, 2);
    ASSERT_EQ(pieces.size(), 32u + 8u);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(pieces[i], 1024 + 16 * i);
    // The third core matrix has columns 0 to 7 and k 8 to 15: all columns of k 0 to 7 come first.
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(pieces[32 + i], 4096 + 128 + 16 * i);
    operands.a_in_registers = true;
    EXPECT_EQ(pieces_read(product, operands, 2).size(), 8u);
}

// PTX ISA, "Matrix Descriptor Format": the eight pieces of a core matrix lie in eight different
// slots of 16 bytes, with every swizzle that the tile was written with.
TEST(WarpgroupReads, ACoreMatrixMeetsEachBankOnce) {
    const auto product =
        *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16");
    for (const Swizzle swizzle : {Swizzle::kNone, Swizzle::k128Bytes})
        for (const MajorDimension major : {MajorDimension::kK, MajorDimension::kMN}) {
            const bool plain = swizzle == Swizzle::kNone;
            const auto at =
                descriptor_bits(matrix(0, plain ? 128 : 16, plain ? 256 : 1024, swizzle));
            const WarpgroupOperands operands = {
                .b_major = major, .a_descriptor = at, .b_descriptor = at};
            for (int warp = 0; warp < 4; ++warp) {
                const MatrixPieces pieces = core_matrices_read(product, operands, warp);
                EXPECT_EQ(pieces.a.size(), 16u * 2);
                EXPECT_EQ(pieces.b.size(), 64u * 16 * 2 / 16 / 4);
                for (const auto& matrix : {pieces.a, pieces.b})
                    for (std::size_t first = 0; first < matrix.size(); first += 8) {
                        Pieces slots;
                        for (std::size_t i = first; i < first + 8; ++i)
                            slots.insert(matrix[i].address / 16 % 8);
                        EXPECT_EQ(slots.size(), 8u);
                    }
            }
        }
}

TEST(WarpgroupReads, OperandsAreKeptInARecord) {
    const std::uint32_t words[] = {1, 2, 3, 4};
    for (std::uint8_t variety = 0; variety <= WarpgroupOperands::kLastVariety; ++variety) {
        const WarpgroupOperands operands = WarpgroupOperands::of(variety, words);
        EXPECT_EQ(operands.variety(), variety);
        EXPECT_EQ(operands.a_descriptor, 0x2'0000'0001u);
        EXPECT_EQ(operands.b_descriptor, 0x4'0000'0003u);
    }
}

}  // namespace
}  // namespace tilereel::warpgroup_reads_test
