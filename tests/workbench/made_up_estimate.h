#pragma once
// An estimate that costs no time, for tests of what is asked, kept and drawn.
#include <algorithm>
#include <string>
#include <utility>

#include "app/workbench/time/time_bench.h"
#include "instrumentation/base/check.h"
#include "kernels/catalog.h"

namespace tilereel {

// A launch that one pipe limits: 2 ms, line 30 with nine tenths of the memory pipe for As and Bs,
// another TILE that is twice as fast.
inline EstimatedLaunch made_up_estimate(const TimeQuestion& question) {
    EstimatedLaunch launch;
    launch.title = question.trace ? question.trace->launch.kernel : question.request.kernel;
    launch.is_product = question.trace == nullptr;
    launch.flop = 18'000'000'000;
    launch.arrays = {{"A", Space::kGlobal}, {"As", Space::kShared}, {"Bs", Space::kShared}};
    TimeEstimate& found = launch.estimate;
    found.seconds = 2e-3;
    found.low = found.seconds / kBandOfProducts;
    found.high = found.seconds * kBandOfProducts;
    found.limiter = Pipe::kMemory;
    found.busy = {0.88, 0.14, 0.36, 0, 0.21, 0.01};
    found.dram_bytes = 50e6;
    found.occupancy.blocks = 2;
    found.occupancy.warps = found.occupancy.most_warps = 64;
    found.waves = 15.5;
    found.blocks = 4096;
    found.l1_hits = 0.25;
    found.lines = {{.line = 30, .share = 0.9, .waited = 10, .arrays = {{2, 0.6}, {1, 0.3}}},
                   {.line = 26, .share = 0.1, .waited = 5, .arrays = {{0, 0.1}}}};
    if (!question.with_changes) return launch;
    launch.changes = {
        {.kind = ChangeKind::kNoConflicts, .what = "without bank conflicts", .seconds = 2e-3},
        {.kind = ChangeKind::kCoalesced, .what = "every access coalesced", .seconds = 2e-3}};
    if (question.trace) return launch;
    const KernelInfo* const kernel = find_kernel(question.request.kernel);
    for (const int tile : kernel == nullptr ? std::span<const int>() : kernel->tiles) {
        if (tile == question.request.parameters.tile) continue;
        RecordRequest other = question.request;
        other.parameters.tile = tile;
        launch.changes.push_back({.kind = ChangeKind::kVariant,
                                  .what = "TILE " + std::to_string(tile),
                                  .seconds = tile == 32 ? 1e-3 : 4e-3,
                                  .blocks_an_sm = tile == 32 ? 1 : 8,
                                  .launch = std::move(other)});
    }
    RecordRequest padded = question.request;
    padded.parameters.pad = question.request.parameters.pad == 0 ? 1 : 0;
    launch.changes.push_back({.kind = ChangeKind::kVariant,
                              .what = "PAD " + std::to_string(padded.parameters.pad),
                              .seconds = 2e-3,
                              .blocks_an_sm = 3,
                              .launch = std::move(padded)});
    return launch;
}

// What a product of 16 x 16 blocks finds in an L2 that is too small for B.
inline EstimatedLaunch made_up_l2() {
    constexpr std::uint64_t kTiles = 16, kUnit = 64, kStrip = kFootprintSteps * kUnit;
    std::vector<BlockFootprint> blocks;
    for (const std::uint32_t block : {0u, 1u, 16u}) {
        BlockFootprint made{.block = block, .runs = {}, .begin = {0}};
        for (std::uint64_t step = 0; step < kFootprintSteps; ++step) {
            const std::uint64_t a = block / kTiles * kStrip + step * kUnit;
            const std::uint64_t b = block % kTiles * kStrip + step * kUnit;
            made.runs.push_back({0, false, a, a + kUnit});
            made.runs.push_back({1, false, b, b + kUnit});
            made.begin.push_back(static_cast<std::uint32_t>(made.runs.size()));
        }
        blocks.push_back(std::move(made));
    }
    const FootprintArray matrix{.bytes = kTiles * kStrip, .row_bytes = kStrip};
    const auto launch = LaunchFootprint::of({kTiles, kTiles, 1}, blocks, {matrix, matrix});
    LaunchL2 l2{.grid = launch->grid(), .of_each = 2, .at_once = 16};
    l2.names = {"A", "B"};
    l2.arrays = launch->arrays();
    l2.of_rows = {true, false};
    l2.of_columns = {false, true};
    for (const std::uint32_t rows : {1u, kRowsOfGroup}) {
        L2Question question{
            .launch = &*launch, .l2_bytes = 8 * kStrip, .multiprocessors = 8, .of_each = 2};
        question.order = {rows};
        OrderedL2 ordered{.order = question.order};
        ordered.run = run_through_l2(question).value();
        question.pace = BlockPace::kTogether;
        ordered.together = run_through_l2(question)->all;
        l2.orders.push_back(std::move(ordered));
    }
    EstimatedLaunch found;
    found.l2 = std::make_shared<const LaunchL2>(std::move(l2));
    return found;
}

inline EstimateLaunch made_up_estimates() {
    return [](const TimeQuestion& question, RecordProgress*, const EstimateStep& step) {
        if (question.only_l2) return Result<EstimatedLaunch>(made_up_l2());
        EstimatedLaunch found = made_up_estimate(question);
        if (step) step(found);
        return Result<EstimatedLaunch>(std::move(found));
    };
}

}  // namespace tilereel
