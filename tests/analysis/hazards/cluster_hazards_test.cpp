// Hazards in launches with clusters: what orders blocks of one cluster, shared memory that other
// blocks write, copies that other blocks start. CUDA C++ Programming Guide, "Distributed Shared
// Memory".
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::cluster_hazards_test {
namespace {

std::uint32_t word_of_lane(int lane) { return 4 * static_cast<std::uint32_t>(lane); }

// Block 0 stores before a barrier, block `other` loads the same words behind it.
std::vector<Finding> findings_behind_a_barrier(BarrierKind kind, std::uint32_t other) {
    TraceBuilder builder;
    const ArrayId data = builder.add_array("data", Space::kGlobal, 1, 32);
    for (std::uint32_t block = 0; block < 4; ++block)
        for (std::uint32_t epoch = 0; epoch < 2; ++epoch) {
            builder.begin_segment(block, epoch, 0);
            builder.set_line(1 + epoch);
            if (epoch == 0 && block == 0) builder.access(Operation::kStore, data, word_of_lane);
            if (epoch == 1 && block == other) builder.access(Operation::kLoad, data, word_of_lane);
            if (epoch == 0) builder.barrier();
        }
    Trace trace = builder.take();
    trace.launch.grid = {4, 1, 1};
    trace.launch.block = {32, 1, 1};
    trace.launch.cluster = {2, 1, 1};
    for (Site& site : trace.sites)
        if (site.operation == Operation::kBarrier) site.variety = static_cast<std::uint8_t>(kind);
    return find_hazards(trace);
}

TEST(ClusterHazards, ABarrierOfTheClusterOrdersItsBlocksAndNoOthers) {
    EXPECT_TRUE(findings_behind_a_barrier(BarrierKind::kCluster, 1).empty());
    EXPECT_FALSE(findings_behind_a_barrier(BarrierKind::kCluster, 2).empty());
    EXPECT_FALSE(findings_behind_a_barrier(BarrierKind::kBlock, 1).empty());
}

// Block 0 loads words of `tile` that none of its threads has stored.
std::vector<Finding> findings_of_unwritten(bool others_store) {
    TraceBuilder builder;
    const ArrayId tile = builder.add_array("tile", Space::kShared, 1, 32);
    const ArrayId others =
        builder.add_array("tile" + std::string(kByRank), Space::kSharedCluster, 2, 32);
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kLoad, tile, word_of_lane);
    builder.begin_segment(1, 0, 0);
    builder.access(others_store ? Operation::kStore : Operation::kLoad, others, word_of_lane);
    Trace trace = builder.take();
    trace.launch.grid = trace.launch.cluster = {2, 1, 1};
    trace.launch.block = {32, 1, 1};
    return find_hazards(trace);
}

TEST(ClusterHazards, WhatOtherBlocksStoreToIsNotTakenForUnwritten) {
    EXPECT_TRUE(findings_of_unwritten(true).empty());
    const std::vector<Finding> findings = findings_of_unwritten(false);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kNeverWritten);
}

// Warp 0 reads a tile, and warp 1 has the record of a copy into it. Warp 2 reads without a wait for
// the copy, if `reads_after`.
std::vector<Finding> findings_of_copy(BlockOfCluster starter, bool reads_after) {
    TraceBuilder builder;
    const ArrayId from = builder.add_array("from", Space::kGlobal, 1, 32);
    const ArrayId tile = builder.add_array("tile", Space::kShared, 1, 32);
    for (std::uint32_t epoch = 0; epoch < 2; ++epoch)
        for (std::uint16_t warp = 0; warp < 3; ++warp) {
            builder.begin_segment(0, epoch, warp);
            builder.set_line(10 * epoch + warp + 1);
            if (epoch == 0) {
                if (warp == 0) builder.access(Operation::kStore, tile, word_of_lane);
                builder.set_line(5);
                builder.barrier();
            } else if (warp == 1) {
                builder.barrier(Operation::kStartBulkCopy, 0, 1);
                builder.access(Operation::kCopyLoad, from, word_of_lane);
                builder.access(Operation::kCopyStore, tile, word_of_lane);
            } else if (warp == 0 || reads_after) {
                builder.access(Operation::kLoad, tile, word_of_lane);
            }
        }
    Trace trace = builder.take();
    trace.launch.grid = trace.launch.cluster = {2, 1, 1};
    trace.launch.block = {96, 1, 1};
    for (Site& site : trace.sites)
        if (site.operation == Operation::kStartBulkCopy || site.operation == Operation::kCopyLoad)
            site.variety = static_cast<std::uint8_t>(starter);
    return find_hazards(trace);
}

TEST(ClusterHazards, EarlierReadsDoNotRaceWithACopyThatAnotherBlockStarts) {
    EXPECT_FALSE(findings_of_copy(BlockOfCluster::kOwn, false).empty());
    EXPECT_TRUE(findings_of_copy(BlockOfCluster::kOther, false).empty());
}

TEST(ClusterHazards, LaterReadsMustWaitForACopyThatAnotherBlockStarts) {
    const std::vector<Finding> findings = findings_of_copy(BlockOfCluster::kOther, true);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kCopyUnderWay);
}

}  // namespace
}  // namespace tilereel::cluster_hazards_test
