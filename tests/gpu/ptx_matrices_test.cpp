// The instructions of tensor cores in patched PTX. Expected: the PTX ISA's fragments, and what the
// CPU records of nvcuda::wmma (tests/program/wmma_accesses_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/gpu/ptx/ptx_patch.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"
#include "instrumentation/trace/site.h"

namespace tilereel::gpu::ptx_matrices_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

PatchedPtx patched(const std::string& body) {
    return patch_ptx(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .pred %p<4>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n.reg .f64 %fd<40>;\n"
        ".reg .b64 %rd<9>;\n.loc 1 7 5\n" +
            body + "\nret;\n}\n\n.file 1 \"/home/a.cu\"\n",
        "", {.site = 10, .variable = 0}, {"/cuda/"});
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(PtxMatrices, AMatrixLoadIsRecordedBeforeAllLanesComeTogether) {
    const PatchedPtx ptx =
        patched("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%r3+32];");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kMatrixLoad);
    EXPECT_EQ(ptx.sites[0].width_bytes, 16);
    EXPECT_EQ(ptx.sites[0].variety, static_cast<std::uint8_t>(MatrixAccessKind::kTransposed));
    EXPECT_EQ(ptx.sites[0].following_rows(), 0u);
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p1], 41;"));  // site 10, in shared memory
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p3], 2;"));   // two matrices: lanes 0 to 15
    const std::size_t call = ptx.text.find("call tilereel_gpu_matrix_load"),
                      together = ptx.text.find("bar.warp.sync 0xffffffff;"),
                      load = ptx.text.find("ldmatrix.sync");
    EXPECT_LT(call, together);
    EXPECT_LT(together, load);
    EXPECT_THAT(ptx.kernels.at(0).left_out, IsEmpty());
}

TEST(PtxMatrices, AMatrixStorePassesTheRegisters) {
    const PatchedPtx plain = patched("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r3], {%r1, %r2};");
    ASSERT_THAT(plain.sites, SizeIs(1));
    EXPECT_EQ(plain.sites[0].operation, Operation::kMatrixStore);
    EXPECT_EQ(plain.sites[0].value_words, 4);  // a row of 16 bytes
    EXPECT_THAT(plain.text, HasSubstr("mov.b32 %tilereel_w1, %r2;"));
    const PatchedPtx turned =
        patched("@%p1 stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r3], {%r1};");
    EXPECT_THAT(turned.text,
                HasSubstr("@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %tilereel_w0, %r1;"));
    EXPECT_THAT(turned.text, HasSubstr("@%p1 bar.warp.sync 0xffffffff;"));
    EXPECT_THAT(turned.text, HasSubstr("@%p1 call tilereel_gpu_matrix_store"));
}

// m16n8k16 with bf16: 4 registers of A, 2 of B and 4 sums a lane.
TEST(PtxMatrices, AProductHasItsRegistersOfABAndD) {
    const PatchedPtx ptx = patched(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, "
        "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    const auto product = WarpProduct::of_code(ptx.sites[0].base);
    ASSERT_TRUE(product);
    EXPECT_EQ(instruction_of(*product), "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
    EXPECT_EQ(ptx.sites[0].value_words, 10);
    EXPECT_EQ(ptx.sites[0].width_bytes, 40);
    EXPECT_EQ(ptx.sites[0].following_rows(), 9u);  // the first word is in the record's own row
    const std::size_t instruction = ptx.text.find("mma.sync.aligned");
    EXPECT_LT(ptx.text.find("mov.b32 %tilereel_w5, %r6;"), instruction);
    EXPECT_GT(ptx.text.find("mov.b32 %tilereel_w9, %f4;"), instruction);
    EXPECT_GT(ptx.text.find("call tilereel_gpu_product"), instruction);
}

TEST(PtxMatrices, ADoubleIsTwoWords) {
    const PatchedPtx ptx = patched(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%fd1, %fd2, %fd3, %fd4}, "
        "{%fd5, %fd6, %fd7, %fd8}, {%fd9, %fd10}, {%fd1, %fd2, %fd3, %fd4};");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    EXPECT_EQ(ptx.sites[0].value_words, 20);
    EXPECT_THAT(ptx.text, HasSubstr("mov.b64 {%tilereel_w18, %tilereel_w19}, %fd4;"));
    EXPECT_THAT(ptx.text, HasSubstr("call tilereel_gpu_wide_product"));
}

TEST(PtxMatrices, ASparseProductIsLeftOut) {
    const PatchedPtx ptx = patched(
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
        "{%r5, %r6}, {%f1, %f2, %f3, %f4}, %r7, 0x0;");
    EXPECT_THAT(ptx.sites, IsEmpty());
    EXPECT_EQ(ptx.kernels.at(0).left_out.at(0).instruction, "mma");
}

// Lane 4 g + t holds the elements g, 2 t and g, 2 t + 1 of the four 8 x 8 matrices of A, the lower
// one before the one at the right.
TEST(PtxMatrices, AFragmentAlongMemoryIsLoadedInPairs) {
    const PatchedPtx ptx = patched(
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, "
        "%r8}, [%r9], %r10;");
    ASSERT_THAT(ptx.sites, SizeIs(4));
    for (const PtxSite& site : ptx.sites) {
        EXPECT_EQ(site.operation, Operation::kLoad);
        EXPECT_EQ(site.width_bytes, 4);
        EXPECT_EQ(site.value_words, 0);
    }
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p3], %r10;"));
    // Rows: 1 a group; 8 more in the second and fourth. Columns: 2 a thread of the group.
    const std::string rows = "[tilereel_p4], ", columns = "[tilereel_p5], ";
    EXPECT_EQ(count_of(ptx.text, rows + "1;"), 2u);
    EXPECT_EQ(count_of(ptx.text, rows + std::to_string(1 | 8 << 16) + ";"), 2u);
    EXPECT_EQ(count_of(ptx.text, columns + std::to_string(2 << 8) + ";"), 2u);
    EXPECT_EQ(count_of(ptx.text, columns + std::to_string(2 << 8 | 8 << 16) + ";"), 2u);
}

