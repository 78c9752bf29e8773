// A kernel that has lost its only block barrier goes through the phases that it had with it.
#include <gtest/gtest.h>

#include "instrumentation/analysis/phases.h"
#include "instrumentation/record/record.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

Trace record(const char* kernel, int tile, std::uint32_t removed, ThreadOrder order) {
    RecordRequest request{.kernel = kernel,
                          .parameters = {.m = tile, .n = tile, .k = tile, .tile = tile, .pad = 0},
                          .inputs = {}};
    request.removed_barrier = removed;
    request.order = order;
    Result<Trace> trace = record_with_emulator(request);
    EXPECT_TRUE(trace);
    return std::move(trace).value();
}

TEST(PhasesWithoutBarrier, AreThoseOfTheWholeKernel) {
    for (const auto& [kernel, tile] :
         {std::pair{"05_guide_ab_shared", 8}, {"06_single_block", 16}}) {
        const auto line = static_cast<std::uint32_t>(find_kernel(kernel)->barriers[0].line);
        ASSERT_EQ(find_kernel(kernel)->barriers.size(), 1u);
        for (const ThreadOrder order : {ThreadOrder::kTurns, ThreadOrder::kWarpsForward,
                                        ThreadOrder::kWarpsBackward, ThreadOrder::kLanes}) {
            const Trace trace = record(kernel, tile, line, order);
            const BlockPhases phases = phases_of_block(trace, 0);
            EXPECT_EQ(phases.count, 1u);
            EXPECT_TRUE(phases.barriers);
            for (std::size_t row = 0; row < phases.part.size(); ++row) {
                const Site& site = trace.sites[site_of(trace, phases.first_record + row)];
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

// 04 has a warp barrier only: a phase is a trip of its k loop, with it or without.
TEST(PhasesWithoutBarrier, AWarpBarrierMakesNone) {
    const auto line =
        static_cast<std::uint32_t>(find_kernel("04_guide_a_shared")->barriers[0].line);
    const Trace trace = record("04_guide_a_shared", 8, line, ThreadOrder::kTurns);
    EXPECT_EQ(phases_of_block(trace, 0).count, 8u);
    EXPECT_FALSE(phases_of_block(trace, 0).barriers);
}

}  // namespace
}  // namespace tilereel
