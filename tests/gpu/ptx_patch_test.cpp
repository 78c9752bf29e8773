#include "instrumentation/gpu/ptx/ptx_patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/gpu/dump.h"

namespace tilereel::gpu::ptx_patch_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr const char* kFiles = "\n.file 1 \"/home/a.cu\"\n.file 2 \"/cuda/include/atomic.hpp\"\n";

PatchedPtx patched_module(const std::string& text) {
    return patch_ptx(kHead + text + kFiles, "", {.site = 10, .variable = 0}, {"/cuda/"});
}
// The body of a kernel.
PatchedPtx patched(const std::string& body) {
    return patched_module(
        ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n"
        ".reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"
        ".reg .b64 %rd<9>;\n.loc 1 7 5\n" +
        body + "\nret;\n}\n");
}

TEST(PtxPatch, ALoadIsRecordedBeforeItHappens) {
    const PatchedPtx ptx = patched("ld.global.nc.f32 %f1, [%rd1+4];");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kLoad);
    EXPECT_EQ(ptx.sites[0].width_bytes, 4);
    EXPECT_EQ(ptx.files[ptx.sites[0].place.file], "/home/a.cu");
    EXPECT_EQ(ptx.sites[0].place.line, 7u);
    EXPECT_EQ(ptx.sites[0].place.column, 5u);
    EXPECT_LT(ptx.text.find("call tilereel_gpu_load"), ptx.text.find("ld.global.nc.f32"));
    EXPECT_THAT(ptx.text, HasSubstr("add.s64 %tilereel_a, %tilereel_a, 4;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p1], 40;"));  // site 10, in global memory
}

TEST(PtxPatch, APredicatedAccessIsRecordedUnderItsPredicate) {
    EXPECT_THAT(patched("@!%p1 ld.global.b32 %r1, [%rd1];").text,
                HasSubstr("@!%p1 call tilereel_gpu_load"));
}

TEST(PtxPatch, AThreadsOwnMemoryIsNotRecorded) {
    EXPECT_THAT(patched("ld.param.u64 %rd1, [p];\nst.local.u32 [%rd1], %r1;\n"
                        "ld.param::entry.u64 %rd1, [p];")
                    .sites,
                IsEmpty());
}

TEST(PtxPatch, AStorePassesItsValue) {
    const PatchedPtx wide = patched("st.global.v4.f32 [%rd1], {%f1, %f2, %f3, 0f00000000};");
    EXPECT_EQ(wide.sites.at(0).value_words, 4);
    EXPECT_EQ(wide.sites.at(0).width_bytes, 16);
    EXPECT_THAT(wide.text, HasSubstr("mov.f32 %tilereel_w3, 0f00000000;"));
    const PatchedPtx eight = patched("st.global.u64 [%rd1], %rd2;");
    EXPECT_EQ(eight.sites.at(0).value_words, 2);
    const PatchedPtx narrow = patched("st.global.u8 [%rd1], %rs1;");
    EXPECT_EQ(narrow.sites.at(0).value_words, 1);
    EXPECT_EQ(narrow.sites.at(0).width_bytes, 1);
    const PatchedPtx halves = patched("st.global.v4.u16 [%rd1], {%rs1, %rs2, %rs3, %rs4};");
    EXPECT_EQ(halves.sites.at(0).value_words, 2);
}

TEST(PtxPatch, ARegisterWiderThanTheStoreIsConverted) {
    EXPECT_THAT(patched("st.global.u32 [%rd1], %rd2;").text,
                HasSubstr("cvt.u32.u64 %tilereel_w0, %rd2;"));
}

TEST(PtxPatch, HeapCallsAreReported) {
    EXPECT_TRUE(
        patched("{\n.param .b64 z;\ncall.uni (z), malloc, (x);\n}").kernels.at(0).uses_heap);
    EXPECT_FALSE(patched("ret;").kernels.at(0).uses_heap);
}

