#include "instrumentation/analysis/cost/counters.h"

#include <gtest/gtest.h>

#include "instrumentation/analysis/cost/request_cost.h"
#include "tests/analysis/random_access.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::counters_test {
namespace {

// The tiled kernel's records for an extent x extent product, from its index arithmetic.
struct Tiled {
    std::uint32_t extent, tile;
    TraceBuilder builder{};
    ArrayId a = builder.add_array("A", Space::kGlobal, extent, extent);
    ArrayId b = builder.add_array("B", Space::kGlobal, extent, extent);
    ArrayId c = builder.add_array("C", Space::kGlobal, extent, extent);
    ArrayId as = builder.add_array("As", Space::kShared, tile, tile);
    ArrayId bs = builder.add_array("Bs", Space::kShared, tile, tile);

    struct Thread {
        std::uint32_t x, y, row, column;
    };
    using Element = std::function<std::uint32_t(Thread)>;
    std::uint32_t block = 0, warp = 0;

    void access(Operation operation, ArrayId array, const Element& element) {
        const std::uint32_t blocks_x = extent / tile;
        builder.access(operation, array, [&](int lane) {
            const std::uint32_t id = warp * kWarpSize + static_cast<std::uint32_t>(lane);
            const std::uint32_t x = id % tile, y = id / tile;
            return 4 * element({x, y, block / blocks_x * tile + y, block % blocks_x * tile + x});
        });
    }
    void load(std::uint32_t t) {
        access(Operation::kLoad, a, [&](Thread i) { return i.row * extent + t * tile + i.x; });
        access(Operation::kStore, as, [&](Thread i) { return i.y * tile + i.x; });
        access(Operation::kLoad, b, [&](Thread i) { return (t * tile + i.y) * extent + i.column; });
        access(Operation::kStore, bs, [&](Thread i) { return i.y * tile + i.x; });
        builder.barrier();
    }
    void compute() {
        for (std::uint32_t k = 0; k < tile; ++k) {
            access(Operation::kLoad, as, [&](Thread i) { return i.y * tile + k; });
            access(Operation::kLoad, bs, [&](Thread i) { return k * tile + i.x; });
            builder.multiply_add();
        }
        builder.barrier();
    }
    Trace trace() {
        const std::uint32_t trips = extent / tile;
        for (block = 0; block < trips * trips; ++block) {
            for (std::uint32_t epoch = 0; epoch <= 2 * trips; ++epoch) {
                for (warp = 0; warp < tile * tile / kWarpSize; ++warp) {
                    builder.begin_segment(block, epoch, static_cast<std::uint16_t>(warp));
                    if (epoch == 2 * trips)
                        access(Operation::kStore, c,
                               [&](Thread i) { return i.row * extent + i.column; });
                    else if (epoch % 2 == 0)
                        load(epoch / 2);
                    else
                        compute();
                }
            }
        }
        return builder.take();
    }
};

TEST(Counters, Tiled64InTheory) {
    const Trace trace = Tiled{.extent = 64, .tile = 16}.trace();
    const KernelCounts counts = count_kernel(trace);
    EXPECT_EQ(counts.global_load.accesses, 32768u);
    EXPECT_EQ(counts.global_load.requests, 1024u);
    EXPECT_EQ(counts.global_load.sectors, 4096u);  // 2 rows of 16 floats: 2 x 2 sectors
    EXPECT_EQ(counts.global_load.lines, 2048u);
    EXPECT_EQ(counts.global_load.bytes_requested, 131072u);
    EXPECT_EQ(counts.global_load.bytes_moved, 131072u);
    EXPECT_EQ(counts.global_store.accesses, 4096u);
    EXPECT_EQ(counts.global_store.sectors, 512u);
    EXPECT_EQ(counts.shared_load.accesses, 524288u);
    EXPECT_EQ(counts.shared_load.requests, 16384u);
    EXPECT_EQ(counts.shared_load.wavefronts, 16384u);
    EXPECT_EQ(counts.shared_load.bank_conflicts, 0u);
    EXPECT_EQ(counts.shared_load.worst_wavefronts, 1u);
    EXPECT_EQ(counts.shared_store.accesses, 32768u);
    EXPECT_EQ(counts.barriers, 8u);
    EXPECT_EQ(counts.multiply_adds, 262144u);
    EXPECT_EQ(counts.flop(), 524288u);
    // (32768 loads + 4096 stores) x 4 bytes
    EXPECT_DOUBLE_EQ(counts.flop_per_byte_requested().value(), 524288.0 / 147456.0);
    EXPECT_DOUBLE_EQ(counts.flop_per_byte_moved().value(), 524288.0 / (131072.0 + 512 * 32));
}

TEST(Counters, CountsOfBlocksAndOfSitesSumToThoseOfTheKernel) {
    const Trace trace = Tiled{.extent = 64, .tile = 16}.trace();
    const KernelCounts all = count_kernel(trace);
    std::uint64_t loads = 0, wavefronts = 0, multiply_adds = 0;
    for (std::uint32_t block = 0; block < 16; ++block) {
        const KernelCounts counts = count_kernel(trace, {.block = block});
        loads += counts.global_load.sectors;
        wavefronts += counts.shared_load.wavefronts;
        multiply_adds += counts.multiply_adds;
        EXPECT_EQ(counts.barriers, 8u);
    }
    EXPECT_EQ(loads, all.global_load.sectors);
    EXPECT_EQ(wavefronts, all.shared_load.wavefronts);
    EXPECT_EQ(multiply_adds, all.multiply_adds);
    EXPECT_EQ(sum_of(trace, count_sites(trace)), all);
}

TEST(Counters, TicksOfASiteAreItsWavefrontsOrLines) {
    const Trace trace = Tiled{.extent = 16, .tile = 16}.trace();
    const std::vector<SiteCounts> sites = count_sites(trace);
    ASSERT_EQ(sites.size(), trace.sites.size());
    for (std::size_t site = 0; site < sites.size(); ++site) {
        EXPECT_EQ(sites[site].site, site);
        const bool access = trace.sites[site].operation == Operation::kLoad ||
                            trace.sites[site].operation == Operation::kStore;
        const bool shared = access && trace.arrays[trace.sites[site].array].space == Space::kShared;
        if (!access)
            EXPECT_EQ(sites[site].ticks, 0u);
        else
            EXPECT_EQ(sites[site].ticks,
                      shared ? sites[site].counts.wavefronts : sites[site].counts.lines);
    }
}

TEST(Counters, RandomTracesSumTheCostOfEveryRecord) {
    std::mt19937 random(30);
    TraceBuilder builder;
    const ArrayId arrays[] = {builder.add_array("A", Space::kGlobal, 1024, 1024),
                              builder.add_array("As", Space::kShared, 64, 64)};
    for (std::uint32_t block = 0; block < 3; ++block) {
        builder.begin_segment(block, 0, 0);
        for (int i = 0; i < 300; ++i) {
            const bool shared = i % 2 != 0;
            const WarpAccess access =
                random_access(random, shared ? Space::kShared : Space::kGlobal);
            if (access.lanes.mask != 0)
                builder.access(
                    access.operation, arrays[shared],
                    [&](int lane) { return access.lanes.bytes[lane]; }, access.lanes.mask,
                    static_cast<std::uint8_t>(access.width_bytes));
        }
    }
    Trace trace = builder.take();
    trace.launch.block = {kWarpSize, 1, 1};
    AccessCounts sums[2][2];
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const WarpAccess access = access_of(trace, record);
        const RequestCost cost = cost_of(access);
        AccessCounts& sum =
            sums[access.space == Space::kShared][access.operation == Operation::kStore];
        sum.accesses += cost.lanes;
        ++sum.requests;
        sum.lanes_off += kWarpSize - cost.lanes;
        sum.transactions += cost.transactions;
        sum.sectors += cost.sectors;
        sum.lines += cost.lines;
        sum.bytes_requested += cost.lanes * access.width_bytes;
        sum.bytes_moved += cost.sectors * 32;
        sum.bytes_used += cost.bytes_used;
        sum.wavefronts += cost.wavefronts;
        sum.bank_conflicts += cost.bank_conflicts;
        sum.worst_wavefronts = std::max<std::uint64_t>(sum.worst_wavefronts, cost.wavefronts);
    }
    const KernelCounts counts = count_kernel(trace);
    EXPECT_EQ(counts.global_load, sums[0][0]);
    EXPECT_EQ(counts.global_store, sums[0][1]);
    EXPECT_EQ(counts.shared_load, sums[1][0]);
    EXPECT_EQ(counts.shared_store, sums[1][1]);
    EXPECT_FALSE(KernelCounts{}.flop_per_byte_moved());
    EXPECT_FALSE(KernelCounts{}.flop_per_byte_requested());
}

