// The analysis on recordings of the ladder's own kernels. What an H100 counted (Nsight Compute, see
// tests/hardware) for the same kernels at N = 256 is marked "H100".
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/phases/phases.h"

namespace tilereel::measured_counts_test {
namespace {

Trace record(const std::string& kernel, int extent, int tile, int pad = 0) {
    return record_built_in(
               {.kernel = kernel,
                .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
                .inputs = {}})
        .value();
}

TEST(LadderCounts, Naive256) {
    const KernelCounts counts = count_kernel(record("02_naive", 256, 32));
    EXPECT_EQ(counts.global_load.requests, 1048576u);  // H100
    EXPECT_EQ(counts.global_load.sectors, 2621440u);   // H100
    EXPECT_EQ(counts.multiply_adds, 256u * 256 * 256);
    EXPECT_EQ(counts.barriers, 0u);
    EXPECT_EQ(counts.shared_load, AccessCounts{});
}

TEST(LadderCounts, NaiveByColumn256) {
    const KernelCounts counts = count_kernel(record("01_naive_by_column", 256, 32));
    EXPECT_EQ(counts.global_load.requests, 1048576u);  // H100
    EXPECT_EQ(counts.global_load.sectors, 17301504u);  // H100
}

TEST(LadderCounts, Tiled256) {
    const KernelCounts by16 = count_kernel(record("09_tiled", 256, 16));
    EXPECT_EQ(by16.global_load.requests, 65536u);     // H100
    EXPECT_EQ(by16.global_load.sectors, 262144u);     // H100
    EXPECT_EQ(by16.shared_store.wavefronts, 65536u);  // H100
    EXPECT_EQ(by16.shared_load.requests, 1048576u);   // as written: two a multiply-add and warp
    EXPECT_EQ(by16.shared_load.bank_conflicts, 0u);   // H100
    EXPECT_EQ(by16.barriers, 2u * 256 / 16);
    const KernelCounts by32 = count_kernel(record("09_tiled", 256, 32));
    EXPECT_EQ(by32.global_load.requests, 32768u);     // H100
    EXPECT_EQ(by32.global_load.sectors, 131072u);     // H100
    EXPECT_EQ(by32.shared_store.wavefronts, 32768u);  // H100
    EXPECT_EQ(by32.shared_load.bank_conflicts, 0u);   // H100
}

TEST(LadderCounts, PaddingTheTransposedTile) {
    // Bs[tx][k]: with rows of TILE words, word tx*TILE + k lies in bank (tx*TILE + k) mod 32.
    const KernelCounts conflicts32 = count_kernel(record("08_tiled_b_transposed", 32, 32));
    EXPECT_EQ(conflicts32.shared_load.wavefronts, 33792u);  // 32*32 requests x (32 + 1)
    EXPECT_EQ(conflicts32.shared_store.wavefronts, 1056u);
    const KernelCounts padded32 = count_kernel(record("08_tiled_b_transposed", 32, 32, 1));
    EXPECT_EQ(padded32.shared_load.wavefronts, 2048u);
    EXPECT_EQ(padded32.shared_store.wavefronts, 64u);
    EXPECT_EQ(padded32.shared_load.bank_conflicts + padded32.shared_store.bank_conflicts, 0u);
    // At TILE 16 its reads go from 8 wavefronts to 1, its store from 8 to 2.
    const KernelCounts conflicts16 = count_kernel(record("08_tiled_b_transposed", 16, 16));
    EXPECT_EQ(conflicts16.shared_load.worst_wavefronts, 8u);
    EXPECT_EQ(conflicts16.shared_store.worst_wavefronts, 8u);
    const KernelCounts padded16 = count_kernel(record("08_tiled_b_transposed", 16, 16, 1));
    EXPECT_EQ(padded16.shared_load.worst_wavefronts, 1u);
    EXPECT_EQ(padded16.shared_store.worst_wavefronts, 2u);
}

// 64 blocks of 4 warps make 32 stages of 8 k each: a warp reads 8 rows of B and two pieces of each
// of 2 rows of A. After the last stage it reads a row of B and 2 pieces of A that it does not
// need. The TMA copies A and B 8 times each, 16 bytes a piece.
TEST(LadderCounts, BulkCopiesMakeNoRequests) {
    const Trace trace = record("20_champion", 256, 32);
    const KernelCounts all = count_kernel(trace), warps = count_warps(trace);
    EXPECT_EQ(all.global_load.accesses, 2u * 8 * 256 * 256 / 4);
    EXPECT_EQ(warps.global_load, AccessCounts{});
    EXPECT_EQ(warps.shared_copy, AccessCounts{});
    EXPECT_EQ(warps.shared_load.requests, 64u * 4 * (32 * (8 + 2 * 2) + 3));  // H100
    EXPECT_EQ(warps.shared_load.wavefronts, 2 * warps.shared_load.requests);  // H100
    EXPECT_EQ(warps.global_store.requests, 256u * 256 / 4 / 32);              // H100
    EXPECT_EQ(warps.shared_load, all.shared_load);
    EXPECT_EQ(count_warps(record("19_async_pipeline", 64, 32)).global_load,
              count_kernel(record("19_async_pipeline", 64, 32)).global_load);
}

TEST(LadderPhases, AreIterationsOfTheTileLoopOrOfTheLoopOverK) {
    for (const int tile : {2, 4, 8, 16, 32}) {
        const BlockPhases tiled = phases_of_block(record("09_tiled", 64, tile), 1);
        EXPECT_EQ(tiled.count, 64u / tile);
        EXPECT_TRUE(tiled.barriers);
        EXPECT_EQ(phases_of_block(record("08_tiled_b_transposed", 64, tile), 0).count, 64u / tile);
        const BlockPhases naive = phases_of_block(record("02_naive", 40, tile), 0);
        EXPECT_EQ(naive.count, 40u);
        EXPECT_FALSE(naive.barriers);
    }
}

TEST(LadderPhases, EveryPhaseOfTiledLoadsTwoTilesAndReadsThem) {
    const Trace trace = record("09_tiled", 64, 16);
    const BlockPhases block = phases_of_block(trace, 5);
    std::vector<std::array<int, 3>> accesses(block.count);  // by phase and part
    for (std::size_t row = 0; row < block.phase.size(); ++row) {
        const Site& site = site_at(trace, block.first_record + row);
        if (site.operation == Operation::kLoad || site.operation == Operation::kStore)
            ++accesses[block.phase[row]][static_cast<std::size_t>(block.part[row])];
    }
    for (std::uint32_t phase = 0; phase < block.count; ++phase) {
        EXPECT_EQ(accesses[phase][0], 8 * 4);       // 8 warps: A, As, B, Bs
        EXPECT_EQ(accesses[phase][1], 8 * 2 * 16);  // two reads a trip
        EXPECT_EQ(accesses[phase][2], phase + 1 == block.count ? 8 : 0);
    }
}

}  // namespace
}  // namespace tilereel::measured_counts_test
