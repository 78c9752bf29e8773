#pragma once
// Blocks of two warps, written by hand in the format of the GPU's recorder, and their trace.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "instrumentation/gpu/convert/gpu_trace.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/check/trace_check.h"

namespace tilereel::gpu {

using tilereel_gpu::DeviceRecord;
using tilereel_gpu::DumpHeader;
using tilereel_gpu::DumpRegion;
using tilereel_gpu::kInSharedMemory;

constexpr std::uint64_t kArray = 0x7f00'0000'0000;  // address of A, which has 64 floats
constexpr std::uint32_t kAll = 0xffffffff;
enum SiteNumber : std::uint32_t {
    kLoadA,
    kStoreShared,
    kBarrierSite,
    kHeaderLoad,
    kCallSite,
    kSum,
    kDoubleSum,
    kOtherBarrierSite
};

// The values of a store, and the upper halves of 8-byte sums, follow as further records, of which
// only the words count (DeviceRecord).
struct Written {
    std::vector<DeviceRecord> records[2];  // by warp
    std::vector<std::array<std::uint32_t, 32>> words[2];
    std::uint64_t lost[2] = {0, 0};  // records for which there was no room

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

inline GpuFacts facts_of_test() {
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
    site(Operation::kBarrier, 15, 0);
    facts.functions = {
        {kLoadA, kHeaderLoad, {}}, {kHeaderLoad, kCallSite, {{0, kCallSite}}}, {kCallSite, 8, {}}};
    facts.loops = {{0, 1}};
    facts.variables = {{.symbol = "tile_symbol", .is_shared = true, .bytes = 256}};
    DebugType tile{.name = "float",
                   .bytes = 256,
                   .element_bytes = 4,
                   .align_bytes = 4,
                   .scalar = runtime::Scalar::kFloating,
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
                      .scalar = runtime::Scalar::kFloating,
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

// Where written blocks lie: `first` and those that follow it.
struct WrittenGrid {
    Dim3 grid, cluster;
    std::uint32_t first = 0;
    // Blocks from number 2 on, which are a cluster.
    [[nodiscard]] static WrittenGrid of_one_cluster(std::size_t blocks) {
        return {{4, 1, 1}, {static_cast<std::uint32_t>(blocks), 1, 1}, 2};
    }
};

class Dump {
  public:
    Dump(const std::vector<Written>& blocks, const WrittenGrid& grid)
        : folder_(program::temporary_folder().value()) {
        std::ofstream file(path(), std::ios::binary);
        const auto put = [&](const void* from, std::size_t bytes) {
            file.write(static_cast<const char*>(from), static_cast<std::streamsize>(bytes));
            file.write("\0\0\0\0\0\0\0", static_cast<std::streamsize>((8 - bytes % 8) % 8));
        };
        std::vector<std::uint32_t> chosen, multiprocessors;
        std::vector<std::uint64_t> begin = {0}, counts;
        std::vector<DeviceRecord> records;
        std::vector<std::array<std::uint32_t, 32>> words;
        for (const Written& written : blocks) {
            chosen.push_back(grid.first + static_cast<std::uint32_t>(chosen.size()));
            for (const unsigned warp : {0u, 1u}) {
                const auto& of_warp = written.records[warp];
                records.insert(records.end(), of_warp.begin(), of_warp.end());
                words.insert(words.end(), written.words[warp].begin(), written.words[warp].end());
                begin.push_back(records.size());
                counts.push_back(of_warp.size() + written.lost[warp]);
                multiprocessors.push_back(5);
            }
        }
        DumpHeader header{};
        std::memcpy(header.magic, tilereel_gpu::kDumpMagic, 8);
        const auto copy = [](const Dim3& from, std::uint32_t(&to)[3]) {
            to[0] = from.x, to[1] = from.y, to[2] = from.z;
        };
        copy(grid.grid, header.grid);
        copy({64, 1, 1}, header.block);
        copy(grid.cluster, header.cluster);
        header.shared_bytes = 512;
        header.blocks = blocks.size();
        header.records = records.size();
        header.variables = 1;
        header.regions = 1;
        header.kernel_bytes = 8;
        header.device_bytes = 4;
        header.parameter_count = 1;
        header.content_bytes = 8 + 512;
        put(&header, sizeof header);
        put(chosen.data(), chosen.size() * 4);
        put(begin.data(), begin.size() * 8);
        put(counts.data(), counts.size() * 8);
        put(multiprocessors.data(), multiprocessors.size() * 4);
        put(records.data(), records.size() * sizeof(DeviceRecord));
        put(words.data(), words.size() * 128);
        const std::uint64_t place = 64 + 1;  // tile's address + 1
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

inline Trace converted(const std::vector<Written>& blocks, const GpuFacts& facts,
                       const WrittenGrid& grid) {
    const Dump dump(blocks, grid);
    std::uint64_t lost = 0;
    for (const Written& written : blocks) lost += written.lost[0] + written.lost[1];
    const bool whole = lost == 0;
    Result<Trace> trace = gpu_trace(
        {.number = 0, .whole = whole, .dump = dump.path(), .file = "/nowhere/a.cu"}, facts);
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    const Status sound = check_trace(*trace);
    EXPECT_TRUE(sound) << (sound ? "" : sound.error().message);
    return std::move(trace).value();
}

inline Trace converted(const std::vector<Written>& blocks,
                       const GpuFacts& facts = facts_of_test()) {
    return converted(blocks, facts, WrittenGrid::of_one_cluster(blocks.size()));
}

inline Trace converted(const Written& written, const GpuFacts& facts = facts_of_test()) {
    return converted(std::vector<Written>{written}, facts);
}

inline std::uint32_t mask_of(const Trace& trace, std::size_t record) {
    return trace.patterns[trace.records.pattern[record]].mask;
}

}  // namespace tilereel::gpu
