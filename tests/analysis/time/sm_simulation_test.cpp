// The simulation of one SM against clocks that follow from its constants.
#include "instrumentation/analysis/time/sm_simulation.h"

#include <gtest/gtest.h>

namespace tilereel::sm_simulation_test {
namespace {

// Without the start of warps and blocks, which has a test of its own.
const GpuModel& h100() {
    static const GpuModel gpu = [] {
        GpuModel model = *find_gpu_model("h100");
        model.sm.warp_start = model.sm.next_block = 0;
        return model;
    }();
    return gpu;
}

TimedOp op(TimedKind kind, std::uint32_t repeat = 1) { return {.kind = kind, .repeat = repeat}; }
TimedOp multiply_adds(std::uint32_t count, std::uint8_t spacing) {
    TimedOp all = op(TimedKind::kMultiplyAdd, count);
    all.spacing = spacing;
    return all;
}
TimedOp shared_load(std::uint16_t wavefronts) {
    TimedOp load = op(TimedKind::kSharedLoad);
    load.passes = wavefronts;
    return load;
}

BlockStream block_of(std::size_t warps, const std::vector<TimedOp>& ops) {
    BlockStream block;
    block.warps.assign(warps, ops);
    return block;
}
SmRun run(const BlockStream& block, std::size_t copies = 1, std::size_t following = 0) {
    return simulate_sm(std::vector<const BlockStream*>(copies, &block), following, h100(), {}, 1);
}

TEST(SmSimulation, EachSchedulerIssuesOneMultiplyAddAClock) {
    EXPECT_NEAR(run(block_of(4, {multiply_adds(1000, 1)})).clocks, 1000, 5);
    EXPECT_NEAR(run(block_of(8, {multiply_adds(1000, 1)})).clocks, 2000, 5);
}

TEST(SmSimulation, BlocksAreAGapApart) {
    const GpuModel& gpu = *find_gpu_model("h100");
    const BlockStream block = block_of(4, {multiply_adds(1000, 1)});
    const auto clocks = [&](std::size_t following) {
        return simulate_sm({&block}, following, gpu, {}, 1).clocks;
    };
    EXPECT_NEAR(clocks(0), gpu.sm.warp_start + 1000, 5);
    EXPECT_NEAR(clocks(2), 3 * (gpu.sm.warp_start + 1000) + 2 * gpu.sm.next_block, 10);
}

// A line waits for a busy DRAM, and more so the busier it is; not for an idle one.
TEST(SmSimulation, ABusyDramLetsLinesWait) {
    BlockStream block;
    std::vector<TimedOp> ops;
    for (std::uint32_t i = 0; i < 64; ++i) {
        block.sectors.push_back(4 * i);
        TimedOp load = op(TimedKind::kGlobalLoad);
        load.passes = 1;
        load.first_sector = i;
        load.sectors = 1;
        TimedOp work = multiply_adds(1, 1);
        work.global_loads = i + 1;
        ops.push_back(load);
        ops.push_back(work);
    }
    block.warps.assign(16, ops);
    const auto clocks = [&](double share) {
        const SmConditions conditions{.dram_share = share, .missed_share = 1};
        return simulate_sm({&block, &block, &block, &block}, 0, h100(), conditions, 1).clocks;
    };
    EXPECT_NEAR(clocks(0), 64 * 700, 0.15 * 64 * 700);
    EXPECT_GT(clocks(0.5), clocks(0));
    EXPECT_GT(clocks(1), clocks(0.5));
}

TEST(SmSimulation, FourWarpsOfASchedulerHideTheLatencyOfDependentMultiplyAdds) {
    EXPECT_NEAR(run(block_of(4, {multiply_adds(1000, 4)})).clocks, 4000, 5);
    EXPECT_NEAR(run(block_of(16, {multiply_adds(1000, 4)})).clocks, 4000, 20);
    EXPECT_NEAR(run(block_of(32, {multiply_adds(1000, 4)})).clocks, 8000, 20);
}

// Lanes a clock of an SM, by the table of "Arithmetic Instructions" in the CUDA C++ Programming
// Guide for compute capability 9.0: 4 warps of 32 lanes with 100 instructions each.
TEST(SmSimulation, EachPipeHasItsRate) {
    const auto clocks = [](TimedKind kind) { return run(block_of(4, {op(kind, 100)})).clocks; };
    const double lanes = 4 * 100 * 32;
    EXPECT_NEAR(clocks(TimedKind::kMultiplyAdd), lanes / 128, 3);
    EXPECT_NEAR(clocks(TimedKind::kIntegerProduct), lanes / 64, 3);
    EXPECT_NEAR(clocks(TimedKind::kInteger), lanes / 64, 3);
    EXPECT_NEAR(clocks(TimedKind::kFp64), lanes / 64, 3);
    EXPECT_NEAR(clocks(TimedKind::kXu), lanes / 16, 9);
    EXPECT_NEAR(clocks(TimedKind::kIssueOnly), 100, 3);
    const SmRun found = run(block_of(4, {op(TimedKind::kXu, 100)}));
    EXPECT_NEAR(found.xu, lanes / 16, 1e-9);
    EXPECT_NEAR(found.sites[0].xu, lanes / 16, 1e-9);
    EXPECT_EQ(found.issued, 400);
}

// Of machine code: an instruction waits until the load before it has cleared its scoreboard, or for
// as many clocks as the one before it says.
TEST(SmSimulation, AnInstructionWaitsForItsScoreboard) {
    TimedOp load = shared_load(1), sum = multiply_adds(1, 1), free = sum;
    load.compiled = sum.compiled = free.compiled = true;
    load.writes = 2;
    sum.waits = 1 << 2;
    free.waits = 1 << 3;
    const double latency = h100().sm.shared_load;
    EXPECT_NEAR(run(block_of(1, {load, sum})).clocks, latency + 1, 2);
    EXPECT_LE(run(block_of(1, {load, free})).clocks, 3);
    free.spacing = 9;
    EXPECT_NEAR(run(block_of(1, {free, free, free})).clocks, 2 * 9 + 1, 1);
}

// Instructions of two pipes fill each other's gaps.
TEST(SmSimulation, PipesWorkAtTheSameTime) {
    std::vector<TimedOp> mixed;
    for (int i = 0; i < 100; ++i) {
        mixed.push_back(op(TimedKind::kXu));
        mixed.push_back(op(TimedKind::kMultiplyAdd, 7));
    }
    EXPECT_NEAR(run(block_of(8, mixed)).clocks, 2 * 100 * 8, 20);
}

// Only one of four sectors of each line: a store takes four clocks of the way to L2 for a line,
// however little is in it.
TEST(SmSimulation, AStoreToManyLinesTakesTheWayToL2) {
    BlockStream block;
    for (std::uint64_t line = 0; line < 32; ++line) block.sectors.push_back(4 * line);
    TimedOp store = op(TimedKind::kGlobalStore);
    store.passes = 1;
    store.sectors = 32;
    TimedOp load = op(TimedKind::kGlobalLoad);
    load.passes = 1;
    load.sectors = 1;
    TimedOp work = multiply_adds(1, 1);
    work.global_loads = 1;
    block.warps = {{store, load, work}};
    EXPECT_NEAR(run(block).clocks, 32 * h100().stored_line_clocks + 263, 8);
}

TEST(SmSimulation, BlocksFindInL1WhatAllOfThemRead) {
    const auto missed = [](std::uint64_t mark) {
        BlockStream block;
        block.sectors = {7 | mark};
        TimedOp load = op(TimedKind::kGlobalLoad);
        load.passes = 1;
        load.sectors = 1;
        block.warps = {{load}};
        return run(block, 4).missed_sectors;
    };
    EXPECT_EQ(missed(0), 4);
    EXPECT_EQ(missed(BlockStream::kOfAllBlocks), 1);
}

TEST(SmSimulation, TheMemoryPipeTakesAWavefrontAClock) {
    const std::vector<TimedOp> loads(100, shared_load(32));
    const SmRun found = run(block_of(4, loads));
    EXPECT_DOUBLE_EQ(found.memory, 4 * 100 * 32);
    EXPECT_NEAR(found.clocks, found.memory, 50);
    // Without conflicts the schedulers' requests, one in two clocks each, are the limit.
    EXPECT_NEAR(run(block_of(4, std::vector<TimedOp>(100, shared_load(1)))).clocks, 400, 60);
}

TEST(SmSimulation, WhatNeedsALoadWaitsForIt) {
    TimedOp work = multiply_adds(1, 1);
    work.shared_loads = 1;
    const SmRun found = run(block_of(1, {shared_load(1), work}));
    EXPECT_NEAR(found.clocks, h100().sm.shared_load, 3);
    EXPECT_NEAR(found.sites[0].waited, h100().sm.shared_load, 4);
}

TEST(SmSimulation, TheSecondLoadOfASectorHitsL1) {
    const auto clocks = [](std::uint64_t second_sector, double& missed) {
        BlockStream block;
        block.sectors = {7, second_sector};
        std::vector<TimedOp> ops;
        for (std::uint32_t i = 0; i < 2; ++i) {
            TimedOp load = op(TimedKind::kGlobalLoad);
            load.passes = 1;
            load.first_sector = i;
            load.sectors = 1;
            TimedOp work = multiply_adds(1, 1);
            work.global_loads = i + 1;
            ops.push_back(load);
            ops.push_back(work);
        }
        block.warps = {ops};
        const SmRun found = run(block);
        missed = found.missed_sectors;
        return found.clocks;
    };
    double missed = 0;
    EXPECT_NEAR(clocks(7, missed), 263 + h100().sm.l1_hit, 8);
    EXPECT_EQ(missed, 1);
    EXPECT_NEAR(clocks(1000, missed), 2 * 263, 12);
    EXPECT_EQ(missed, 2);
}

TEST(SmSimulation, ABarrierWaitsForTheLastWarpOfItsBlock) {
    BlockStream block;
    block.warps = {{multiply_adds(500, 1), op(TimedKind::kBarrier), multiply_adds(10, 1)},
                   {op(TimedKind::kBarrier), multiply_adds(10, 1)},
                   {}};  // a warp without records
    EXPECT_NEAR(run(block).clocks, 500 + h100().sm.barrier + 10, 5);
}

TEST(SmSimulation, AWarpThatEndsIsNotWaitedFor) {
    BlockStream block;
    block.warps = {{op(TimedKind::kBarrier), multiply_adds(10, 1)}, {multiply_adds(300, 1)}};
    EXPECT_NEAR(run(block).clocks, 300 + h100().sm.barrier + 10, 5);
}

TEST(SmSimulation, AWaitForCopiesLeavesTheNewestGroupsOut) {
    const auto clocks = [](std::uint32_t newest) {
        BlockStream block;
        std::vector<TimedOp> ops;
        for (std::uint32_t i = 0; i < 2; ++i) {
            if (i == 1) ops.push_back(multiply_adds(1000, 1));
            TimedOp copy = op(TimedKind::kCopy);
            copy.passes = 1;
            copy.first_sector = i;
            copy.sectors = 1;
            block.sectors.push_back(100 * i);
            ops.push_back(copy);
            ops.push_back(op(TimedKind::kCommit));
        }
        ops.push_back(op(TimedKind::kWaitCopies, newest));
        block.warps = {ops};
        return run(block).clocks;
    };
    EXPECT_NEAR(clocks(1), 1000, 10);        // the first copy has come long ago
    EXPECT_NEAR(clocks(0), 1000 + 263, 15);  // the second one has to come
}

TEST(SmSimulation, FollowingBlocksFillTheGaps) {
    // One block: a load, then work. Alone its latency is not hidden; two at a time hide a part.
    BlockStream block;
    block.sectors = {1};
    TimedOp load = op(TimedKind::kGlobalLoad);
    load.passes = 1;
    load.sectors = 1;
    TimedOp work = multiply_adds(300, 1);
    work.global_loads = 1;
    block.warps.assign(4, {load, work});
    const double one = run(block).clocks;
    EXPECT_NEAR(one, 563, 12);
    EXPECT_NEAR(run(block, 1, 3).clocks, 4 * one, 40);  // one place: one after another
    EXPECT_LT(run(block, 2, 2).clocks, 3 * one);
    EXPECT_GT(run(block, 2, 2).clocks, 4 * 300);  // the work of four blocks
}

}  // namespace
}  // namespace tilereel::sm_simulation_test
