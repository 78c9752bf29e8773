// Findings about barriers in shared memory do not depend on which warp a trace lists first.
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/affected_cells.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::phase_races_test {
namespace {

// One block, one epoch: warp `initialiser` initialises barrier 0, the other warp arrives at it.
Trace initialised_and_arrived(std::uint16_t initialiser) {
    TraceBuilder builder;
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        builder.begin_segment(0, 0, warp);
        builder.barrier(warp == initialiser ? Operation::kInitBarrier : Operation::kArrive);
    }
    Trace trace = builder.take();
    trace.launch.block = {2 * kWarpSize, 1, 1};
    return trace;
}

TEST(PhaseRaces, AnArrivalNotOrderedAfterTheInitialisationIsFoundInAnyOrderOfWarps) {
    for (const std::uint16_t initialiser : {std::uint16_t{0}, std::uint16_t{1}}) {
        const Trace trace = initialised_and_arrived(initialiser);
        const std::vector<Finding> findings = find_hazards(trace);
        ASSERT_EQ(findings.size(), 1u) << initialiser;
        EXPECT_EQ(findings[0].hazard, Hazard::kNotInitialised);
        EXPECT_EQ(findings[0].first.thread / kWarpSize, initialiser);
        EXPECT_EQ(findings[0].second.thread / kWarpSize, 1u - initialiser);
    }
}

TEST(PhaseRaces, AFindingAboutABarrierAffectsNoCell) {
    const Trace trace = initialised_and_arrived(0);
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_TRUE(affected_cells(trace, findings, 0, default_generation()).empty());
}

TEST(PhaseRaces, ABlockBarrierOrdersInitialisationAndArrival) {
    TraceBuilder builder;
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        builder.begin_segment(0, 0, warp);
        if (warp == 1) builder.barrier(Operation::kInitBarrier);
        builder.barrier();
    }
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        builder.begin_segment(0, 1, warp);
        builder.barrier(Operation::kArrive);
    }
    Trace trace = builder.take();
    trace.launch.block = {2 * kWarpSize, 1, 1};
    EXPECT_TRUE(find_hazards(trace).empty());
}

TEST(PhaseRaces, AUseBeforeTheInitialisationByItsOwnThreadIsFound) {
    TraceBuilder builder;
    builder.begin_segment(0, 0, 0);
    builder.barrier(Operation::kArrive);
    builder.barrier(Operation::kInitBarrier);
    const std::vector<Finding> findings = find_hazards(builder.take());
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].hazard, Hazard::kNotInitialised);
}

}  // namespace
}  // namespace tilereel::phase_races_test
