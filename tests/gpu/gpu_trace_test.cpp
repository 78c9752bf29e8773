// The records that a kernel wrote on a GPU become a trace: arrays, sums, epochs, lines, findings.
#include "instrumentation/gpu/convert/gpu_trace.h"

#include <gtest/gtest.h>

#include "instrumentation/trace/fragments/warp_product.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"
#include "instrumentation/trace/stopped_warps.h"
#include "tests/gpu/written_records.h"

namespace tilereel::gpu::gpu_trace_test {
namespace {

TEST(GpuTrace, RecordsBecomeAccessesOfNamedArrays) {
    Written written;
    written.load(0, kAll);
    written.store_shared(0, kAll, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.arrays.size(), 2u);
    EXPECT_EQ(trace.arrays[0].name, "A");
    EXPECT_EQ(trace.arrays[0].type, ElementType::kFloat32);
    EXPECT_EQ(trace.arrays[0].first_bytes.size(), 256u);
    EXPECT_EQ(trace.arrays[1].name, "tile");
    EXPECT_EQ(trace.arrays[1].extents(), (std::vector<std::uint32_t>{8, 8}));
    EXPECT_EQ(trace.arrays[1].base_bytes, 64u);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(trace.records.base[0], 0u);
    EXPECT_EQ(trace.records.base[1], 64u);
    EXPECT_EQ(site_at(trace, 0).line, 10u);
    EXPECT_EQ(trace.words.size(), 32u);
    EXPECT_EQ(trace.words[31], 7u + 31);
    EXPECT_EQ(trace.recorded_by.recorder, "gpu");
    EXPECT_EQ(trace.recorded_by.device, "H100");
    EXPECT_EQ(trace.chosen_blocks, std::vector<std::uint32_t>{2});
    EXPECT_EQ(trace.multiprocessors, (std::vector<std::uint16_t>{0xffff, 0xffff, 5, 0xffff}));
}

TEST(GpuTrace, TheWarpsWhoseRecordsAreCutOffAreKnown) {
    Written written;
    written.load(0, kAll);
    written.load(1, kAll);
    EXPECT_EQ(converted(written).warp_stops, std::nullopt);
    written.lost[1] = 3;
    const Trace trace = converted(written);
    EXPECT_FALSE(trace.complete);
    EXPECT_EQ(stops_text(trace, 2), "warp 0: done; warp 1: up to line 10");
}

TEST(GpuTrace, SumsInArraysAreNumberedByOffsetBeforeOtherSums) {
    Written written;
    written.sum(0, kAll, 0x80000005, 100);
    written.sum(0, kAll, 52, 200);
    written.sum(1, kAll, 48, 300);
    written.sum(1, kAll, 0x80000005, 400);
    written.load(1, kAll);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 5u);
    EXPECT_EQ(site_at(trace, 0).operation, Operation::kMultiplyAdd);
    EXPECT_EQ(trace.records.base[0], 2u);
    EXPECT_EQ(trace.records.base[1], 1u);
    EXPECT_EQ(trace.records.base[2], 0u);
    EXPECT_EQ(trace.records.base[3], 2u);
    EXPECT_EQ(trace.accumulators, 3u);
    ASSERT_EQ(trace.words.size(), 4u * 32);
    EXPECT_EQ(trace.words[0], 100u);
    EXPECT_EQ(trace.words[32 + 31], 231u);
    EXPECT_EQ(site_at(trace, 4).operation, Operation::kLoad);
}

TEST(GpuTrace, ManySumsAreNumberedInOrder) {
    Written written;
    for (std::uint32_t i = 0; i < 100; ++i) written.sum(0, kAll, 400 - 4 * i, i);
    for (std::uint32_t i = 0; i < 100; ++i) written.sum(0, kAll, 0x80000000 | (3 * i), i);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 200u);
    EXPECT_EQ(trace.accumulators, 200u);
    for (std::uint32_t i = 0; i < 100; ++i) {
        EXPECT_EQ(trace.records.base[i], 99 - i);
        EXPECT_EQ(trace.records.base[100 + i], 100 + i);
    }
}