TEST(Counters, BarriersAreThoseOfTheBlockThatExecutedMost) {
    TraceBuilder builder;
    builder.begin_segment(0, 0, 0);
    builder.barrier();
    builder.begin_segment(0, 0, 1);  // this warp returns before any barrier
    builder.multiply_add();
    builder.begin_segment(0, 1, 0);
    builder.barrier();
    builder.begin_segment(1, 0, 0);
    builder.barrier();
    builder.begin_segment(1, 1, 0);
    builder.barrier(Operation::kWarpBarrier);
    const Trace trace = builder.take();
    EXPECT_EQ(count_kernel(trace).barriers, 2u);
    EXPECT_EQ(count_kernel(trace, {.block = 1}).barriers, 1u);
    EXPECT_EQ(count_kernel(trace, {.block = 7}), KernelCounts{});
}

// A warp of 32 threads and one of 8: `if (threadIdx.x < 4)` leaves out 28 and 4 of them.
TEST(Counters, LanesOffAreThoseThatExistAndTakeNoPart) {
    TraceBuilder builder;
    const ArrayId array = builder.add_array("x", Space::kGlobal, 1, 64);
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        builder.begin_segment(0, 0, warp);
        const std::uint32_t there = warp == 0 ? TraceBuilder::kAllLanes : 0xffu;
        const auto offset = [](int lane) { return 4 * static_cast<std::uint32_t>(lane); };
        builder.set_line(10);
        builder.access(Operation::kLoad, array, offset, there);
        builder.set_line(12);
        builder.access(Operation::kStore, array, offset, 0xfu);
        builder.set_line(14);
        builder.multiply_add(0, there & 0x55555555u);
    }
    Trace trace = builder.take();
    trace.launch.block = {40, 1, 1};
    const std::vector<SiteCounts> sites = count_sites(trace);
    EXPECT_EQ(sites[0].counts.lanes_off, 0u);
    EXPECT_EQ(sites[1].counts.lanes_off, 28u + 4);
    EXPECT_EQ(sites[2].counts.lanes_off, 16u + 4);
    const KernelCounts counts = count_kernel(trace);
    EXPECT_EQ(counts.global_store.lanes_off, 32u);
    EXPECT_EQ(counts.lanes_on_percent(), 100u * 48 / 80);  // of the requests: 40 + 8 of 40 + 40
    EXPECT_EQ(KernelCounts{}.lanes_on_percent(), 100u);
}

TEST(Counters, AnEmptyTraceCountsNothing) {
    Trace trace;
    trace.segments.record_begin = {0};
    trace.segments.value_begin = {0};
    EXPECT_EQ(count_kernel(trace), KernelCounts{});
    EXPECT_TRUE(count_sites(Trace{}).empty());
}

}  // namespace
}  // namespace tilereel::counters_test