// B by rows: memory's order is the other one, and an 8 x 8 matrix is loaded as it lies there.
TEST(PtxMatrices, AFragmentAcrossMemoryIsLoadedAsItLiesThere) {
    const PatchedPtx ptx = patched(
        "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, "
        "%r8}, [%rd1], 16;");
    ASSERT_THAT(ptx.sites, SizeIs(4));
    // In its matrix, lane 4 g + t takes row g and columns 2 t and 2 t + 1.
    EXPECT_EQ(count_of(ptx.text, "[tilereel_p5], " + std::to_string(2 << 8) + ";"), 2u);
    EXPECT_EQ(count_of(ptx.text, "[tilereel_p4], 1;"), 2u);
}

TEST(PtxMatrices, AStoreOfSumsPassesPairs) {
    const PatchedPtx ptx = patched(
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd3], {%f8, %f7, %f6, %f5, %f4, "
        "%f3, %f2, %f1}, %r1;");
    ASSERT_THAT(ptx.sites, SizeIs(4));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kStore);
    EXPECT_EQ(ptx.sites[0].width_bytes, 8);
    EXPECT_EQ(ptx.sites[0].value_words, 2);
    EXPECT_THAT(ptx.text, HasSubstr("mov.b32 %tilereel_w0, %f8;\nmov.b32 %tilereel_w1, %f7;"));
    // By columns each sum is stored alone; halves are exchanged between lanes first.
    EXPECT_THAT(patched("wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%rd3], {%f8, %f7, "
                        "%f6, %f5, %f4, %f3, %f2, %f1}, %r1;")
                    .sites,
                SizeIs(8));
    const PatchedPtx halves = patched(
        "wmma.store.d.sync.aligned.col.m16n16k16.global.f16 [%rd3], {%r4, %r3, %r2, %r1}, %r5;");
    ASSERT_THAT(halves.sites, SizeIs(4));
    EXPECT_EQ(halves.sites[0].width_bytes, 4);
    EXPECT_THAT(halves.text, HasSubstr("movmatrix.sync.aligned.m8n8.trans.b16 %tilereel_w0, %r4;"));
}

// 16 x 16 x 16 is two products side by side, which share A.
TEST(PtxMatrices, AProductOfFragmentsIsTwoRecords) {
    const PatchedPtx ptx = patched(
        "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f9, %f10, %f11, %f12, %f13, %f14, "
        "%f15, %f16}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r9, %r10, %r11, %r12, %r13, "
        "%r14, %r15, %r16}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};");
    ASSERT_THAT(ptx.sites, SizeIs(2));
    for (const PtxSite& site : ptx.sites) {
        const auto product = WarpProduct::of_code(site.base);
        ASSERT_TRUE(product);
        EXPECT_EQ(instruction_of(*product), "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        EXPECT_EQ(site.value_words, 10);
    }
    // Words 0 to 7 are A, 8 to 15 are B, 16 to 23 are D: the second product begins with A again,
    // then has the third register of B.
    const std::size_t second = ptx.text.rfind("[tilereel_p0]");
    EXPECT_NE(ptx.text.find("[tilereel_p3], %tilereel_w0;", second), std::string::npos);
    EXPECT_NE(ptx.text.find("[tilereel_p7], %tilereel_w10;", second), std::string::npos);
    EXPECT_NE(ptx.text.find("[tilereel_p9], %tilereel_w20;", second), std::string::npos);
}

// Of the MN-major operands the instruction says 1 at its end; with A in registers only of B.
TEST(PtxMatrices, AProductOfAWarpgroupHasItsDescriptors) {
    const PatchedPtx ptx = patched(
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, "
        "%p1, 1, 1, 0, 1;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, "
        "{%r1, %r2, %r3, %r4}, %rd2, %p1, 1, 1, 1;\nfence.proxy.async.shared::cta;\n"
        "fence.acq_rel.gpu;");
    EXPECT_THAT(ptx.kernels.at(0).left_out, IsEmpty());
    ASSERT_THAT(ptx.sites, SizeIs(6));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kFence);
    EXPECT_EQ(ptx.sites[0].variety, static_cast<std::uint8_t>(FenceKind::kProducts));
    EXPECT_EQ(ptx.sites[1].value_words, 4);
    EXPECT_EQ(ptx.sites[1].width_bytes, 16);
    EXPECT_EQ(ptx.sites[1].variety, 4);  // B is MN-major
    const auto product = WarpgroupProduct::of_code(ptx.sites[1].base);
    ASSERT_TRUE(product);
    EXPECT_EQ(product->shape, (MatrixShape{64, 8, 16}));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p2], %rd1;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p3], %rd2;"));
    EXPECT_EQ(ptx.sites[2].operation, Operation::kCommitProducts);
    EXPECT_EQ(ptx.sites[3].operation, Operation::kWaitProducts);
    EXPECT_EQ(ptx.sites[3].base, 1u);
    EXPECT_EQ(ptx.sites[4].variety, 1 | 4);  // A in registers
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p2], 0;"));
    EXPECT_EQ(ptx.sites[5].variety, static_cast<std::uint8_t>(FenceKind::kAsyncProxy));
}

}  // namespace
}  // namespace tilereel::gpu::ptx_matrices_test
