// Compares recordings with the kernels' index arithmetic.
#include <gtest/gtest.h>

#include <set>

#include "instrumentation/trace/views.h"
#include "tests/record/tally.h"

namespace tilereel::analytic_counts_test {
namespace {

TEST(AnalyticCounts, Tiled64InTilesOf16HasItsCounts) {
    const Trace trace = record("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0});
    Tallies counts = tally(trace);
    // Each element of A and B is loaded N / TILE (M / TILE) times: 2 x 64^3 / 16.
    EXPECT_EQ(counts[kGlobalLoad].accesses, 32768u);
    EXPECT_EQ(counts[kSharedStore].accesses, 32768u);
    EXPECT_EQ(counts[kSharedLoad].accesses, 524288u);  // 2 x 64^3
    EXPECT_EQ(counts[kMultiplyAdd].accesses, 262144u);
    EXPECT_EQ(counts[kGlobalStore].accesses, 4096u);
    EXPECT_EQ(counts[kGlobalLoad].requests, 32768u / 32);
    EXPECT_EQ(counts[kSharedLoad].requests, 524288u / 32);
    EXPECT_EQ(counts[kBarrier].requests, 16u * 8 * 8);  // blocks x warps x barriers
    EXPECT_EQ(access_count(trace), 32768u + 32768 + 524288 + 4096);
}

// Two barriers a phase, K / TILE phases, and what follows the last: 8 barriers, 9 epochs a block.
TEST(AnalyticCounts, Tiled64HasEightBarriersABlock) {
    const Trace trace = record("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0});
    const Segments& segments = trace.segments;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const bool last_epoch = segments.epoch[i] == 8;
        for (const std::uint64_t r : records_of(segments, i)) {
            const bool last = r + 1 == segments.record_begin[i + 1] && !last_epoch;
            EXPECT_EQ(site_at(trace, r).operation == Operation::kBarrier, last);
        }
    }
    EXPECT_EQ(segments.size(), 16u * 9 * 8);  // blocks x epochs x warps
}

std::uint64_t global_load_sectors(const Trace& trace) {
    std::uint64_t sectors = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != Operation::kLoad || trace.arrays[site.array].space != Space::kGlobal)
            continue;
        const LaneOffsets lanes = lane_offsets(trace, i);
        std::set<std::uint32_t> touched;  // aligned 32-byte sectors
        for (std::size_t lane = 0; lane < kWarpSize; ++lane)
            if ((lanes.mask >> lane & 1u) != 0) touched.insert(lanes.bytes[lane] / 32);
        sectors += touched.size();
    }
    return sectors;
}

// The H100's own counters for N = 256 in 32x32 blocks.
TEST(AnalyticCounts, NaiveHasTheCountsOfTheHardware) {
    const KernelParameters p{.m = 256, .n = 256, .k = 256, .tile = 32, .pad = 0};
    const Trace naive = record("02_naive", p);
    EXPECT_EQ(tally(naive)[kGlobalLoad].requests, 1048576u);
    EXPECT_EQ(global_load_sectors(naive), 2621440u);
    const Trace by_column = record("01_naive_by_column", p);
    EXPECT_EQ(tally(by_column)[kGlobalLoad].requests, 1048576u);
    EXPECT_EQ(global_load_sectors(by_column), 17301504u);
}

TEST(AnalyticCounts, NaiveOfAnySizeCountsThreadsInsideOnly) {
    for (const char* kernel : {"01_naive_by_column", "02_naive"}) {
        const Trace trace = record(kernel, {.m = 19, .n = 7, .k = 11, .tile = 8, .pad = 0});
        Tallies counts = tally(trace);
        EXPECT_EQ(counts[kGlobalLoad].accesses, 2u * 19 * 7 * 11);
        EXPECT_EQ(counts[kMultiplyAdd].accesses, 19u * 7 * 11);
        EXPECT_EQ(counts[kGlobalStore].accesses, 19u * 7);
        EXPECT_EQ(counts[kBarrier].requests, 0u);
    }
}

// Only B's tile is padded in 08; in 09 both are.
TEST(AnalyticCounts, SharedArraysLieOneAfterAnother) {
    const KernelParameters p{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 1};
    const Trace turned = record("08_tiled_b_transposed", p);
    ASSERT_EQ(turned.arrays.size(), 5u);
    EXPECT_EQ(turned.arrays[3].name, "As");
    EXPECT_EQ(turned.arrays[3].leading_dimension, 16u);
    EXPECT_EQ(turned.arrays[4].name, "Bs");
    EXPECT_EQ(turned.arrays[4].base_bytes, 16u * 16 * 4);
    EXPECT_EQ(turned.arrays[4].columns, 16u);
    EXPECT_EQ(turned.arrays[4].leading_dimension, 17u);
    EXPECT_EQ(turned.launch.shared_bytes, 16u * 16 * 4 + 16 * 17 * 4);
    const Trace tiled = record("09_tiled", p);
    EXPECT_EQ(tiled.arrays[3].columns, 16u);
    EXPECT_EQ(tiled.arrays[3].leading_dimension, 17u);
    EXPECT_EQ(tiled.arrays[4].base_bytes, 16u * 17 * 4);
    EXPECT_EQ(tiled.launch.shared_bytes, 2u * 16 * 17 * 4);
}

// Each access of 08, lane by lane, from the index arithmetic of its source.
TEST(AnalyticCounts, TransposedTileIsReadDownAColumn) {
    const Trace trace =
        record("08_tiled_b_transposed", {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 1});
    const std::uint32_t base = trace.arrays[4].base_bytes;
    std::uint32_t k = 0, loads = 0;
    for (std::size_t r = trace.segments.record_begin[32]; r < trace.segments.record_begin[33];
         ++r) {  // block 0, epoch 1, warp 0
        const Site& site = site_at(trace, r);
        if (site.array != 4 || site.operation != Operation::kLoad) continue;
        const LaneOffsets lanes = lane_offsets(trace, r);
        for (std::uint32_t tx = 0; tx < 32; ++tx)
            EXPECT_EQ(lanes.bytes[tx], base + (tx * 33 + k) * 4);
        ++k;
        ++loads;
    }
    EXPECT_EQ(loads, 32u);
}

struct Case {
    const char* kernel;
    KernelParameters p;
};

TEST(Products, AreRightForEveryShapeTileAndPad) {
    std::vector<Case> cases;
    for (const int tile : {2, 4, 8, 16, 32})
        for (const char* kernel : {"01_naive_by_column", "02_naive"})
            for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{
                     {1, 1, 1}, {5, 9, 3}, {33, 31, 17}, {64, 1, 2}, {1, 70, 40}})
                cases.push_back({kernel, {.m = m, .n = n, .k = k, .tile = tile, .pad = 0}});
    for (const int tile : {2, 4, 8, 16, 32})
        for (const int pad : {0, 1, 2})
            for (const char* kernel : {"08_tiled_b_transposed", "09_tiled"})
                for (const auto& [m, n, k] :
                     std::vector<std::array<int, 3>>{{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 2, 1}})
                    cases.push_back(
                        {kernel,
                         {.m = m * tile, .n = n * tile, .k = k * tile, .tile = tile, .pad = pad}});
    for (const Case& c : cases) {
        const Trace trace = record(c.kernel, c.p);
        EXPECT_EQ(matrix_of(trace, MatrixRole::kC).size(), static_cast<std::size_t>(c.p.m) * c.p.n);
        EXPECT_EQ(trace.wrong_elements, 0u) << c.kernel << ' ' << c.p.tile;
        EXPECT_EQ(tally(trace)[kMultiplyAdd].accesses,
                  static_cast<std::uint64_t>(c.p.m) * c.p.n * c.p.k)
            << c.kernel << ' ' << c.p.tile;
    }
}

}  // namespace
}  // namespace tilereel::analytic_counts_test