TEST(PtxPatch, UnrecordedInstructionsOfACalledFunctionCountForTheKernel) {
    // A wait under a guard.
    const std::string waits =
        ".func wait()\n{\n.loc 1 4 1\n@%p1 mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], "
        "%r4;\nret;\n}\n";
    const PatchedPtx ptx =
        patched_module(waits + ".visible .entry k()\n{\n.loc 1 9 1\ncall.uni wait, ();\nret;\n}\n" +
                       ".visible .entry other()\n{\n.loc 1 10 1\nret;\n}\n");
    ASSERT_THAT(ptx.kernels, SizeIs(2));
    ASSERT_THAT(ptx.kernels[0].left_out, SizeIs(1));
    EXPECT_TRUE(ptx.kernels[0].left_out[0].synchronizes());
    EXPECT_THAT(ptx.kernels[1].left_out, IsEmpty());
}

// An arrival is recorded before its instruction, a wait after it has succeeded.
TEST(PtxPatch, BarriersInSharedMemoryAreRecorded) {
    const PatchedPtx ptx = patched(
        "mbarrier.init.shared::cta.b64 [%r1], %r2;\n"
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd1, [%r1], %r3;\n"
        "mbarrier.arrive.shared.b64 %rd1, [%r1];\n"
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r4;\n"
        "mbarrier.test_wait.shared.b64 %p2, [%rd3], %rd1;\n");
    ASSERT_THAT(ptx.sites, SizeIs(5));
    EXPECT_THAT(ptx.kernels.at(0).left_out, IsEmpty());
    EXPECT_EQ(ptx.sites[0].operation, Operation::kInitBarrier);
    EXPECT_EQ(ptx.sites[1].operation, Operation::kArrive);
    EXPECT_EQ(ptx.sites[2].operation, Operation::kArrive);
    EXPECT_EQ(ptx.sites[3].operation, Operation::kWaitPhase);
    EXPECT_EQ(ptx.sites[4].operation, Operation::kWaitPhase);
    EXPECT_EQ(ptx.sites[3].following_rows(), 2u);
    EXPECT_LT(ptx.text.find("call tilereel_gpu_phase"), ptx.text.find("mbarrier.init"));
    EXPECT_LT(ptx.text.find("mbarrier.try_wait"), ptx.text.find("@%p1 call tilereel_gpu_phase"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p3], %r4;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p4], %r3;"));
}

TEST(PtxPatch, BulkCopiesAreRecorded) {
    const PatchedPtx ptx = patched(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r2, %r3}], [%r4];\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%r1], [%rd2], %r5, [%r4];\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r1], %r5;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n");
    ASSERT_THAT(ptx.sites, SizeIs(3));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kStartBulkCopy);
    EXPECT_EQ(ptx.sites[0].rank, 2);
    EXPECT_EQ(ptx.sites[1].rank, 0);
    EXPECT_THAT(ptx.text, HasSubstr("mov.u64 %tilereel_c, %rd1;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p7], %r3;"));
    // To global memory: the source is in shared memory, and there is no barrier.
    EXPECT_EQ(ptx.sites[2].operation, Operation::kStore);
    EXPECT_EQ(ptx.sites[2].variety, static_cast<std::uint8_t>(AccessKind::kBulk));
    EXPECT_EQ(ptx.sites[2].following_rows(), static_cast<unsigned>(tilereel_gpu::kBoxRows));
    EXPECT_THAT(ptx.text, HasSubstr("call tilereel_gpu_box_store"));
    EXPECT_THAT(ptx.kernels.at(0).left_out, IsEmpty());
    // A reduction in bulk is left out, and nobody waits for it.
    const PatchedPtx reduces =
        patched("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd2], [%r1], %r5;");
    ASSERT_THAT(reduces.kernels.at(0).left_out, SizeIs(1));
}