TEST(GpuTrace, ASumOfDoublesHasTwoWords) {
    Written written;
    written.double_sum(0, kAll, 100, 7);
    written.load(0, kAll);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(site_at(trace, 0).width_bytes, 8);
    ASSERT_EQ(trace.words.size(), 64u);
    EXPECT_EQ(trace.words[0] + trace.words[1], 107u);
    EXPECT_EQ(site_at(trace, 1).operation, Operation::kLoad);
}

// m8n8k4 with doubles: 2 registers of A, 2 of B, 4 of D; the first is in the record's own row. The
// lanes came one half after the other.
TEST(GpuTrace, AProductHasTheRegistersOfAllLanes) {
    GpuFacts facts = facts_of_test();
    PtxSite& site = facts.sites[kSum];
    site = {};
    site.operation = Operation::kMatrixProduct;
    site.place = {.file = 1, .line = 13, .column = 3, .in_library = false};
    const WarpProduct product =
        *find_warp_product("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64");
    site.base = product.code();
    site.value_words = 8;
    site.width_bytes = 32;
    Written written;
    for (const std::uint32_t half : {0x0000ffffu, 0xffff0000u}) {
        written.add(0, kSum, half, 0, 0, 1);
        for (std::uint32_t word = 1; word < 8; ++word) written.add(0, 0, 0, 0, 100 * word, 1);
    }
    written.load(0, kAll);
    const Trace trace = converted(written, facts);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(site_at(trace, 0).operation, Operation::kMatrixProduct);
    EXPECT_EQ(site_at(trace, 0).width_bytes, 32);
    EXPECT_EQ(trace.records.base[0], product.code());
    EXPECT_EQ(mask_of(trace, 0), kAll);
    ASSERT_EQ(trace.words.size(), 8u * 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t word = 0; word < 8; ++word)
            EXPECT_EQ(trace.words[8 * lane + word], 100 * word + lane);
}

// Of a warpgroup's product the descriptors are kept, and which of its groups a warp waits for.
TEST(GpuTrace, AProductOfAWarpgroupHasItsDescriptorsAndGroups) {
    GpuFacts facts = facts_of_test();
    const auto set = [&facts](std::uint32_t number, Operation operation) -> PtxSite& {
        PtxSite& site = facts.sites[number];
        const PtxPlace place = facts.sites[kSum].place;
        site = {};
        site.operation = operation;
        site.place = place;
        return site;
    };
    const WarpgroupProduct product =
        *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
    set(kStoreShared, Operation::kCommitProducts);
    set(kDoubleSum, Operation::kWaitProducts).base = 1;
    PtxSite& site = set(kSum, Operation::kMatrixProduct);
    site.base = product.code();
    site.value_words = WarpgroupOperands::kWords;
    site.width_bytes = 4 * WarpgroupOperands::kWords;
    site.variety = 4;  // B is MN-major
    Written written;
    written.add(0, kSum, kAll, 0, 11, 0);
    for (std::uint32_t word = 1; word < 4; ++word) written.add(0, 0, 0, 0, 11 + word, 0);
    written.add(0, kStoreShared, kAll, 0, 0, 0);
    written.add(0, kDoubleSum, kAll, 0, 0, 0);
    const Trace trace = converted(written, facts);
    ASSERT_EQ(trace.records.size(), 3u);
    EXPECT_EQ(trace.records.base, (std::vector<std::uint32_t>{product.code(), 0, 1}));
    EXPECT_EQ(site_at(trace, 1).operation, Operation::kCommitProducts);
    EXPECT_EQ(site_at(trace, 2).operation, Operation::kWaitProducts);
    ASSERT_EQ(trace.words.size(), 4u * 32);
    const auto operands =
        WarpgroupOperands::of(site_at(trace, 0).variety, std::span(trace.words).first<4>());
    EXPECT_EQ(operands.a_descriptor, 11 | std::uint64_t{12} << 32);
    EXPECT_EQ(operands.b_descriptor, 13 | std::uint64_t{14} << 32);
    EXPECT_EQ(operands.b_major, MajorDimension::kMN);
}

