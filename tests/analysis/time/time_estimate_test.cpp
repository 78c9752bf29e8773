// The rules of the estimate that are not the simulation of an SM.
#include "instrumentation/analysis/time/time_estimate.h"

#include <gtest/gtest.h>

#include "app/ladder/ladder.h"

namespace tilereel::time_estimate_test {
namespace {

Trace recorded(const char* kernel, int size, int tile) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {.m = size, .n = size, .k = size, .tile = tile, .pad = 0};
    return record_ladder(request).value();
}
TimedLaunch launch_of(const Trace& trace, std::uint64_t blocks) {
    return {.trace = &trace,
            .blocks = blocks,
            .resources = {.threads = static_cast<int>(trace.launch.threads()),
                          .registers_per_thread = 32,
                          .shared_bytes = trace.launch.shared_bytes},
            .dram = {}};
}
TimeEstimate estimate(const TimedLaunch& launch, const GpuModel& gpu) {
    return estimate_time(launch, gpu).value();
}

// 64 threads that add up 8 products each take an SM a few dozen clocks; a GPU that starts 1,640
// blocks a microsecond starts one on each of 132 SMs in 159.
TEST(TimeEstimate, NoMoreBlocksRunThanTheGpuCanStart) {
    const Trace trace = recorded("02_naive", 8, 8);
    GpuModel gpu = *find_gpu_model("h100");
    const std::uint64_t blocks = 1 << 20;
    const TimeEstimate found = estimate(launch_of(trace, blocks), gpu);
    const double starting = static_cast<double>(blocks) / gpu.blocks_a_us * 1e-6;
    const double launching = gpu.launch_clocks / gpu.clock_ghz * 1e-9;
    EXPECT_TRUE(found.block_starts);
    EXPECT_TRUE(found.latency);
    EXPECT_NEAR(found.seconds, starting + launching, 1e-9);
    gpu.blocks_a_us = 0;  // not known
    const TimeEstimate without = estimate(launch_of(trace, blocks), gpu);
    EXPECT_FALSE(without.block_starts);
    EXPECT_LT(without.seconds, 0.7 * found.seconds);
    // Blocks that do much are not limited so.
    const Trace tiled = recorded("09_tiled", 64, 32);
    EXPECT_FALSE(estimate(launch_of(tiled, blocks), *find_gpu_model("h100")).block_starts);
}

// Where a pipe of the SM is busy, its oldest block gets on most; where all wait, they get on alike.
TEST(TimeEstimate, BlocksThatCompeteForAPipeGetOnInTurn) {
    const Trace trace = recorded("09_tiled", 64, 16);
    const GpuModel& gpu = *find_gpu_model("h100");
    for (const auto& [blocks, in_turn] : {std::pair{1 << 16, true}, std::pair{1, false}}) {
        TimedLaunch launch = launch_of(trace, static_cast<std::uint64_t>(blocks));
        launch.dram = {.asked = 1e6, .fetched = 1e5, .written = 1e4};
        launch.dram_in_turn = DramBytes{.asked = 1e6, .fetched = 4e5, .written = 1e4};
        const TimeEstimate found = estimate(launch, gpu);
        EXPECT_EQ(found.dram_bytes, in_turn ? 4.1e5 : 1.1e5) << blocks;
        EXPECT_GT(in_turn ? found.busy[static_cast<std::size_t>(Pipe::kMemory)] : 1, 0.9);
    }
}

// What L2 has comes sooner than what DRAM has: 263 clocks, not 700.
TEST(TimeEstimate, WhatL2HasComesSooner) {
    const Trace trace = recorded("02_naive", 64, 16);
    TimedLaunch launch = launch_of(trace, 132);
    launch.cold = false;
    launch.dram = {.asked = 1e4, .fetched = 1e4, .written = 0};
    GpuModel gpu = *find_gpu_model("h100");
    gpu.l2_bytes = 1e3;  // does not keep what the launch fetches
    const double from_dram = estimate(launch, gpu).seconds;
    GpuModel fast = gpu;
    fast.dram_latency = fast.l2_latency;
    const double as_from_l2 = estimate(launch, fast).seconds;
    launch.dram.asked = 1e7;  // one line of a thousand comes from DRAM
    const double from_l2 = estimate(launch, gpu).seconds;
    // Warps wait for at least one round of loads.
    const double one_wait = (gpu.dram_latency - gpu.l2_latency) / gpu.clock_ghz * 1e-9;
    EXPECT_GT(from_dram - as_from_l2, one_wait);
    EXPECT_NEAR(from_l2, as_from_l2, 0.1 * (from_dram - as_from_l2));
}

// A profiler's share is that of all SMs: one block keeps one of 132 busy.
TEST(TimeEstimate, AnIdleSmIsNotBusy) {
    const Trace trace = recorded("09_tiled", 64, 16);
    const auto memory = [&](std::uint64_t blocks) {
        return estimate(launch_of(trace, blocks), *find_gpu_model("h100"))
            .busy[static_cast<std::size_t>(Pipe::kMemory)];
    };
    EXPECT_NEAR(memory(132) / memory(1), 132, 1);
    EXPECT_TRUE(estimate(launch_of(trace, 1), *find_gpu_model("h100")).latency);
}

}  // namespace
}  // namespace tilereel::time_estimate_test