TEST(PtxPatch, ABackwardBranchClosesALoop) {
    const PatchedPtx ptx = patched(
        "ld.global.u32 %r1, [%rd1];\n$L1:\nld.global.u32 %r1, [%rd1];\n"
        "$L2:\nld.global.u32 %r1, [%rd1];\n@%p1 bra $L2;\n"
        "@%p1 bra $L1;\n");
    ASSERT_THAT(ptx.loops, SizeIs(2));
    EXPECT_EQ(ptx.loops[0].first, 11u);
    EXPECT_EQ(ptx.loops[0].end, 13u);
    EXPECT_EQ(ptx.loops[1].first, 12u);
    EXPECT_EQ(ptx.loops[1].end, 13u);
}

TEST(PtxPatch, ASumInARegisterIsRecordedAfterItsInstruction) {
    const PatchedPtx ptx = patched("fma.rn.f32 %f3, %f1, %f2, %f3;");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kMultiplyAdd);
    EXPECT_EQ(ptx.sites[0].width_bytes, 4);
    EXPECT_EQ(ptx.sites[0].value_words, 1);
    EXPECT_EQ(ptx.sites[0].following_rows(), 0u);
    EXPECT_EQ(ptx.sites[0].place.line, 7u);
    EXPECT_LT(ptx.text.find("fma.rn.f32"), ptx.text.find("call tilereel_gpu_sum"));
    EXPECT_THAT(ptx.text, HasSubstr("mov.b32 %tilereel_w0, %f3;"));
}

// The second fma continues the sum of the first in another register, as the trips of an unrolled
// loop do. The third belongs to a different sum.
TEST(PtxPatch, ASumThatMovesThroughRegistersIsOneSum) {
    const PatchedPtx ptx = patched(
        "fma.rn.f32 %f4, %f1, %f2, %f3;\nfma.rn.f32 %f5, %f1, %f2, %f4;\n"
        "fma.rn.f32 %f6, %f1, %f2, %f7;");
    ASSERT_THAT(ptx.sites, SizeIs(3));
    const std::string first = "[tilereel_p2], 2147483648;", second = "[tilereel_p2], 2147483649;";
    const std::size_t at = ptx.text.find(first), again = ptx.text.find(first, at + 1);
    EXPECT_NE(again, std::string::npos);
    EXPECT_GT(ptx.text.find(second), again);
}

// The address of the element identifies the sum.
TEST(PtxPatch, ASumInALocalArrayIsRecordedAfterItsStore) {
    const PatchedPtx ptx = patched(
        "mul.rn.f32 %f3, %f1, %f2;\nld.local.f32 %f4, [%rd1+8];\nadd.rn.f32 %f5, %f4, %f3;\n"
        "st.local.f32 [%rd1+8], %f5;");
    ASSERT_THAT(ptx.sites, SizeIs(1));
    EXPECT_LT(ptx.text.find("st.local.f32"), ptx.text.find("call tilereel_gpu_sum"));
    EXPECT_THAT(ptx.text, HasSubstr("add.s64 %tilereel_a, %rd1, 8;"));
}

TEST(PtxPatch, OnlyASumOfAProductIsRecorded) {
    EXPECT_THAT(patched("add.rn.f32 %f3, %f1, %f2;").sites, IsEmpty());
    EXPECT_THAT(patched("mul.rn.f32 %f3, %f1, %f2;\nmov.f32 %f4, %f3;").sites, IsEmpty());
    // First, %f3 is overwritten and no longer a product. Then a label follows: other paths may lead
    // there, so %f3 may be anything.
    EXPECT_THAT(patched("mul.rn.f32 %f3, %f1, %f2;\nadd.rn.f32 %f3, %f1, %f2;\n"
                        "add.rn.f32 %f4, %f1, %f3;")
                    .sites,
                IsEmpty());
    EXPECT_THAT(patched("mul.rn.f32 %f3, %f1, %f2;\n$L1:\nadd.rn.f32 %f4, %f1, %f3;").sites,
                IsEmpty());
}

