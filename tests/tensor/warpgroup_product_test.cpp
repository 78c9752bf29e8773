// wgmma.mma_async: which products there are, and which thread holds which element. PTX ISA 9.0,
// "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#include "instrumentation/trace/fragments/warpgroup_product.h"

#include <gtest/gtest.h>

namespace tilereel::warpgroup_product_test {
namespace {

WarpgroupProduct group_product(const std::string& rest) {
    return find_warpgroup_product("wgmma.mma_async.sync.aligned." + rest).value();
}

TEST(WarpgroupProduct, ReadsShapeAndTypes) {
    const WarpgroupProduct product = group_product("m64n128k16.f32.bf16.bf16");
    EXPECT_EQ(product.shape, (MatrixShape{64, 128, 16}));
    EXPECT_EQ(product.d, MatrixType::kF32);
    EXPECT_EQ(product.a, MatrixType::kBf16);
    EXPECT_EQ(product.flop(), 2 * 64 * 128 * 16);
    EXPECT_EQ(registers_of(product, MatrixOperand::kA), 4);
    EXPECT_EQ(registers_of(product, MatrixOperand::kD), 64);
    EXPECT_EQ(registers_of(group_product("m64n128k16.f16.f16.f16"), MatrixOperand::kD), 32);
}

// 32 widths: f16 has two types of D, bf16 and tf32 one, e4m3 and e5m2 four pairs and two. Integers
// have 4 widths up to 32 and 14 beyond it; 8 bits have four pairs with and without .satfinite.
TEST(WarpgroupProduct, AllAreThere) {
    const std::vector<WarpgroupProduct> all = every_warpgroup_product();
    EXPECT_EQ(all.size(), 32u * (2 + 1 + 1 + 4 * 2) + 18u * (4 * 2 + 1));
    for (const WarpgroupProduct& product : all) {
        const Result<WarpgroupProduct> again = find_warpgroup_product(instruction_of(product));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, product);
    }
}

TEST(WarpgroupProduct, SaysWhatIsNotTaken) {
    struct Refusal {
        const char *instruction, *words;
    };
    for (const auto& [instruction, words] : {
             Refusal{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", "sparse"},
             {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16", "in steps of 8"},
             {"wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16", "to 256"},
             {"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8", "beyond 32 of 16"},
             {"wgmma.mma_async.sync.aligned.m64n64k8.f32.f16.f16", "m64nNk16"},
             {"wgmma.mma_async.sync.aligned.m64n64k16.f16.bf16.bf16", "into f16"},
             {"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16", "types of D, A and B"},
             {"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.satfinite", ".satfinite"},
             {"wgmma.mma_async.sync.aligned.m64n64k256.s32.b1.b1.xor.popc", ".xor"},
             {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "no wgmma"},
         }) {
        const Result<WarpgroupProduct> found = find_warpgroup_product(instruction);
        ASSERT_FALSE(found) << instruction;
        EXPECT_NE(found.error().message.find(words), std::string::npos) << found.error().message;
    }
}

// "Register Fragments for wgmma.mma_async.m64nNk16": warp w has rows 16 w to 16 w + 15; d0 and d1
// lie in row 16 w + lane / 4, d2 and d3 8 rows below, d4 to d7 8 columns to the right, and so on.
TEST(WarpgroupProduct, AccumulatorsOfFourWarps) {
    const WarpgroupProduct product = group_product("m64n24k16.f32.f16.f16");
    ASSERT_EQ(elements_of(product, MatrixOperand::kD), 12);
    const auto at = [&product](int thread, int i) {
        return element_of(product, MatrixOperand::kD, thread, i);
    };
    EXPECT_EQ(at(0, 0), (MatrixElement{0, 0}));
    EXPECT_EQ(at(0, 1), (MatrixElement{0, 1}));
    EXPECT_EQ(at(0, 2), (MatrixElement{8, 0}));
    EXPECT_EQ(at(0, 4), (MatrixElement{0, 8}));
    EXPECT_EQ(at(0, 11), (MatrixElement{8, 17}));
    EXPECT_EQ(at(32, 0), (MatrixElement{16, 0}));
    EXPECT_EQ(at(32 + 6, 0), (MatrixElement{17, 4}));
    EXPECT_EQ(at(127, 11), (MatrixElement{63, 23}));
}

TEST(WarpgroupProduct, FragmentsOfA) {
    const WarpgroupProduct halves = group_product("m64n8k16.f32.f16.f16");
    EXPECT_EQ(element_of(halves, MatrixOperand::kA, 64 + 5, 7), (MatrixElement{32 + 9, 11}));
    const WarpgroupProduct words = group_product("m64n8k8.f32.tf32.tf32");
    EXPECT_EQ(element_of(words, MatrixOperand::kA, 64 + 5, 3), (MatrixElement{32 + 9, 5}));
    const WarpgroupProduct bytes = group_product("m64n8k32.f32.e4m3.e5m2");
    EXPECT_EQ(element_of(bytes, MatrixOperand::kA, 64 + 5, 15), (MatrixElement{32 + 9, 23}));
}

}  // namespace
}  // namespace tilereel::warpgroup_product_test