TEST(GpuTrace, ABarrierEndsTheEpochOfEachWarp) {
    Written written;
    for (unsigned warp = 0; warp < 2; ++warp) {
        written.load(warp, kAll);
        written.barrier(warp, kAll);
        written.load(warp, kAll);
    }
    const Trace trace = converted(written);
    EXPECT_EQ(trace.segments.epoch, (std::vector<std::uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(trace.segments.warp, (std::vector<std::uint16_t>{0, 1, 0, 1}));
    EXPECT_EQ(trace.segments.record_begin, (std::vector<std::uint64_t>{0, 2, 4, 5, 6}));
}

TEST(GpuTrace, AnAccessOfAHeadersFunctionHasTheLineOfTheCall) {
    Written written;
    written.load(0, kAll, kHeaderLoad, 1);
    const Trace trace = converted(written);
    EXPECT_EQ(site_at(trace, 0).line, 33u);
    EXPECT_EQ(site_at(trace, 0).file, 0u);
}

TEST(GpuTrace, AccessesOfUnknownMemoryAreAFinding) {
    Written written;
    written.add(0, kLoadA, kAll, 0x1234, 0, 4);
    written.load(0, kAll);
    const Trace trace = converted(written);
    EXPECT_EQ(trace.records.size(), 1u);
    ASSERT_EQ(trace.findings.size(), 1u);
    EXPECT_EQ(trace.findings[0].line, 10u);
    EXPECT_EQ(trace.findings[0].count, 32u);
}

TEST(GpuTrace, LanesBeyondTheEndOfAnArrayAreLeftOut) {
    Written written;
    written.add(0, kLoadA, kAll, kArray >> 32, static_cast<std::uint32_t>(kArray) + 128 + 64, 4);
    const Trace trace = converted(written);  // 16 of 32 lanes lie within the 256 bytes
    ASSERT_EQ(trace.records.size(), 1u);
    EXPECT_EQ(mask_of(trace, 0), 0x0000ffffu);
    EXPECT_EQ(trace.findings.at(0).count, 16u);
}

// The access before has the same pattern, but lies within the array.
TEST(GpuTrace, LanesBeyondTheEndAreLeftOutOfARepeatedAccess) {
    Written written;
    written.load(0, kAll);
    written.add(0, kLoadA, kAll, kArray >> 32, static_cast<std::uint32_t>(kArray) + 128 + 64, 4);
    written.add(0, kLoadA, kAll, kArray >> 32, static_cast<std::uint32_t>(kArray) + 128, 4);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(mask_of(trace, 1), 0x0000ffffu);
    EXPECT_EQ(mask_of(trace, 2), kAll);
    EXPECT_EQ(trace.records.base, (std::vector<std::uint32_t>{0, 192, 128}));
    EXPECT_EQ(trace.findings.at(0).count, 16u);
}

// A site whose pointer points to one array, then to another.
TEST(GpuTrace, ASiteMayAccessSeveralArrays) {
    Written written;
    for (int i = 0; i < 2; ++i) {
        written.load(0, kAll);
        written.add(0, kLoadA, kAll, kInSharedMemory, 64, 4);
    }
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(trace.arrays.at(site_at(trace, i).array).name, i % 2 == 0 ? "A" : "tile") << i;
}

TEST(GpuTrace, AFileThatIsCutOffIsRefused) {
    Written written;
    written.load(0, kAll);
    const Dump dump({written}, WrittenGrid::of_one_cluster(1));
    std::filesystem::resize_file(dump.path(), std::filesystem::file_size(dump.path()) - 100);
    EXPECT_FALSE(
        gpu_trace({.number = 0, .whole = true, .dump = dump.path(), .file = "/nowhere/a.cu"},
                  facts_of_test()));
}

TEST(KernelName, IsThatOfTheSource) {
    EXPECT_EQ(kernel_name("_Z5tiledILi8ELi0EEvPKfS1_Pfiii"), "tiled<8, 0>");
    EXPECT_EQ(kernel_name("_Z9in_globalPKiPii"), "in_global");
    EXPECT_EQ(kernel_name("plain_c_name"), "plain_c_name");
}

}  // namespace
}  // namespace tilereel::gpu::gpu_trace_test