TEST(PtxPatch, SharedArraysReportTheirAddresses) {
    const PatchedPtx ptx =
        patched(".shared .align 4 .b8 As[256];\nmov.u32 %r1, As;\nld.shared.f32 %f1, [%r1];");
    ASSERT_THAT(ptx.variables, SizeIs(1));
    EXPECT_EQ(ptx.variables[0].symbol, "As");
    EXPECT_EQ(ptx.variables[0].bytes, 256u);
    EXPECT_LT(ptx.text.find("call tilereel_gpu_place"), ptx.text.find("mov.u32 %r1, As;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p1], 41;"));  // site 10, in shared memory
}

TEST(PtxPatch, DynamicSharedMemoryHasNoSize) {
    const PatchedPtx ptx = patched_module(
        ".extern .shared .align 16 .b8 tile[];\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n"
        ".loc 1 1 1\nmov.u32 %r1, tile;\nret;\n}\n");
    ASSERT_THAT(ptx.variables, SizeIs(1));
    EXPECT_EQ(ptx.variables[0].bytes, 0u);
    EXPECT_THAT(ptx.text, HasSubstr("call tilereel_gpu_place"));
}

TEST(PtxPatch, AnAtomicIsRecordedAfterItsInstruction) {
    const PatchedPtx ptx = patched("atom.global.add.f32 %f1, [%rd1], %f2;");
    EXPECT_EQ(ptx.sites.at(0).operation, Operation::kAtomic);
    EXPECT_EQ(ptx.sites.at(0).variety, static_cast<std::uint8_t>(AtomicKind::kAdd));
    EXPECT_LT(ptx.text.find("atom.global.add.f32 %f1, [%rd1], %f2;"),
              ptx.text.find("call tilereel_gpu_atomic"));
}

TEST(PtxPatch, AReductionBecomesAnAtomicWithAnOldValue) {
    const PatchedPtx ptx = patched("@%p2 red.global.max.s32 [%rd1], %r2;");
    EXPECT_EQ(ptx.sites.at(0).variety, static_cast<std::uint8_t>(AtomicKind::kMaximum));
    EXPECT_THAT(ptx.text, HasSubstr("@%p2 atom.global.max.s32 %tilereel_old, [%rd1], %r2;"));
    EXPECT_THAT(ptx.text, Not(HasSubstr("red.global")));
}

TEST(PtxPatch, OnlyABarrierOfAllThreadsIsABlockBarrier) {
    EXPECT_EQ(patched("bar.sync 0;").sites.at(0).operation, Operation::kBarrier);
    EXPECT_EQ(patched("barrier.cta.red.popc.u32 %r1, 0, %p1;").sites.at(0).operation,
              Operation::kBarrier);
    EXPECT_EQ(patched("bar.warp.sync %r1;").sites.at(0).operation, Operation::kWarpBarrier);
    EXPECT_EQ(patched("barrier.sync 1;").sites.at(0).operation, Operation::kBarrier);
}

