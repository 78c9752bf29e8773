#include "instrumentation/plain/gpu/gpu_trace.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "instrumentation/plain/gpu/dump.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/trace/trace_check.h"

namespace tilereel::plain::gpu_trace_test::gpu_trace_test {
namespace {

using tilereel_gpu::DeviceRecord;
using tilereel_gpu::DumpHeader;
using tilereel_gpu::DumpRegion;
using tilereel_gpu::kInSharedMemory;

constexpr std::uint64_t kArray = 0x7f00'0000'0000;  // 64 floats
constexpr std::uint32_t kAll = 0xffffffff;
enum SiteNumber : std::uint32_t {
    kLoadA,
    kStoreShared,
    kBarrierSite,
    kHeaderLoad,
    kCallSite,
    kSum,
    kDoubleSum
};

// One block of two warps in the format of the GPU's recorder.
struct Written {
    std::vector<DeviceRecord> records[2];  // by warp
    std::vector<std::array<std::uint32_t, 32>> words[2];

    void add(unsigned warp, std::uint32_t site, std::uint32_t mask, std::uint32_t high,
             std::uint32_t base, std::uint32_t step, std::uint32_t caller = 0) {
        records[warp].push_back({site, caller, mask, high, 100 + records[warp].size()});
        auto& row = words[warp].emplace_back();
        for (std::uint32_t lane = 0; lane < 32; ++lane) row[lane] = base + lane * step;
    }
    void load(unsigned warp, std::uint32_t mask, std::uint32_t site = kLoadA,
              std::uint32_t caller = 0) {
        add(warp, site, mask, kArray >> 32, static_cast<std::uint32_t>(kArray), 4, caller);
    }
    void store_shared(unsigned warp, std::uint32_t mask, std::uint32_t value) {
        add(warp, kStoreShared, mask, kInSharedMemory, 64, 4);
        add(warp, 0, 0, 0, value, 1);
    }
    void sum(unsigned warp, std::uint32_t mask, std::uint32_t which, std::uint32_t value) {
        add(warp, kSum, mask, which, value, 1);
    }
    void double_sum(unsigned warp, std::uint32_t mask, std::uint32_t low, std::uint32_t high) {
        add(warp, kDoubleSum, mask, 0, low, 1);
        add(warp, 0, 0, 0, high, 0);
    }
    void barrier(unsigned warp, std::uint32_t mask) { add(warp, kBarrierSite, mask, 0, 0, 0); }
};

GpuFacts facts_of_test() {
    GpuFacts facts;
    facts.compiler = "nvcc 13.0";
    facts.files = {"", "/nowhere/a.cu", "/nowhere/header.h"};
    const auto site = [&](Operation operation, std::uint32_t line, unsigned words) {
        PtxSite made;
        made.operation = operation;
        made.width_bytes = 4;
        made.value_words = static_cast<std::uint8_t>(words);
        made.place = {.file = 1, .line = line, .column = 3, .in_library = false};
        facts.sites.push_back(made);
    };
    site(Operation::kLoad, 10, 0);
    site(Operation::kStore, 11, 1);
    site(Operation::kBarrier, 12, 0);
    site(Operation::kLoad, 90, 0);
    facts.sites.back().place = {.file = 2, .line = 90, .column = 1, .in_library = true};
    site(Operation::kLoad, 33, 0);
    facts.sites.back().is_call = true;
    site(Operation::kMultiplyAdd, 13, 1);
    site(Operation::kMultiplyAdd, 14, 2);
    facts.sites.back().width_bytes = 8;
    facts.loops = {{0, 1}};
    facts.variables = {{.symbol = "tile_symbol", .is_shared = true, .bytes = 256}};
    DebugType tile{.name = "float",
                   .bytes = 256,
                   .element_bytes = 4,
                   .align_bytes = 4,
                   .scalar = Scalar::kFloating,
                   .scalar_bytes = 4,
                   .extents = {8, 8},
                   .extent_count = 2,
                   .is_structure = false,
                   .members = {}};
    facts.names["tile_symbol"] = {"tile", tile};
    DebugType element{.name = "float",
                      .bytes = 4,
                      .element_bytes = 4,
                      .align_bytes = 4,
                      .scalar = Scalar::kFloating,
                      .scalar_bytes = 4,
                      .extents = {},
                      .extent_count = 0,
                      .is_structure = false,
                      .members = {}};
    facts.kernels["k_symbol"] = {
        .name = "k",
        .file = {},
        .line = 1,
        .parameters = {{.name = "A", .type = {}, .is_pointer = true, .target = element}}};
    return facts;
}

class Dump {
  public:
    explicit Dump(const Written& written, std::uint64_t cut = 0)
        : folder_(temporary_folder().value()) {
        std::ofstream file(path(), std::ios::binary);
        const auto put = [&](const void* from, std::size_t bytes) {
            file.write(static_cast<const char*>(from), static_cast<std::streamsize>(bytes));
            file.write("\0\0\0\0\0\0\0", static_cast<std::streamsize>((8 - bytes % 8) % 8));
        };
        const std::uint64_t first = written.records[0].size(), second = written.records[1].size();
        DumpHeader header{};
        std::memcpy(header.magic, tilereel_gpu::kDumpMagic, 8);
        const std::uint32_t grid[3] = {4, 1, 1}, block[3] = {64, 1, 1};
        std::memcpy(header.grid, grid, sizeof grid);
        std::memcpy(header.block, block, sizeof block);
        header.shared_bytes = 512;
        header.blocks = 1;
        header.records = first + second;
        header.variables = 1;
        header.regions = 1;
        header.kernel_bytes = 8;
        header.device_bytes = 4;
        header.parameter_count = 1;
        header.content_bytes = 8 + 512;
        put(&header, sizeof header);
        const std::uint32_t chosen = 2;
        put(&chosen, 4);
        const std::uint64_t begin[3] = {0, first, first + second};
        put(begin, sizeof begin);
        const std::uint64_t counts[2] = {first, second + cut};
        put(counts, sizeof counts);
        const std::uint32_t multiprocessors[2] = {5, 5};
        put(multiprocessors, sizeof multiprocessors);
        std::vector<DeviceRecord> records = written.records[0];
        records.insert(records.end(), written.records[1].begin(), written.records[1].end());
        put(records.data(), records.size() * sizeof(DeviceRecord));
        auto words = written.words[0];
        words.insert(words.end(), written.words[1].begin(), written.words[1].end());
        put(words.data(), words.size() * 128);
        const std::uint64_t place = 64 + 1;  // tile lies at byte 64
        put(&place, 8);
        const DumpRegion region{kArray, 256, 8, 8 + 256, 0, 0};
        put(&region, sizeof region);
        put("k_symbol", 8);
        put("H100", 4);
        put(&kArray, 8);
        const std::vector<float> content(130, 1.5f);
        put(content.data(), 8 + 512);
    }
    [[nodiscard]] std::filesystem::path path() const { return *folder_ / "launch_0.gpu"; }

