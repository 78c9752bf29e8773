// Records of the blocks of a cluster, written by hand, become those that FORMAT.md describes
// ("Clusters").
#include <gtest/gtest.h>

#include "instrumentation/gpu/convert/gpu_dump.h"
#include "tests/gpu/written_records.h"

namespace tilereel::gpu::gpu_cluster_test {
namespace {

constexpr std::uint32_t kBar = 400;  // an mbarrier, in shared memory
enum ClusterSite : std::uint32_t { kClusterWait = 8, kInit, kArrive, kWait, kCopy, kStoreBox };

GpuFacts facts_of_cluster() {
    GpuFacts facts = facts_of_test();
    const auto site = [&](Operation operation, std::uint32_t line, std::uint8_t arguments) {
        PtxSite made;
        made.operation = operation;
        made.arguments = arguments;
        made.place = {.file = 1, .line = line, .column = 3, .in_library = false};
        facts.sites.push_back(made);
    };
    site(Operation::kBarrier, 20, 0);
    facts.sites.back().variety = static_cast<std::uint8_t>(BarrierKind::kCluster);
    for (const Operation operation :
         {Operation::kInitBarrier, Operation::kArrive, Operation::kWaitPhase})
        site(operation, 21 + static_cast<std::uint32_t>(operation), tilereel_gpu::kPhaseRows);
    site(Operation::kStartBulkCopy, 40, tilereel_gpu::kBoxRows);
    facts.sites.back().is_box = true;
    site(Operation::kStore, 41, tilereel_gpu::kBoxRows);
    facts.sites.back().is_box = true;
    facts.sites.back().variety = static_cast<std::uint8_t>(AccessKind::kBulk);
    return facts;
}

// Lane 0 of warp 0.
void phase(Written& block, ClusterSite site, std::uint32_t high, std::uint32_t count,
           std::uint32_t bytes) {
    block.add(0, site, 1, high, kBar, 0);
    block.add(0, 0, 0, 0, count, 0);
    block.add(0, 0, 0, 0, bytes, 0);
}
// 16 bytes between the first ones of A and of the shared array.
void box(Written& block, ClusterSite site, std::uint32_t barrier, std::uint32_t ranks) {
    block.add(0, site, 1, 0, barrier, 0);
    for (const std::uint32_t word :
         {std::uint32_t{64}, static_cast<std::uint32_t>(kArray),
          static_cast<std::uint32_t>(kArray >> 32), 16u, 0u, 0u, 0u, 0u, ranks})
        block.add(0, 0, 0, 0, word, 0);
}

// "operation variety base line" of the records of a block.
std::vector<std::string> records_of_block(const Trace& trace, std::uint32_t block) {
    std::vector<std::string> all;
    for (std::size_t segment = 0; segment < trace.segments.size(); ++segment)
        for (std::uint64_t i = trace.segments.record_begin[segment];
             trace.segments.block[segment] == block && i < trace.segments.record_begin[segment + 1];
             ++i) {
            const Site& site = site_at(trace, i);
            all.push_back(std::to_string(static_cast<int>(site.operation)) + " " +
                          std::to_string(site.variety) + " " +
                          std::to_string(trace.records.base[i]) + " " + std::to_string(site.line));
        }
    return all;
}
using Lines = std::vector<std::string>;

TEST(GpuCluster, AnAccessOfAnotherBlockNamesItsRank) {
    Written first, second;
    // Block 0 of the cluster reads the shared array of block 1, from its second element on.
    first.add(0, kLoadA, 0xff, tilereel_gpu::kInCluster + 1, 64 + 4, 4);
    first.add(0, kClusterWait, kAll, 0, 0, 0);
    second.add(0, kClusterWait, kAll, 0, 0, 0);
    const Trace trace = converted(std::vector<Written>{first, second}, facts_of_cluster());
    EXPECT_EQ(trace.launch.cluster, (Dim3{2, 1, 1}));
    EXPECT_EQ(records_of_block(trace, 2), (Lines{"0 0 260 10", "3 2 0 20"}));
    EXPECT_EQ(records_of_block(trace, 3), (Lines{"3 2 0 20"}));
    ASSERT_EQ(trace.arrays.size(), 1u);
    EXPECT_EQ(trace.arrays[0].name, "tile by rank");
    EXPECT_EQ(trace.arrays[0].space, Space::kSharedCluster);
    EXPECT_EQ(trace.arrays[0].extents(), (std::vector<std::uint32_t>{2, 8, 8}));
}

TEST(GpuCluster, AnArrivalAtABarrierOfAnotherBlockHasItsPhase) {
    Written first, second;
    phase(first, kInit, 0, 2, 0);
    phase(first, kArrive, 0, 1, 0);
    phase(first, kWait, 0, 0, 0);
    phase(second, kArrive, tilereel_gpu::kInCluster, 1, 0);
    phase(second, kArrive, tilereel_gpu::kInCluster, 1, 0);
    const Trace trace = converted(std::vector<Written>{first, second}, facts_of_cluster());
    EXPECT_EQ(records_of_block(trace, 2), (Lines{"12 0 0 33", "9 0 0 30", "11 0 0 32"}));
    // Number 1: behind the blocks' own barrier.
    EXPECT_EQ(records_of_block(trace, 3), (Lines{"9 1 16777216 30", "9 1 16777217 30"}));
}

TEST(GpuCluster, ACopyToSeveralBlocksIsRecordedInEachOfThem) {
    Written first, second;
    for (Written* const block : {&first, &second}) {
        phase(*block, kInit, 0, 1, 0);
        phase(*block, kArrive, 0, 1, 16);
    }
    box(first, kCopy, kBar, 0b11);
    phase(first, kWait, 0, 0, 0);
    phase(second, kWait, 0, 0, 0);
    const Trace trace = converted(std::vector<Written>{first, second}, facts_of_cluster());
    EXPECT_EQ(records_of_block(trace, 2),
              (Lines{"12 0 0 33", "9 0 0 30", "10 0 0 40", "5 0 0 40", "6 0 64 40", "11 0 0 32"}));
    EXPECT_EQ(records_of_block(trace, 3),
              (Lines{"12 0 0 33", "9 0 0 30", "10 1 0 40", "5 1 0 40", "6 0 64 40", "11 0 0 32"}));
}

// A grid of 4 x 2 blocks in clusters of 2 x 2: blocks 0, 1, 4 and 5, and blocks 2, 3, 6 and 7.
TEST(GpuCluster, TheBlocksOfClustersWithSeveralRowsHaveTheirOwnRanks) {
    constexpr WrittenGrid kRows{{4, 2, 1}, {2, 2, 1}, 0};
    std::vector<Written> blocks(8);
    // The first block of each cluster has a barrier, at which rank 2, below it, arrives: two
    // arrivals make a phase in the first cluster, one in the second.
    phase(blocks[0], kInit, 0, 2, 0);
    phase(blocks[2], kInit, 0, 1, 0);
    for (const int below : {4, 6})
        for (int i = 0; i < 2; ++i) phase(blocks[below], kArrive, tilereel_gpu::kInCluster, 1, 0);
    phase(blocks[0], kWait, 0, 0, 0);
    phase(blocks[2], kWait, 0, 0, 0);
    // Rank 1 of the second cluster reads the shared array of rank 3.
    blocks[3].add(0, kLoadA, 0xff, tilereel_gpu::kInCluster + 3, 64 + 4, 4);
    const Trace trace = converted(blocks, facts_of_cluster(), kRows);
    EXPECT_EQ(trace.launch.cluster, kRows.cluster);
    EXPECT_EQ(records_of_block(trace, 0), (Lines{"12 0 0 33", "11 0 0 32"}));
    EXPECT_EQ(records_of_block(trace, 2), (Lines{"12 0 0 33", "11 0 0 32"}));
    for (const std::uint32_t below : {4u, 6u})
        EXPECT_EQ(records_of_block(trace, below), (Lines{"9 1 16777216 30", "9 1 16777217 30"}));
    EXPECT_EQ(records_of_block(trace, 3), (Lines{"0 0 772 10"}));
    EXPECT_TRUE(trace.chosen_blocks.empty());
}

// The block of a file of clusters that are not whole could not be placed.
TEST(GpuCluster, ARecordingWithoutWholeClustersIsRefused) {
    const std::vector<Written> blocks(2);
    for (const WrittenGrid& grid :
         {WrittenGrid{{4, 2, 1}, {2, 2, 1}, 0}, WrittenGrid{{4, 1, 1}, {2, 1, 1}, 1},
          WrittenGrid{{3, 1, 1}, {2, 1, 1}, 0}, WrittenGrid{{4, 1, 1}, {0, 1, 1}, 0},
          WrittenGrid{{4, 1, 1}, {1, 1, 1}, 3}}) {
        const Dump dump(blocks, grid);
        EXPECT_FALSE(GpuDump::open(dump.path()));
    }
}

// A's content after the launch is 1.5 in each element: written_records.h.
TEST(GpuCluster, ABulkStoreIsALoadAndAStore) {
    Written block;
    box(block, kStoreBox, 0, 0);
    const Trace trace = converted(block, facts_of_cluster());
    EXPECT_EQ(records_of_block(trace, 2), (Lines{"0 2 64 41", "1 2 0 41"}));
    ASSERT_EQ(trace.words.size(), 4u);
    for (const std::uint32_t word : trace.words) EXPECT_EQ(word, 0x3fc00000u);
}

}  // namespace
}  // namespace tilereel::gpu::gpu_cluster_test