TEST(PtxPatch, AClusterIsRecorded) {
    // The wait is the barrier: threads arrive before.
    const PatchedPtx barrier =
        patched("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
    ASSERT_THAT(barrier.sites, SizeIs(1));
    EXPECT_EQ(barrier.sites[0].operation, Operation::kBarrier);
    EXPECT_EQ(barrier.sites[0].variety, static_cast<std::uint8_t>(BarrierKind::kCluster));
    EXPECT_LT(barrier.text.find("barrier.cluster.arrive"),
              barrier.text.find("call tilereel_gpu_event"));
    // Addresses in other blocks are passed as generic ones: space 3.
    const PatchedPtx others = patched(
        "mapa.shared::cluster.u32 %r2, %r1, %r3;\nld.shared::cluster.f32 %f1, [%r2+4];\n"
        "atom.add.shared::cluster.u32 %r4, [%r2], 1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];\n");
    ASSERT_THAT(others.sites, SizeIs(3));
    EXPECT_EQ(others.sites[0].operation, Operation::kLoad);
    EXPECT_EQ(others.sites[1].operation, Operation::kAtomic);
    EXPECT_EQ(others.sites[2].operation, Operation::kArrive);
    EXPECT_THAT(others.kernels.at(0).left_out, IsEmpty());
    EXPECT_THAT(others.text, HasSubstr("cvta.shared::cluster.u64 %tilereel_a, %tilereel_a;"));
    EXPECT_THAT(others.text, HasSubstr("[tilereel_p1], 43;"));  // site 10
    // The mask of a copy to several blocks.
    const PatchedPtx copy = patched(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
        "multicast::cluster [%r1], [%rd1, {%r2, %r3}], [%r4], %rs1;\n");
    ASSERT_THAT(copy.sites, SizeIs(1));
    EXPECT_THAT(copy.text, HasSubstr("mov.b16 %tilereel_m16, %rs1;"));
    EXPECT_THAT(copy.text, HasSubstr("[tilereel_p11], %tilereel_m;"));
}

TEST(PtxPatch, ABarrierOfSomeThreadsHasPhases) {
    const PatchedPtx ptx = patched("bar.sync %r1, 64;\nbar.arrive 2, 96;");
    ASSERT_THAT(ptx.sites, SizeIs(3));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kArrive);
    EXPECT_EQ(ptx.sites[1].operation, Operation::kWaitPhase);
    EXPECT_EQ(ptx.sites[2].operation, Operation::kArrive);
    EXPECT_LT(ptx.text.find("call tilereel_gpu_named"), ptx.text.find("bar.sync"));
    EXPECT_GT(ptx.text.find("call tilereel_gpu_named", ptx.text.find("bar.sync")),
              ptx.text.find("bar.sync"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p2], %r1;"));
    EXPECT_THAT(ptx.text, HasSubstr("[tilereel_p3], 96;"));
}

TEST(PtxPatch, AnAsynchronousCopyIsALoadAndAStore) {
    const PatchedPtx ptx = patched(
        "cp.async.ca.shared.global [%r1], [%rd1], 16;\n"
        "cp.async.commit_group;\ncp.async.wait_group 2;");
    ASSERT_THAT(ptx.sites, SizeIs(4));
    EXPECT_EQ(ptx.sites[0].operation, Operation::kCopyLoad);
    EXPECT_EQ(ptx.sites[1].operation, Operation::kCopyStore);
    EXPECT_EQ(ptx.sites[1].width_bytes, 16);
    EXPECT_EQ(ptx.sites[1].value_words, 4);
    EXPECT_EQ(ptx.sites[2].operation, Operation::kCommitCopies);
    EXPECT_EQ(ptx.sites[3].operation, Operation::kWaitCopies);
    EXPECT_EQ(ptx.sites[3].base, 2u);
}

TEST(PtxPatch, UnrecordedInstructionsAreReportedOncePerLine) {
    const PatchedPtx ptx = patched(
        "sust.b.1d.b32.trap [surface, {%r1}], {%r2};\n"
        "sust.b.1d.b32.trap [surface, {%r1}], {%r3};");
    ASSERT_THAT(ptx.kernels.at(0).left_out, SizeIs(1));
    EXPECT_EQ(ptx.kernels[0].left_out[0].instruction, "sust");
    EXPECT_FALSE(ptx.kernels[0].left_out[0].synchronizes());
}

TEST(PtxPatch, InlinedHeaderCodeHasTheLineOfItsCaller) {
    const PatchedPtx ptx = patched(
        ".loc 2 90 1, function_name $L0, inlined_at 1 20 9\n"
        ".loc 2 50 3, function_name $L1, inlined_at 2 90 1\n"
        "ld.global.f32 %f1, [%rd1];");
    EXPECT_EQ(ptx.files[ptx.sites.at(0).place.file], "/home/a.cu");
    EXPECT_EQ(ptx.sites[0].place.line, 20u);
    EXPECT_FALSE(ptx.sites[0].place.in_library);
}

TEST(PtxPatch, AUsersInlinedFunctionKeepsItsOwnLine) {
    const PatchedPtx ptx = patched(
        ".loc 1 3 1, function_name $L0, inlined_at 1 20 9\n"
        "ld.global.f32 %f1, [%rd1];");
    EXPECT_EQ(ptx.sites.at(0).place.line, 3u);
}

// The PTX of nvcc for atomicAdd() at -O1, shortened.
constexpr const char* kHeaderFunction =
    ".func (.param .b32 r) add(.param .b64 a, .param .b32 b)\n{\n.reg .b32 %r<3>;\n"
    ".reg .b64 %rd<3>;\n.loc 2 5 1\natom.add.u32 %r1, [%rd1], %r2;\nret;\n}\n";
constexpr const char* kCaller =
    ".visible .entry k()\n{\n.reg .b64 %rd<3>;\n.loc 1 33 4\n{\n.param .b64 x;\n.param .b32 y;\n"
    ".param .b32 z;\ncall.uni (z), add, (x, y);\n}\nret;\n}\n";

TEST(PtxPatch, AFunctionOfAHeaderGetsItsCaller) {
    const PatchedPtx ptx = patched_module(std::string(kHeaderFunction) + kCaller);
    ASSERT_THAT(ptx.sites, SizeIs(2));
    EXPECT_TRUE(ptx.sites[0].place.in_library);
    EXPECT_TRUE(ptx.sites[1].is_call);
    EXPECT_EQ(ptx.sites[1].place.line, 33u);
    EXPECT_THAT(ptx.text, HasSubstr(".param .b32 b, .param .b32 tilereel_caller)"));
    EXPECT_THAT(ptx.text, HasSubstr("call.uni (z), add, (x, y, tilereel_c0);"));
    EXPECT_THAT(ptx.text, HasSubstr("st.param.b32 [tilereel_c0], 1;"));  // the first path
    EXPECT_THAT(ptx.text, HasSubstr("ld.param.b32 %tilereel_caller, [tilereel_caller];"));
}

// Each path of calls has a number: k calls f twice, f calls add twice, k calls add itself.
TEST(PtxPatch, AFunctionGetsTheNumberOfThePathThatLedToIt) {
    const auto call = [](std::string_view target) {
        return "{\n.param .b32 z;\ncall.uni (z), " + std::string(target) + ", (x, y);\n}\n";
    };
    const PatchedPtx ptx =
        patched_module(kHeaderFunction +
                       (".func (.param .b32 r) f(.param .b64 a, .param .b32 b)\n{\n.loc 1 8 3\n" +
                        call("add") + call("add") + "ret;\n}\n") +
                       ".visible .entry k()\n{\n.loc 1 33 4\n" + call("f") + call("add") +
                       call("f") + "ret;\n}\n");
    ASSERT_THAT(ptx.functions, SizeIs(3));
    const auto callers = [&](std::size_t function) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
        for (const PtxCallSite& each : ptx.functions[function].callers)
            all.emplace_back(each.offset, each.site);
        return all;
    };
    using Callers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    // Sites are numbered from 10 on: the atomic, two calls in f, three in k.
    EXPECT_EQ(callers(0), (Callers{{0, 11}, {2, 12}, {4, 14}}));
    EXPECT_EQ(callers(1), (Callers{{0, 13}, {1, 15}}));
    EXPECT_EQ(callers(2), Callers{});
    EXPECT_THAT(ptx.text, HasSubstr("add.u32 %tilereel_c1, %tilereel_caller, 2;"));
    EXPECT_THAT(ptx.text, HasSubstr("st.param.b32 [tilereel_c1], %tilereel_c1;"));
    EXPECT_THAT(ptx.text, HasSubstr("st.param.b32 [tilereel_c3], 5;"));
}

