// Where wgmma finds an element, worked out by hand from the PTX ISA 9.0, "Asynchronous Warpgroup
// Level Matrix Shared Memory Layout" (canonical layouts and their strides).
#include "instrumentation/trace/fragments/matrix_descriptor.h"

#include <gtest/gtest.h>

#include <set>

namespace tilereel::matrix_descriptor_test {
namespace {

constexpr MajorDimension kK = MajorDimension::kK, kMN = MajorDimension::kMN;

// Start 0x2400, leading 0x80, stride 0x400, base offset 5, 128-byte swizzle. Each byte count is
// written without its lowest 4 bits.
TEST(MatrixDescriptor, HasFiveFields) {
    const std::uint64_t bits = 0x240ull | 0x8ull << 16 | 0x40ull << 32 | 5ull << 49 | 1ull << 62;
    const MatrixDescriptor descriptor = {.start_bytes = 0x2400,
                                         .leading_bytes = 0x80,
                                         .stride_bytes = 0x400,
                                         .base_offset = 5,
                                         .swizzle = Swizzle::k128Bytes};
    EXPECT_EQ(matrix_descriptor(bits), descriptor);
    EXPECT_EQ(descriptor_bits(descriptor), bits);
    // Bits of no field: 14, 15, 30, 31, 46 to 48, 52 to 61.
    EXPECT_EQ(matrix_descriptor(bits | 0x3ull << 14 | 0x3ull << 30 | 0x7ull << 46 | 0x3ffull << 52),
              descriptor);
}

// 16-bit elements, core matrices of 8 rows x 16 bytes: leading is the step to the next 8 columns of
// k, stride the step to the next 8 rows. Element (13, 11): row 5 of core matrix (1, 1), byte 6.
TEST(MatrixDescriptor, KMajorWithoutASwizzle) {
    const MatrixDescriptor descriptor = {
        .start_bytes = 0x1000, .leading_bytes = 0x80, .stride_bytes = 0x100};
    EXPECT_EQ(element_address(descriptor, kK, 16, 0, 0), 0x1000u);
    EXPECT_EQ(element_address(descriptor, kK, 16, 13, 11), 0x1000u + 0x100 + 0x80 + 5 * 16 + 6);
    // Bytes: 16 of them fill a piece. Element (9, 17) is byte 1 of row 1 of core matrix (1, 1).
    EXPECT_EQ(element_address(descriptor, kK, 8, 9, 17), 0x1000u + 0x100 + 0x80 + 16 + 1);
}

// A tile of 64 columns of bf16 as the TMA writes it with the 128-byte swizzle: element (3, 10) is
// in piece 1 of row 3, which lies in place 1 ^ 3 = 2.
TEST(MatrixDescriptor, KMajorWith128Bytes) {
    MatrixDescriptor descriptor = {
        .start_bytes = 0x2000, .stride_bytes = 0x400, .swizzle = Swizzle::k128Bytes};
    EXPECT_EQ(element_address(descriptor, kK, 16, 3, 10), 0x2000u + 3 * 128 + 2 * 16 + 4);
    EXPECT_EQ(element_address(descriptor, kK, 16, 8 + 7, 0), 0x2000u + 0x400 + 7 * 128 + 7 * 16);
    // The next 16 columns: the start is 32 bytes further. Column 16 + 2 is in piece 2, 2 ^ 3 = 1.
    descriptor.start_bytes += 32;
    EXPECT_EQ(element_address(descriptor, kK, 16, 3, 2), 0x2000u + 3 * 128 + 1 * 16 + 4);
    // The leading offset means nothing here.
    descriptor.leading_bytes = 0x3f0;
    EXPECT_EQ(element_address(descriptor, kK, 16, 3, 10), 0x2000u + 3 * 128 + (3 ^ 3) * 16 + 4);
}

// 64 bytes: two rows fill 128 bytes, so rows 0 and 1 have pattern 0, rows 2 and 3 pattern 1, ...
TEST(MatrixDescriptor, KMajorWith64And32Bytes) {
    const MatrixDescriptor middle = {
        .start_bytes = 0x2000, .stride_bytes = 0x200, .swizzle = Swizzle::k64Bytes};
    EXPECT_EQ(element_address(middle, kK, 16, 5, 9), 0x2000u + 5 * 64 + (1 ^ 2) * 16 + 2);
    EXPECT_EQ(element_address(middle, kK, 16, 8, 0), 0x2200u);
    const MatrixDescriptor small = {
        .start_bytes = 0x2000, .stride_bytes = 0x100, .swizzle = Swizzle::k32Bytes};
    EXPECT_EQ(element_address(small, kK, 16, 3, 9), 0x2000u + 3 * 32 + (1 ^ 0) * 16 + 2);
    EXPECT_EQ(element_address(small, kK, 16, 5, 9), 0x2000u + 5 * 32 + (1 ^ 1) * 16 + 2);
}

// B as K rows of N columns. Without a swizzle a core matrix is 8 rows of k x 8 columns; leading is
// the step to the next 8 rows, stride the step to the next 8 columns.
TEST(MatrixDescriptor, MNMajorWithoutASwizzle) {
    const MatrixDescriptor descriptor = {
        .start_bytes = 0x800, .leading_bytes = 0x80, .stride_bytes = 0x100};
    // Column 13 of n, row 11 of k: core matrix (column 1, row 1), row 3, byte 10.
    EXPECT_EQ(element_address(descriptor, kMN, 16, 13, 11), 0x800u + 0x100 + 0x80 + 3 * 16 + 10);
}

// 128 bytes: 64 columns lie side by side; leading is the step to the next 64 columns, stride to the
// next 8 rows of k. Column 64 + 20, row 10: piece 2 of row 2 of the second block of rows.
TEST(MatrixDescriptor, MNMajorWith128Bytes) {
    const MatrixDescriptor descriptor = {.start_bytes = 0x4000,
                                         .leading_bytes = 0x2000,
                                         .stride_bytes = 0x400,
                                         .swizzle = Swizzle::k128Bytes};
    EXPECT_EQ(element_address(descriptor, kMN, 16, 64 + 20, 8 + 2),
              0x4000u + 0x2000 + 0x400 + 2 * 128 + (2 ^ 2) * 16 + 8);
    EXPECT_EQ(element_address(descriptor, kMN, 16, 20, 3), 0x4000u + 3 * 128 + (2 ^ 3) * 16 + 8);
}

TEST(MatrixDescriptor, MNMajorWith64And32Bytes) {
    MatrixDescriptor descriptor = {.start_bytes = 0x4000,
                                   .leading_bytes = 0x1000,
                                   .stride_bytes = 0x200,
                                   .swizzle = Swizzle::k64Bytes};
    // Column 32 + 17, row 6: piece 2, pattern 6 / 2 = 3.
    EXPECT_EQ(element_address(descriptor, kMN, 16, 32 + 17, 6),
              0x4000u + 0x1000 + 6 * 64 + (2 ^ 3) * 16 + 2);
    descriptor.swizzle = Swizzle::k32Bytes, descriptor.stride_bytes = 0x100;
    // Column 16 + 9, row 8 + 4: piece 1, pattern 4 / 4 = 1.
    EXPECT_EQ(element_address(descriptor, kMN, 16, 16 + 9, 8 + 4),
              0x4000u + 0x1000 + 0x100 + 4 * 32 + (1 ^ 1) * 16 + 2);
}

// A pattern that starts 3 x 128 bytes behind a multiple of 1024 has base offset 3: its first row is
// row 0 of the pattern.
TEST(MatrixDescriptor, BaseOffsetMovesThePattern) {
    const MatrixDescriptor descriptor = {.start_bytes = 0x2000 + 3 * 128,
                                         .stride_bytes = 0x400,
                                         .base_offset = 3,
                                         .swizzle = Swizzle::k128Bytes};
    EXPECT_EQ(element_address(descriptor, kK, 16, 0, 8), 0x2000u + 3 * 128 + 16);
    EXPECT_EQ(element_address(descriptor, kK, 16, 1, 8), 0x2000u + 4 * 128);
}

// What the swizzle is for: the eight pieces that are read together, rows 0 to 7 in one place along
// the major dimension, lie in eight different slots of the 128 bytes of the banks.
TEST(MatrixDescriptor, EightRowsLieInDifferentBanks) {
    for (const MajorDimension major : {kK, kMN})
        for (const Swizzle swizzle :
             {Swizzle::kNone, Swizzle::k32Bytes, Swizzle::k64Bytes, Swizzle::k128Bytes}) {
            const MatrixDescriptor descriptor = {.start_bytes = 0x2000,
                                                 .leading_bytes = 0x1000,
                                                 .stride_bytes = 0x400,
                                                 .swizzle = swizzle};
            std::set<std::uint32_t> slots;
            for (int row = 0; row < 8; ++row) {
                const int x = major == kK ? row : 0, k = major == kK ? 0 : row;
                slots.insert(piece_address(descriptor, major, 16, x, k) % 128);
            }
            EXPECT_EQ(slots.size(), 8u) << swizzle_bytes(swizzle);
        }
}

}  // namespace
}  // namespace tilereel::matrix_descriptor_test
