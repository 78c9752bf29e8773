// The kernels for the CPU, recorded as launches of one thread a block.
#include <gtest/gtest.h>

#include <array>

#include "tests/record/tally.h"

namespace tilereel::cpu_kernel_traces_test {
namespace {

using Extents = std::array<int, 3>;  // M, N, K
const std::vector<Extents> kShapes = {{1, 1, 1},   {1, 1, 70},  {70, 1, 3},
                                      {1, 70, 3},  {3, 3, 3},   {16, 8, 20},
                                      {5, 33, 67}, {64, 64, 9}, {100, 37, 65}};

std::uint64_t ceil_div(int extent, int part) {
    return static_cast<std::uint64_t>(extent + part - 1) / static_cast<std::uint64_t>(part);
}

TEST(CpuRecordings, NaiveReadsTwoOperandsPerMultiplyAdd) {
    for (const auto& [m, n, k] : kShapes) {
        const Trace trace = record("cpu_naive", {.m = m, .n = n, .k = k});
        Tallies counts = tally(trace);
        const std::uint64_t products = std::uint64_t(m) * unsigned(n) * unsigned(k);
        EXPECT_EQ(trace.launch.blocks() * trace.launch.threads(), 1u);
        EXPECT_EQ(counts[kMultiplyAdd].accesses, products);
        EXPECT_EQ(counts[kGlobalLoad].accesses, 2 * products);
        EXPECT_EQ(counts[kGlobalLoad].requests, 2 * products) << "one thread a block";
        EXPECT_EQ(counts[kGlobalStore].accesses, std::uint64_t(m) * unsigned(n));
        EXPECT_EQ(counts[kBarrier].requests + counts[kWarpBarrier].requests, 0u);
        EXPECT_EQ(trace.launch.shared_bytes, 0u);
    }
}

// A tile of B is copied once for each row of tiles of C; an element of A is read once for each
// strip of at most 32 columns; C is stored after each tile along K and read before all but the
// first.
TEST(CpuRecordings, TiledCopiesBAndReadsAOncePerStrip) {
    for (const int tile : find_kernel("cpu_tiled")->tiles)
        for (const auto& [m, n, k] : kShapes) {
            SCOPED_TRACE(::testing::Message() << m << 'x' << n << 'x' << k << " TILE " << tile);
            const Trace trace = record("cpu_tiled", {.m = m, .n = n, .k = k, .tile = tile});
            Tallies counts = tally(trace);
            const std::uint64_t rows = unsigned(m), columns = unsigned(n), depth = unsigned(k);
            const std::uint64_t products = rows * columns * depth;
            const std::uint64_t copied = depth * columns * ceil_div(m, tile);
            const std::uint64_t a = rows * depth * ceil_div(n, std::min(tile, 32));
            EXPECT_EQ(trace.launch.threads(), 1u);
            EXPECT_EQ(trace.launch.blocks(), ceil_div(m, tile) * ceil_div(n, tile));
            EXPECT_EQ(counts[kMultiplyAdd].accesses, products);
            EXPECT_EQ(counts[kSharedLoad].accesses, products);
            EXPECT_EQ(counts[kSharedStore].accesses, copied);
            EXPECT_EQ(counts[kGlobalStore].accesses, rows * columns * ceil_div(k, tile));
            EXPECT_EQ(counts[kGlobalLoad].accesses,
                      copied + a + rows * columns * (ceil_div(k, tile) - 1));
            EXPECT_EQ(counts[kGlobalLoad].requests, counts[kGlobalLoad].accesses);
            EXPECT_EQ(trace.launch.shared_bytes, unsigned(tile * tile) * 4);
        }
}

// With the copy and the registers, a larger tile needs fewer loads.
TEST(CpuRecordings, TiledLoadsFarLessThanNaive) {
    const KernelParameters p{.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 0};
    // B twice, A twice, C once more: 5 x 64^2 instead of 2 x 64^3.
    EXPECT_EQ(tally(record("cpu_tiled", p))[kGlobalLoad].accesses, 5u * 64 * 64);
    KernelParameters naive = p;
    naive.tile = 16;
    EXPECT_EQ(tally(record("cpu_naive", naive))[kGlobalLoad].accesses, 2u * 64 * 64 * 64);
}

}  // namespace
}  // namespace tilereel::cpu_kernel_traces_test