TEST(PtxPatch, AFunctionThatCallsItselfIsNotChanged) {
    const PatchedPtx ptx = patched_module(
        ".func g()\n;\n.func f()\n{\n.loc 1 8 3\ncall.uni g;\nret;\n}\n"
        ".func g()\n{\n.loc 1 9 3\ncall.uni f;\nret;\n}\n"
        ".visible .entry k()\n{\n.loc 1 33 4\ncall.uni f;\nret;\n}\n");
    EXPECT_THAT(ptx.text, Not(HasSubstr("tilereel_caller")));
}

// Each function calls the one before it twice: 4,096 paths lead to f1, and twice as many to f0.
TEST(PtxPatch, AFunctionWithTooManyPathsIsNotChanged) {
    std::string text = ".func f0()\n{\n.loc 1 8 3\nret;\n}\n";
    for (int i = 1; i <= 13; ++i) {
        const std::string call = "call.uni f" + std::to_string(i - 1) + ";\n";
        text += ".func f" + std::to_string(i) + "()\n{\n.loc 1 9 3\n" + call + call + "ret;\n}\n";
    }
    const PatchedPtx ptx =
        patched_module(text + ".visible .entry k()\n{\n.loc 1 33 4\ncall.uni f13;\nret;\n}\n");
    EXPECT_THAT(ptx.text, HasSubstr(".func f1(.param .b32 tilereel_caller)"));
    EXPECT_THAT(ptx.text, HasSubstr(".func f0()"));
}

