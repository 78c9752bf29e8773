// What matrix loads would cost with plain rows. Expected by the rule of the banks: a row of a
// matrix is 16 bytes, so rows at the same place of 128 bytes need a wavefront each.
#include "instrumentation/analysis/cost/plain_rows.h"

#include <gtest/gtest.h>

namespace tilereel::plain_rows_test {
namespace {

template <class Address>
WarpAccess matrix_load(std::uint32_t matrices, Address&& address) {
    WarpAccess access{.space = Space::kShared,
                      .operation = Operation::kMatrixLoad,
                      .width_bytes = 16,
                      .lanes = {},
                      .other_side = {}};
    for (std::uint32_t lane = 0; lane < 8 * matrices; ++lane) {
        access.lanes.mask |= 1u << lane;
        access.lanes.bytes[lane] = address(lane / 8, lane % 8);
    }
    return access;
}

// CuTe's Swizzle<3,4,3>: rows of 128 bytes, 8 pieces.
TEST(PlainRows, ASwizzleOf128BytesSaves28Of32Wavefronts) {
    const WarpAccess access = matrix_load(4, [](std::uint32_t matrix, std::uint32_t row) {
        const std::uint32_t of_tile = row + matrix % 2 * 8, piece = matrix / 2;
        return 128 * of_tile + 16 * (piece ^ of_tile % 8);
    });
    EXPECT_EQ(cost_of(access).wavefronts, 4u);
    const auto plain = plain_rows(access);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->recorded, RowPlacement::kSwizzled);
    EXPECT_EQ(plain->row_bytes, 128u);
    EXPECT_EQ(plain->cost.wavefronts, 32u);
    EXPECT_EQ(plain->cost.bank_conflicts, 28u);
    for (std::uint32_t lane = 0; lane < 32; ++lane)  // the piece of its matrix, in its own row
        EXPECT_EQ(plain->access.lanes.bytes[lane], 128 * (lane % 16) + 16 * (lane / 16)) << lane;
}

// Swizzle<2,4,3>: rows of 64 bytes, two in a line. Plain, 8 rows use 2 slots: 4 wavefronts.
TEST(PlainRows, ASwizzleOf64Bytes) {
    const WarpAccess access = matrix_load(
        1, [](std::uint32_t, std::uint32_t row) { return 64 * row + 16 * (1 ^ row / 2 % 4); });
    EXPECT_EQ(cost_of(access).wavefronts, 1u);
    const auto plain = plain_rows(access);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->row_bytes, 64u);
    EXPECT_EQ(plain->cost.wavefronts, 4u);
}

// Rows of 128 bytes with 16 bytes of padding begin 4 banks further on each.
TEST(PlainRows, Padding) {
    const WarpAccess access = matrix_load(
        2, [](std::uint32_t matrix, std::uint32_t row) { return 144 * row + 16 * matrix + 32; });
    EXPECT_EQ(cost_of(access).wavefronts, 2u);
    const auto plain = plain_rows(access);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->recorded, RowPlacement::kPadded);
    EXPECT_EQ(plain->row_bytes, 128u);
    EXPECT_EQ(plain->padding_bytes, 16u);
    EXPECT_EQ(plain->cost.wavefronts, 16u);
}

TEST(PlainRows, RowsThatLiePlainlyHaveNone) {
    for (const std::uint32_t distance : {16u, 32u, 128u, 512u})
        EXPECT_FALSE(plain_rows(matrix_load(4, [&](std::uint32_t matrix, std::uint32_t row) {
            return distance * (row + matrix % 2 * 8) + 16 * (matrix / 2);
        }))) << distance;
}

TEST(PlainRows, RowsInNoOrderAndOtherAccessesHaveNone) {
    EXPECT_FALSE(plain_rows(
        matrix_load(1, [](std::uint32_t, std::uint32_t row) { return 16 * (row * row % 13); })));
    WarpAccess load = matrix_load(1, [](std::uint32_t, std::uint32_t row) { return 144 * row; });
    load.operation = Operation::kLoad;
    EXPECT_FALSE(plain_rows(load));
}

}  // namespace
}  // namespace tilereel::plain_rows_test
