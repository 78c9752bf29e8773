// Counts, costs and hazards of launches that are no matrix products. Expected values are worked out
// by hand from the accesses that each program makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/phases/phase_table.h"
#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/trace/views.h"
#include "tests/analysis/trace_builder.h"
#include "tests/trace/program_traces.h"

namespace tilereel::any_program_counts_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(AnyProgram, CountsOfAReduction) {
    const KernelCounts counts = count_kernel(tests::reduction_trace());
    EXPECT_EQ(counts.global_load.accesses, 128u);
    EXPECT_EQ(counts.global_load.sectors, 16u);
    EXPECT_EQ(counts.global_store.accesses, 2u);
    // A block: 64 stores, then 2 loads and 1 store by 32, 16, ... 1 threads, then one load.
    EXPECT_EQ(counts.shared_store.accesses, 2u * (64 + 63));
    EXPECT_EQ(counts.shared_load.accesses, 2u * (2 * 63 + 1));
    EXPECT_EQ(counts.barriers, 7u);
    // In a step with stride s, the active threads are 2 s apart. The words that a warp reads at
    // once lie within 32 consecutive words, so no two of them share a bank.
    EXPECT_EQ(counts.shared_load.bank_conflicts, 0u);
    EXPECT_EQ(counts.multiply_adds, 0u);
}

TEST(AnyProgram, CountsOfATranspose) {
    const KernelCounts counts = count_kernel(tests::transpose_trace());
    // A warp loads 4 rows of 8 ints: 4 sectors. It stores 4 rows of 8 ints that follow one another.
    EXPECT_EQ(counts.global_load.sectors, 4u * 4);
    EXPECT_EQ(counts.global_store.sectors, 4u * 4);
    EXPECT_EQ(counts.global_load.lines, 4u * 2);  // rows are 64 bytes apart
    EXPECT_EQ(counts.shared_store.accesses, 128u);
    EXPECT_EQ(counts.shared_load.accesses, 128u);
    // A warp's 4 rows (or columns) of 8 words, 9 apart, span 35 words: 3 banks have two of them.
    EXPECT_EQ(counts.shared_store.bank_conflicts, 4u);
    EXPECT_EQ(counts.shared_load.bank_conflicts, 4u);
}

TEST(AnyProgram, CountsOfAHistogram) {
    const KernelCounts counts = count_kernel(tests::histogram_trace());
    EXPECT_EQ(counts.global_load.accesses, 64u);  // bytes
    EXPECT_EQ(counts.global_load.bytes_requested, 64u);
    EXPECT_EQ(counts.global_load.sectors, 2u);
    EXPECT_EQ(counts.shared_atomic.accesses, 64u);
    EXPECT_EQ(counts.shared_atomic.requests, 2u);
    EXPECT_EQ(counts.shared_atomic.collisions, 2u * 29);  // squares modulo 8 are 0, 1 or 4
    EXPECT_EQ(counts.shared_atomic.bank_conflicts, 0u);
    EXPECT_EQ(counts.global_atomic.accesses, 8u);
    EXPECT_EQ(counts.global_atomic.sectors, 1u);
    EXPECT_EQ(counts.global_atomic.collisions, 0u);
    EXPECT_EQ(counts.shared_load.accesses, 8u);
    EXPECT_EQ(counts.shared_store.accesses, 8u);
    EXPECT_EQ(counts.global_store.accesses, 0u);
}

TEST(AnyProgram, CountsOfAStencilInDoubles) {
    const KernelCounts counts = count_kernel(tests::stencil_trace());
    // 64 + 64 threads read themselves, and all but the lowest plane of 16 what lies below.
    EXPECT_EQ(counts.global_load.accesses, 128u + 112u);
    EXPECT_EQ(counts.global_load.bytes_requested, 8u * 240);
    EXPECT_EQ(counts.global_load.sectors, 8u * 240 / 32);
    EXPECT_EQ(counts.constant_load.accesses, 240u);
    EXPECT_EQ(counts.constant_load.requests, 8u);
    EXPECT_EQ(counts.constant_load.wavefronts, 8u) << "one address a request";
    EXPECT_EQ(counts.multiply_adds, 240u);
    EXPECT_EQ(counts.global_store.bytes_requested, 8u * 128);
}

RequestCost cost(Space space, Operation operation, std::uint32_t width,
                 std::uint32_t (*offset)(std::uint32_t lane)) {
    WarpAccess access{.space = space, .operation = operation, .width_bytes = width};
    access.lanes.mask = 0xffffffff;
    for (std::uint32_t lane = 0; lane < 32; ++lane) access.lanes.bytes[lane] = offset(lane);
    return cost_of(access);
}

TEST(AnyProgram, BytesOfOneWordDoNotConflict) {
    constexpr auto byte = [](std::uint32_t lane) { return lane; };
    EXPECT_EQ(cost(Space::kShared, Operation::kLoad, 1, byte).wavefronts, 1u);
    EXPECT_EQ(cost(Space::kShared, Operation::kStore, 1, byte).wavefronts, 1u);
    constexpr auto half = [](std::uint32_t lane) { return 2 * lane; };
    EXPECT_EQ(cost(Space::kShared, Operation::kLoad, 2, half).wavefronts, 1u);
    constexpr auto apart = [](std::uint32_t lane) { return 128 * lane + lane % 4; };
    EXPECT_EQ(cost(Space::kShared, Operation::kLoad, 1, apart).wavefronts, 32u);
    EXPECT_EQ(cost(Space::kGlobal, Operation::kLoad, 1, byte).sectors, 1u);
    EXPECT_EQ(cost(Space::kGlobal, Operation::kLoad, 2, half).sectors, 2u);
    EXPECT_EQ(cost(Space::kGlobal, Operation::kLoad, 1, byte).bytes_used, 32u);
}

