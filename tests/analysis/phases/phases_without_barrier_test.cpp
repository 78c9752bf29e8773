// The phases of kernels that are recorded without one of their barriers.
#include <gtest/gtest.h>

#include <bit>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/phases/phases.h"
#include "kernels/catalog.h"

namespace tilereel::phases_without_barrier_test {
namespace {

Trace record(const char* kernel, int tile, std::uint32_t removed, ThreadOrder order) {
    RecordRequest request{.kernel = kernel,
                          .parameters = {.m = tile, .n = tile, .k = tile, .tile = tile, .pad = 0},
                          .inputs = {}};
    request.removed_barrier = removed;
    request.order = order;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace);
    return std::move(trace).value();
}

// A program says nothing of a missing barrier: its records show that it overwrites what it reads.
TEST(PhasesWithoutBarrier, AreFoundInTheRecordsAlone) {
    for (const char* kernel : {"07_tiled_b_uncoalesced", "08_tiled_b_transposed", "09_tiled"}) {
        const auto line = static_cast<std::uint32_t>(find_kernel(kernel)->barriers[1].line);
        for (const ThreadOrder order : {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward}) {
            RecordRequest request;
            request.kernel = kernel;
            request.parameters = {16, 16, 48, 16, 0};
            request.removed_barrier = line;
            request.order = order;
            Trace trace = record_built_in(request).value();
            trace.launch.removed_barrier = 0;
            const BlockPhases phases = phases_of_block(trace, 0);
            EXPECT_EQ(phases.count, 3u) << kernel;
            // In each phase each of the 8 warps loads a row pair of A and of B, and stores both.
            std::vector<int> loads(3), stores(3);
            for (std::size_t row = 0; row < phases.phase.size(); ++row) {
                const Site& site = site_at(trace, phases.first_record + row);
                if (site.array == kNoArray) continue;
                const bool shared = trace.arrays[site.array].space == Space::kShared;
                if (site.operation == Operation::kLoad && !shared) ++loads[phases.phase[row]];
                if (site.operation == Operation::kStore && shared) ++stores[phases.phase[row]];
            }
            EXPECT_EQ(loads, (std::vector<int>{16, 16, 16})) << kernel;
            EXPECT_EQ(stores, (std::vector<int>{16, 16, 16})) << kernel;
        }
    }
}

TEST(PhasesWithoutBarrier, AreThoseOfTheKernelWithItsBarrier) {
    for (const auto& [kernel, tile] :
         {std::pair{"05_guide_ab_shared", 8}, {"06_single_block", 16}}) {
        const auto line = static_cast<std::uint32_t>(find_kernel(kernel)->barriers[0].line);
        ASSERT_EQ(find_kernel(kernel)->barriers.size(), 1u);
        for (const ThreadOrder order : {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                        ThreadOrder::kWarpsBackward, ThreadOrder::kLanes}) {
            const Trace trace = record(kernel, tile, line, order);
            const BlockPhases phases = phases_of_block(trace, 0);
            EXPECT_EQ(phases.count, 1u);
            EXPECT_TRUE(phases.barriers);
            for (std::size_t row = 0; row < phases.part.size(); ++row) {
                const Site& site = site_at(trace, phases.first_record + row);
                // Both inputs are loaded into shared memory, and only C is stored.
                const bool of_c = site.array < 3 && trace.arrays[site.array].name == "C";
                const bool shared = site.array < trace.arrays.size() &&
                                    trace.arrays[site.array].space == Space::kShared;
                const Part expected = site.operation == Operation::kMultiplyAdd     ? Part::kCompute
                                      : site.operation == Operation::kStore && of_c ? Part::kStore
                                      : site.operation == Operation::kLoad && shared
                                          ? Part::kCompute
                                          : Part::kLoad;
                EXPECT_EQ(phases.part[row], expected) << kernel << " line " << site.line;
            }
        }
    }
}

// Without the barrier at the end of the loop a warp continues with the next iteration. What it
// loads then belongs to the next phase, as the loaded elements show.
TEST(PhasesWithoutBarrier, WhatIsLoadedAfterComputingIsOfTheNextPhase) {
    constexpr std::uint32_t kTile = 4;
    const auto line = static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[1].line);
    for (const ThreadOrder order : {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                    ThreadOrder::kWarpsBackward, ThreadOrder::kLanes}) {
        RecordRequest request{.kernel = "09_tiled",
                              .parameters = {.m = 4, .n = 4, .k = 16, .tile = kTile, .pad = 0},
                              .inputs = {}};
        request.removed_barrier = line;
        request.order = order;
        const Trace trace = record_built_in(request).value();
        const BlockPhases phases = phases_of_block(trace, 0);
        EXPECT_EQ(phases.count, 4u);
        std::uint32_t loads = 0, last_of_lane[32] = {};
        for (std::size_t row = 0; row < phases.phase.size(); ++row) {
            const std::size_t record = phases.first_record + row;
            const Site& site = site_at(trace, record);
            const LaneOffsets lanes = lane_offsets(trace, record);
            const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes.mask));
            if (site.operation == Operation::kLoad && site.array < 2) {
                const std::uint32_t element = lanes.bytes[first] / 4;
                const std::uint32_t k = site.array == 0 ? element % 16 : element / 4;
                EXPECT_EQ(phases.phase[row], k / kTile);
                EXPECT_EQ(phases.part[row], Part::kLoad);
                ++loads;
                last_of_lane[first] = phases.phase[row];
            } else if (site.operation == Operation::kStore && site.array > 2) {
                EXPECT_EQ(phases.phase[row], last_of_lane[first]) << "stores what it has loaded";
            }
        }
        EXPECT_GT(loads, 0u);
    }
}

// 04 has a warp barrier only. Without that barrier, too, a phase is an iteration of its k loop.
TEST(PhasesWithoutBarrier, WithoutAWarpBarrierPhasesAreIterations) {
    const auto line =
        static_cast<std::uint32_t>(find_kernel("04_guide_a_shared")->barriers[0].line);
    const Trace trace = record("04_guide_a_shared", 8, line, ThreadOrder::kRoundRobin);
    EXPECT_EQ(phases_of_block(trace, 0).count, 8u);
    EXPECT_FALSE(phases_of_block(trace, 0).barriers);
}

}  // namespace
}  // namespace tilereel::phases_without_barrier_test