TEST(PtxPatch, AFunctionWhoseAddressIsTakenIsNotChanged) {
    const PatchedPtx ptx = patched_module(
        std::string(kHeaderFunction) +
        ".visible .entry k()\n{\n.reg .b64 %rd<3>;\n.loc 1 33 4\nmov.u64 %rd1, add;\nret;\n}\n");
    EXPECT_THAT(ptx.text, Not(HasSubstr("tilereel_caller")));
}

TEST(PtxPatch, PrintfIsSilentInThePassThatCounts) {
    const PatchedPtx ptx = patched("{\n.param .b32 z;\ncall.uni (z), vprintf, (x, y);\n}");
    EXPECT_THAT(ptx.text, HasSubstr("call (tilereel_r), tilereel_gpu_prints;"));
    EXPECT_THAT(ptx.text, HasSubstr("@%tilereel_print0 call (z), vprintf, (x, y);"));
}

TEST(PtxPatch, TheRecorderBecomesPartOfTheModule) {
    const PatchedPtx ptx = patch_ptx(std::string(kHead) + ".visible .entry k()\n{\nret;\n}\n",
                                     std::string(kHead) + ".func f()\n{\nret;\n}\n", {}, {});
    EXPECT_LT(ptx.text.find(".address_size 64"), ptx.text.find(".func f()"));
    EXPECT_LT(ptx.text.find(".func f()"), ptx.text.find(".entry k()"));
    EXPECT_EQ(ptx.text.find(".version"), ptx.text.rfind(".version"));
}

TEST(PtxPatch, AKernelsParametersHaveSizes) {
    const PatchedPtx ptx = patched_module(
        ".visible .entry k(\n.param .u64 .ptr .global .align 4 a,\n.param .align 8 .b8 b[24],\n"
        ".param .u8 c,\n.param .f64 d\n)\n{\nret;\n}\n");
    ASSERT_THAT(ptx.kernels, SizeIs(1));
    EXPECT_EQ(ptx.kernels[0].symbol, "k");
    EXPECT_THAT(ptx.kernels[0].parameter_bytes, ElementsAre(8u, 24u, 1u, 8u));
}

}  // namespace
}  // namespace tilereel::gpu::ptx_patch_test