TEST(AnyProgram, ConstantMemoryIsReadAddressByAddress) {
    constexpr auto four = [](std::uint32_t lane) { return lane % 4 * 4; };
    EXPECT_EQ(cost(Space::kConstant, Operation::kLoad, 4, four).wavefronts, 4u);
    EXPECT_EQ(cost(Space::kConstant, Operation::kLoad, 4, four).sectors, 0u);
}

// A base that is not a multiple of a word moves a request's bytes into other words.
TEST(AnyProgram, CostsDoNotMixBasesWithinAWord) {
    TraceBuilder builder;
    const ArrayId bytes = builder.add_array("bytes", Space::kShared, 1, 1024);
    builder.begin_segment(0, 0, 0);
    for (const std::uint32_t base : {0u, 2u})  // lanes 0 and 1: one word, then two of one bank
        builder.access(
            Operation::kLoad, bytes,
            [base](int lane) { return base + static_cast<std::uint32_t>(lane) * 126; }, 3, 1);
    Trace trace = builder.take();
    trace.records.pattern[1] = trace.records.pattern[0];
    CostCache costs(trace);
    EXPECT_EQ(costs(0).wavefronts, 1u);  // words 0 and 31
    EXPECT_EQ(costs(1).wavefronts, 2u);  // words 0 and 32: one bank
}

TEST(AnyProgram, ProgramsWithoutRacesHaveNoFindings) {
    EXPECT_THAT(find_hazards(tests::reduction_trace()), IsEmpty());
    EXPECT_THAT(find_hazards(tests::transpose_trace()), IsEmpty());
    EXPECT_THAT(find_hazards(tests::histogram_trace()), IsEmpty());
    EXPECT_THAT(find_hazards(tests::stencil_trace()), IsEmpty());
}

// The races between an access of warp 0 to byte 0 and one of warp 1 to byte `apart`.
std::vector<Finding> race_of(Operation first, Operation second, std::uint8_t width = 4,
                             std::uint32_t apart = 0) {
    TraceBuilder builder;
    const ArrayId shared = builder.add_array("shared", Space::kShared, 1, 64);
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kStore, shared, [](int lane) { return 4u * lane; });
    builder.barrier();
    builder.begin_segment(0, 1, 0);
    builder.access(
        first, shared, [](int) { return 0u; }, 1, width);
    builder.begin_segment(0, 1, 1);
    builder.access(
        second, shared, [apart](int) { return apart; }, 1, width);
    Trace trace = builder.take();
    trace.launch.block = {64, 1, 1};
    std::vector<Finding> races;
    for (const Finding& finding : find_hazards(trace))
        if (finding.hazard == Hazard::kRace) races.push_back(finding);
    return races;
}

TEST(AnyProgram, AtomicsRaceWithPlainAccessesOnly) {
    EXPECT_THAT(race_of(Operation::kAtomic, Operation::kAtomic), IsEmpty());
    EXPECT_THAT(race_of(Operation::kAtomic, Operation::kLoad), SizeIs(1));
    EXPECT_THAT(race_of(Operation::kStore, Operation::kAtomic), SizeIs(1));
}

TEST(AnyProgram, DifferentBytesOfOneWordDoNotRace) {
    EXPECT_THAT(race_of(Operation::kStore, Operation::kStore, 1, 1), IsEmpty());
    EXPECT_THAT(race_of(Operation::kStore, Operation::kStore, 1, 0), SizeIs(1));
    EXPECT_THAT(race_of(Operation::kStore, Operation::kLoad, 2, 2), IsEmpty());
}

TEST(AnyProgram, AnAtomicOnUnwrittenMemoryIsAFinding) {
    TraceBuilder builder;
    const ArrayId bins = builder.add_array("bins", Space::kShared, 1, 8);
    builder.begin_segment(0, 0, 0);
    builder.access(
        Operation::kAtomic, bins, [](int) { return 0u; }, 1);
    builder.access(
        Operation::kAtomic, bins, [](int) { return 0u; }, 1);
    const std::vector<Finding> findings = find_hazards(builder.take());
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].hazard, Hazard::kNeverWritten);
}

TEST(AnyProgram, PhasesAreEpochs) {
    const Trace trace = tests::reduction_trace();
    const BlockPhases phases = phases_of_block(trace, 1);
    EXPECT_EQ(phases.count, 8u);
    const SegmentRange range = segments_of_block(trace, 1);
    for (std::size_t segment = range.first; segment < range.last; ++segment)
        for (const std::uint64_t record : records_of(trace.segments, segment))
            EXPECT_EQ(phases.phase[record - phases.first_record], trace.segments.epoch[segment]);
    EXPECT_EQ(phases_of_block(tests::stencil_trace(), 0).count, 1u);
    EXPECT_FALSE(phase_table(trace, 0));
}

TEST(AnyProgram, AThreadHasAsManyIndicesAsItsBlockHasExtents) {
    EXPECT_EQ(name_of_thread(tests::stencil_trace(), 39), "thread (3,1,2) of warp 1");
    EXPECT_EQ(name_of_thread(tests::transpose_trace(), 39), "thread (7,4) of warp 1");
    EXPECT_EQ(name_of_thread(tests::reduction_trace(), 39), "thread 39 of warp 1");
}

}  // namespace
}  // namespace tilereel::any_program_counts_test
