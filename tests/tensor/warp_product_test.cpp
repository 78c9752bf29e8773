// Which products there are: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions".
#include "instrumentation/trace/fragments/warp_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilereel::warp_product_test {
namespace {

TEST(WarpProduct, ReadsShapeTypesAndLayouts) {
    const Result<WarpProduct> found =
        find_warp_product("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->shape, (MatrixShape{16, 8, 16}));
    EXPECT_EQ(found->a, MatrixType::kBf16);
    EXPECT_EQ(found->c, MatrixType::kF32);
    EXPECT_EQ(found->count(), 1);
    EXPECT_EQ(found->flop(), 2 * 16 * 8 * 16);
}

// D comes first in an instruction, then A, B and C.
TEST(WarpProduct, KeepsTheOrderOfTypes) {
    const Result<WarpProduct> mixed =
        find_warp_product("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32");
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->a, MatrixType::kU8);
    EXPECT_EQ(mixed->b, MatrixType::kS8);
    EXPECT_TRUE(mixed->saturates);
    const Result<WarpProduct> widened =
        find_warp_product("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16");
    ASSERT_TRUE(widened);
    EXPECT_EQ(widened->c, MatrixType::kF16);
    EXPECT_EQ(widened->d, MatrixType::kF32);
    EXPECT_EQ(widened->a_order, MatrixOrder::kColumnMajor);
    EXPECT_EQ(widened->b_order, MatrixOrder::kRowMajor);
    EXPECT_EQ(widened->count(), 4);
    EXPECT_EQ(widened->flop(), 4 * 2 * 8 * 8 * 4);
}

// Counted by hand from the document. f16: m8n8k4 has three choices of C and D times four layouts,
// two shapes have two; bf16 2; tf32 2; f64 4; e4m3 and e5m2: 2 shapes x 4 pairs x 2 sums; 8-bit
// integers: 3 shapes x 4 pairs x 2 (.satfinite); 4-bit the same; bits: 3 shapes x 2 operations.
TEST(WarpProduct, AllAreThere) {
    const std::vector<WarpProduct> all = every_warp_product();
    EXPECT_EQ(all.size(), 12u + 4 + 2 + 2 + 4 + 16 + 24 + 24 + 6);
    std::set<std::string> instructions;
    for (const WarpProduct& product : all) {
        instructions.insert(instruction_of(product));
        const Result<WarpProduct> again = find_warp_product(instruction_of(product));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, product) << instruction_of(product);
    }
    EXPECT_EQ(instructions.size(), all.size());
}

TEST(WarpProduct, DoublesMaySayHowTheyRound) {
    EXPECT_TRUE(find_warp_product("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64.rn"));
}

struct Refusal {
    const char* instruction;
    const char* words;  // in the message
};
TEST(WarpProduct, SaysWhatIsNotTaken) {
    for (const auto& [instruction, words] : {
             Refusal{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sparse"},
             {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sparse"},
             {"mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e2m1.f32", "12.0"},
             {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "m8n8k4, m16n8k8, m16n8k16"},
             {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", ".row.col"},
             {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32", "one type"},
             {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32", "f16 by bf16"},
             {"mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16", "f32"},
             {"mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32", ".satfinite"},
             {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32", ".xor.popc"},
             {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64.rz", ".rz"},
             {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16", "four types"},
             {"mma.sync.aligned.m16n8.row.col.f32.f16.f16.f32", ".m16n8 is no part"},
             {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "no mma.sync"},
         }) {
        const Result<WarpProduct> found = find_warp_product(instruction);
        ASSERT_FALSE(found) << instruction;
        EXPECT_NE(found.error().message.find(words), std::string::npos) << found.error().message;
        EXPECT_NE(found.error().message.find(instruction), std::string::npos);
    }
}

}  // namespace
}  // namespace tilereel::warp_product_test
