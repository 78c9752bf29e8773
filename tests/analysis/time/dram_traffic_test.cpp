// What goes between L2 and DRAM: sums of bytes for arrays that are streamed, and for scattered ones
// an L2 that is simulated entry by entry.
#include "instrumentation/analysis/time/dram_traffic.h"

#include <gtest/gtest.h>

#include <list>
#include <random>
#include <unordered_map>

#include "tests/analysis/trace_builder.h"

namespace tilereel::dram_traffic_test {
namespace {

constexpr std::uint32_t kBlocks = 64, kWarpBytes = 128;

GpuModel gpu_with_l2(double bytes) {
    GpuModel gpu = *find_gpu_model("h100");
    gpu.l2_bytes = bytes;
    return gpu;
}

// y[i] = x[stride i], a warp a block. Every `every`-th block is recorded.
Trace copy(std::uint32_t stride, std::uint32_t every = 1) {
    TraceBuilder builder;
    const ArrayId x = builder.add_array("x", Space::kGlobal, kBlocks * stride, 32);
    const ArrayId y = builder.add_array("y", Space::kGlobal, kBlocks, 32);
    for (std::uint32_t block = 0; block < kBlocks; block += every) {
        builder.begin_segment(block, 0, 0);
        builder.access(Operation::kLoad, x, [&](int lane) {
            return stride * (block * kWarpBytes + 4 * static_cast<std::uint32_t>(lane));
        });
        builder.access(Operation::kStore, y, [&](int lane) {
            return block * kWarpBytes + 4 * static_cast<std::uint32_t>(lane);
        });
    }
    Trace trace = builder.take();
    trace.product.reset();
    trace.launch.grid.x = kBlocks;
    trace.launch.grid.y = 1;
    return trace;
}

TEST(DramTraffic, WhatIsWrittenStaysWhereItHasRoom) {
    const DramTraffic found = dram_traffic(copy(1), gpu_with_l2(50e6));
    EXPECT_EQ(found.fetched_bytes, kBlocks * kWarpBytes);
    EXPECT_EQ(found.written_bytes, 0);
}

// L2 of a quarter of what is touched: four fifths of it hold the end, half of that written.
TEST(DramTraffic, OnlyTheEndOfWhatIsWrittenStays) {
    const double touched = 2.0 * kBlocks * kWarpBytes;
    const DramTraffic found = dram_traffic(copy(1), gpu_with_l2(touched / 4));
    EXPECT_EQ(found.fetched_bytes, touched / 2);
    EXPECT_NEAR(found.written_bytes, touched / 2 - 0.8 * touched / 4 / 2, 1);
}

TEST(DramTraffic, BlocksThatWereNotRecordedCount) {
    const DramTraffic all = dram_traffic(copy(1), gpu_with_l2(1000));
    const DramTraffic some = dram_traffic(copy(1, 4), gpu_with_l2(1000));
    EXPECT_NEAR(some.fetched_bytes, all.fetched_bytes, 0.06 * all.fetched_bytes);
}

// A word of every 128 bytes brings 64 bytes from DRAM.
TEST(DramTraffic, SixtyFourBytesAreFetchedAtOnce) {
    const DramTraffic found = dram_traffic(copy(32), gpu_with_l2(50e6));
    EXPECT_EQ(found.fetched_bytes, kBlocks * 32 * 64);
}

constexpr std::uint32_t kGathers = 200, kTable = 1 << 20;  // bytes of the table

// y[i] = table[place[i]]: a warp a block.
struct Gather {
    Trace trace;
    std::vector<std::uint32_t> places;  // bytes, in the order of the launch
};
Gather gather() {
    Gather made;
    TraceBuilder builder;
    const ArrayId table = builder.add_array("table", Space::kGlobal, kTable / 128, 32);
    std::mt19937 random(1);
    for (std::uint32_t block = 0; block < kGathers; ++block) {
        builder.begin_segment(block, 0, 0);
        for (int turn = 0; turn < 8; ++turn)
            builder.access(Operation::kLoad, table, [&](int) {
                made.places.push_back(random() % (kTable / 4) * 4);
                return made.places.back();
            });
    }
    made.trace = builder.take();
    made.trace.product.reset();
    made.trace.launch.grid.x = kGathers;
    made.trace.launch.grid.y = 1;
    for (Site& site : made.trace.sites) site.address = AddressKind::kLoaded;
    return made;
}

// The misses of the least recently used of `entries` places of 64 bytes.
std::size_t misses(const std::vector<std::uint32_t>& places, std::size_t entries) {
    std::list<std::uint32_t> order;
    std::unordered_map<std::uint32_t, std::list<std::uint32_t>::iterator> there;
    std::size_t missed = 0;
    for (const std::uint32_t byte : places) {
        const std::uint32_t place = byte / 64;
        if (const auto found = there.find(place); found != there.end()) {
            order.splice(order.begin(), order, found->second);
            continue;
        }
        ++missed;
        order.push_front(place);
        there[place] = order.begin();
        if (order.size() <= entries) continue;
        there.erase(order.back());
        order.pop_back();
    }
    return missed;
}

TEST(DramTraffic, AScatteredArrayMissesLikeASimulatedCache) {
    const Gather made = gather();
    for (const double share : {0.1, 0.3, 0.6}) {
        // Half of L2 is for reading.
        const DramTraffic found = dram_traffic(made.trace, gpu_with_l2(2 * share * kTable));
        ASSERT_EQ(found.arrays.size(), 1u);
        EXPECT_TRUE(found.arrays[0].scattered);
        const auto simulated = static_cast<double>(
            64 * misses(made.places, static_cast<std::size_t>(share * kTable) / 64));
        EXPECT_NEAR(found.fetched_bytes / simulated, 1, 0.08) << share;
    }
}

// The same places, not loaded: nothing is known of them, and each sector counts once.
TEST(DramTraffic, WithoutLoadedPlacesEachByteCountsOnce) {
    Gather made = gather();
    for (Site& site : made.trace.sites) site.address = AddressKind::kLinear;
    const DramTraffic found = dram_traffic(made.trace, gpu_with_l2(0.2 * kTable));
    EXPECT_FALSE(found.arrays.at(0).scattered);
    EXPECT_LE(found.fetched_bytes, kTable);
}

}  // namespace
}  // namespace tilereel::dram_traffic_test
