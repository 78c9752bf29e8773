#include "instrumentation/analysis/hazards/hazards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/trace_builder.h"

namespace tilereel::hazards_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Warps of one block that access a row of shared memory, As, of 64 floats.
struct Block {
    TraceBuilder builder{};
    ArrayId as = builder.add_array("As", Space::kShared, 1, 64);

    void segment(std::uint32_t epoch, std::uint16_t warp) { builder.begin_segment(0, epoch, warp); }
    void store(int shift = 0, std::uint32_t mask = 0xffffffff) {
        builder.access(Operation::kStore, as, offset(shift), mask);
    }
    void load(int shift = 0, std::uint32_t mask = 0xffffffff) {
        builder.access(Operation::kLoad, as, offset(shift), mask);
    }
    // Lane i's word is i + shift.
    static TraceBuilder::OffsetOfLane offset(int shift) {
        return [shift](int lane) { return static_cast<std::uint32_t>(4 * (lane + shift)); };
    }
    std::vector<Finding> findings(const char* generation = "9.0") {
        trace = builder.take();
        trace.launch.block = {32, warps, 1};
        trace.complete = complete;
        return find_hazards(trace, *find_generation(generation));
    }
    std::uint32_t warps = 2;
    bool complete = true;
    Trace trace{};
};

TEST(Hazards, TwoWarpsInOneEpochAreAnErrorOnEveryGeneration) {
    for (const char* generation : {"9.0", "1.0"}) {
        Block block;
        block.segment(0, 0);
        block.store();
        block.segment(0, 1);
        block.load(8, 0x0000000f);  // words 8 to 11
        const std::vector<Finding> findings = block.findings(generation);
        ASSERT_EQ(findings.size(), 1u);
        const Finding& race = findings[0];
        EXPECT_EQ(race.hazard, Hazard::kRace);
        EXPECT_EQ(race.severity, Severity::kError);
        EXPECT_EQ(block.trace.sites[race.first.site].operation, Operation::kStore);
        EXPECT_EQ(race.first.thread, 8u);
        EXPECT_EQ(race.second.thread, 32u);
        EXPECT_EQ(race.column, 8u);
        EXPECT_EQ(race.cells, 4u);
        EXPECT_THAT(sentence_of(block.trace, race), HasSubstr("thread (8,0) of warp 0 writes As"));
        EXPECT_THAT(sentence_of(block.trace, race), HasSubstr("thread (0,1) of warp 1 reads it"));
    }
}

TEST(Hazards, WhichWarpComesFirstInTheTraceDoesNotMatter) {
    Block block;
    block.segment(0, 0);
    block.load();
    block.segment(0, 1);
    block.store();
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Severity::kError);
    EXPECT_EQ(findings[0].cells, 32u);
}

TEST(Hazards, ABarrierOrdersTheAccessesOfTwoWarps) {
    Block block;
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        block.segment(0, warp);
        block.store(warp * 32);
        block.builder.barrier();
    }
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        block.segment(1, warp);
        block.load(32 - warp * 32);
    }
    EXPECT_THAT(block.findings(), IsEmpty());
}

TEST(Hazards, AThreadDoesNotRaceWithItself) {
    Block block;
    block.segment(0, 0);
    block.store();
    block.load();
    block.store();
    block.segment(0, 1);
    block.store(32);
    block.load(32);
    EXPECT_THAT(block.findings(), IsEmpty());
}

TEST(Hazards, TwoInstructionsOfOneWarpAreAWarningFromCompute7) {
    const auto neighbours = [](const char* generation) {
        Block block;
        block.segment(0, 0);
        block.store();
        block.load(1, 0x7fffffff);
        return block.findings(generation);
    };
    const std::vector<Finding> findings = neighbours("7.0");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Severity::kWarning);
    EXPECT_EQ(findings[0].cells, 31u);
    EXPECT_THAT(neighbours("6.1"), IsEmpty());
}