  private:
    std::shared_ptr<const std::filesystem::path> folder_;
};

Trace converted(const Written& written) {
    const Dump dump(written);
    Result<Trace> trace =
        gpu_trace({.number = 0, .whole = true, .dump = dump.path(), .file = "/nowhere/a.cu"},
                  facts_of_test());
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    const Status sound = check_trace(*trace);
    EXPECT_TRUE(sound) << (sound ? "" : sound.error().message);
    return std::move(trace).value();
}

std::uint32_t mask_of(const Trace& trace, std::size_t record) {
    return trace.patterns[trace.records.pattern[record]].mask;
}
const tilereel::Site& site_at(const Trace& trace, std::size_t record) {
    return trace.sites[site_of(trace, record)];
}

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

// Diverged lanes that add to the same sum are joined; lanes that add to different sums are not.
TEST(GpuTrace, DivergedLanesAddToTheSameSumTogether) {
    Written written;
    written.sum(0, 0x0000ffff, 16, 100);
    written.sum(0, 0xffff0000, 16, 100);
    written.sum(0, 0x0000ffff, 20, 200);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(trace.words[31], 131u);
    EXPECT_EQ(mask_of(trace, 1), 0x0000ffffu);
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

TEST(GpuTrace, LanesMayReachABarrierOneAfterAnother) {
    Written written;
    written.barrier(0, 0x0000ffff);
    written.load(0, 0xffff0000);
    written.barrier(0, 0xffff0000);
    written.load(0, kAll);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    EXPECT_EQ(mask_of(trace, 0), 0xffff0000u);
    EXPECT_EQ(site_at(trace, 1).operation, Operation::kBarrier);
    EXPECT_EQ(mask_of(trace, 1), kAll);
    EXPECT_EQ(trace.segments.epoch, (std::vector<std::uint32_t>{0, 1}));
}

TEST(GpuTrace, DivergedLanesThatDoTheSameAreJoined) {
    Written written;
    written.load(0, 0x55555555);
    written.store_shared(0, 0x55555555, 7);
    written.load(0, 0xaaaaaaaa);
    written.store_shared(0, 0xaaaaaaaa, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(mask_of(trace, 1), kAll);
    EXPECT_EQ(trace.words[31], 7u + 31);
    // The clocks are those of the lanes that ran first.
    EXPECT_EQ(trace.records.clock, (std::vector<std::uint64_t>{100, 101}));
}

TEST(GpuTrace, IterationsOfALoopAreNotMixed) {
    Written written;  // site 0 is in a loop; half of the lanes do it twice
    written.load(0, 0x0000ffff);
    written.load(0, 0x0000ffff);
    written.load(0, 0xffff0000);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(mask_of(trace, 1), 0x0000ffffu);
}

// With the recorder's call, lanes in different iterations may execute one instruction together.
TEST(GpuTrace, LanesThatMeetInDifferentIterationsAreNotJoined) {
    Written written;  // site 0 is in a loop, site 1 behind it
    written.load(0, 0x55555555);
    written.load(0, kAll);
    written.load(0, 0xaaaaaaaa);
    written.store_shared(0, kAll, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(mask_of(trace, i), kAll) << i;
    EXPECT_EQ(trace.records.clock, (std::vector<std::uint64_t>{100, 101, 103}));
}

TEST(GpuTrace, LanesThatMeetInTheSameIterationAreJoinedFromThere) {
    Written written;
    written.load(0, 0x55555555);
    written.load(0, 0xaaaaaaaa);
    written.load(0, kAll);
    written.store_shared(0, 0x55555555, 7);
    written.store_shared(0, 0xaaaaaaaa, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(mask_of(trace, i), kAll) << i;
    EXPECT_EQ(trace.words[31], 7u + 31);
}

TEST(GpuTrace, AnAccessOfAHeadersFunctionHasTheLineOfTheCall) {
    Written written;
    written.load(0, kAll, kHeaderLoad, kCallSite + 1);
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

TEST(GpuTrace, AFileThatIsCutOffIsRefused) {
    Written written;
    written.load(0, kAll);
    const Dump dump(written);
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
}  // namespace tilereel::plain::gpu_trace_test::gpu_trace_test