TEST(Hazards, ASyncwarpOrdersTheLanesOfAWarp) {
    Block block;
    block.segment(0, 0);
    block.store();
    block.builder.barrier(Operation::kWarpBarrier);
    block.load(1, 0x7fffffff);
    const std::vector<Finding> write_after_read = [&] {
        block.store();  // lane i + 1 overwrites what lane i read
        return block.findings();
    }();
    ASSERT_EQ(write_after_read.size(), 1u);
    EXPECT_EQ(write_after_read[0].severity, Severity::kWarning);
    EXPECT_EQ(block.trace.sites[write_after_read[0].first.site].operation, Operation::kLoad);

    Block clean;
    clean.segment(0, 0);
    for (int trip = 0; trip < 3; ++trip) {
        clean.store();
        clean.builder.barrier(Operation::kWarpBarrier);
        clean.load(1, 0x7fffffff);
        clean.builder.barrier(Operation::kWarpBarrier);
    }
    EXPECT_THAT(clean.findings(), IsEmpty());
}

TEST(Hazards, ASyncwarpDoesNotOrderTwoWarps) {
    Block block;
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
        block.segment(0, warp);
        block.store();
        block.builder.barrier(Operation::kWarpBarrier);
        block.load();
    }
    int errors = 0;
    for (const Finding& finding : block.findings()) errors += finding.severity == Severity::kError;
    EXPECT_EQ(errors, 2);  // write and write, write and read
}

TEST(Hazards, LanesOfOneInstructionDoNotRace) {
    Block block;
    block.segment(0, 0);
    block.builder.access(Operation::kStore, block.as, [](int) { return 0u; });
    EXPECT_THAT(block.findings(), IsEmpty());
}

TEST(Hazards, WideAccessesTouchEveryWord) {
    Block block;
    block.segment(0, 0);
    block.builder.access(
        Operation::kStore, block.as, [](int) { return 16u; }, 1, 16);  // words 4 to 7
    block.segment(0, 1);
    block.store(6, 0x00000003);  // words 6 and 7
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].cells, 2u);
    EXPECT_EQ(findings[0].column, 6u);
}

TEST(Hazards, ReadsOfUnwrittenCells) {
    Block block;
    block.warps = 1;
    block.segment(0, 0);
    block.store(0, 0x0000ffff);
    block.builder.barrier();
    block.segment(1, 0);
    block.load();
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kNeverWritten);
    EXPECT_EQ(findings[0].first.thread, 16u);
    EXPECT_EQ(findings[0].column, 16u);
    EXPECT_EQ(findings[0].cells, 16u);
}

TEST(Hazards, SharedMemoryStartsUnwrittenInEveryBlock) {
    Block block;
    block.warps = 1;
    block.segment(0, 0);
    block.store();
    block.builder.barrier();
    block.segment(1, 0);
    block.load();
    block.builder.begin_segment(1, 0, 0);
    block.load();
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].block, 1u);
}

TEST(Hazards, ABarrierThatAWarpSkips) {
    Block block;
    block.segment(0, 0);
    block.store();
    block.builder.barrier();
    block.segment(0, 1);
    block.store(32);
    block.segment(1, 1);  // goes on without having waited
    block.store(32);
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kBarrierDivergence);
    EXPECT_EQ(findings[0].second.thread, 32u);
}

// A bounds guard before a barrier, and a barrier in a branch whose other threads end.
TEST(Hazards, ABarrierThatThreadsSkipBeforeTheyEndIsAWarning) {
    Block block;
    block.segment(0, 0);
    block.store(0, 0x00ffffff);
    block.builder.barrier(Operation::kBarrier, 0, 0x00ffffff);
    block.segment(0, 1);
    block.store(32);
    const std::vector<Finding> findings = block.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kBarrierSkipped);
    EXPECT_EQ(findings[0].severity, Severity::kWarning);
    EXPECT_EQ(findings[0].threads, 8u + 32u);
    EXPECT_EQ(findings[0].second.thread, 24u);
    EXPECT_THAT(sentence_of(block.trace, findings[0]),
                HasSubstr("40 of 64 threads of the block skip the barrier on line 0: thread (24,0) "
                          "of warp 0 and others end without it"));
    EXPECT_EQ(text_of(block.trace, findings[0]).advice,
              "move it out of the branch, and let threads without work reach it, too");
}

TEST(Hazards, ATraceThatWasCutOffDoesNotTellWhichThreadsEnd) {
    Block block;
    block.complete = false;
    block.segment(0, 0);
    block.store();
    block.builder.barrier();
    EXPECT_THAT(block.findings(), IsEmpty());
}

}  // namespace
}  // namespace tilereel::hazards_test
