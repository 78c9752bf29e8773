// How often a warp runs the parts of handmade machine code. The counts follow from the loops that
// the code stands for.
#include "instrumentation/analysis/machine/machine_executions.h"

#include <gtest/gtest.h>

#include "instrumentation/analysis/machine/linear_program.h"

namespace tilereel::machine_executions_test {
namespace {

using Kind = MachineKind;

// Code of loads and arithmetic; the places of loads are their lines.
struct Code {
    MachineKernel kernel;
    PlaceOfInstruction places;
    void add(Kind kind, std::uint32_t line = 0, std::uint8_t width = 4) {
        kernel.instructions.push_back({.kind = kind, .width_bytes = width, .line = line});
        places.push_back({0, line, class_of(kind)});
    }
    void branch(std::uint32_t to) {
        add(Kind::kBranch);
        kernel.instructions.back().is_conditional = true;
        kernel.instructions.back().target = to;
    }
    [[nodiscard]] std::vector<double> runs(double trips, double bytes = 4) const {
        return executions_of(kernel, graph_of(kernel), places,
                             {{{0, 7, AccessClass::kGlobalLoad}, {trips, bytes}}});
    }
};

TEST(MachineGraph, HasBlocksAndLoops) {
    Code code;
    code.add(Kind::kAlu);            // block 0
    code.add(Kind::kGlobalLoad, 7);  // block 1, a loop
    code.branch(1);
    code.add(Kind::kExit);  // block 2
    const MachineGraph graph = graph_of(code.kernel);
    ASSERT_EQ(graph.blocks.size(), 3u);
    EXPECT_EQ(graph.blocks[1].first, 1u);
    EXPECT_EQ(graph.blocks[1].end, 3u);
    EXPECT_EQ(graph.blocks[1].followers, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_TRUE(graph.blocks[2].may_end);
    ASSERT_EQ(graph.loops.size(), 1u);
    EXPECT_EQ(graph.loops[0].first, 1u);
    EXPECT_EQ(graph.loops[0].last, 1u);
}

TEST(MachineExecutions, ALoopRunsAsOftenAsItsLineAccesses) {
    Code code;
    code.add(Kind::kAlu);
    code.add(Kind::kGlobalLoad, 7);
    code.branch(1);
    code.add(Kind::kExit);
    const std::vector<double> runs = code.runs(1000);
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_NEAR(runs[0], 1, 1e-3);
    EXPECT_NEAR(runs[1], 1000, 1e-2);
    EXPECT_NEAR(runs[2], 1, 1e-3);
}

// Four loads a trip, and a second loop for what is left: the fewest instructions are those of the
// first one.
TEST(MachineExecutions, AnUnrolledLoopRunsAQuarterAsOften) {
    Code code;
    code.add(Kind::kAlu);
    for (int i = 0; i < 4; ++i) code.add(Kind::kGlobalLoad, 7);
    code.branch(1);
    code.add(Kind::kGlobalLoad, 7);
    code.branch(6);
    code.add(Kind::kExit);
    const std::vector<double> runs = code.runs(1000);
    ASSERT_EQ(runs.size(), 4u);
    EXPECT_NEAR(4 * runs[1] + runs[2], 1000, 1e-2);
    EXPECT_NEAR(runs[1], 250, 1);
}

// A load of 16 bytes is four of the line's.
TEST(MachineExecutions, AJoinedLoadIsSeveralAccesses) {
    Code code;
    code.add(Kind::kAlu);
    code.add(Kind::kGlobalLoad, 7, 16);
    code.branch(1);
    code.add(Kind::kExit);
    EXPECT_NEAR(code.runs(1000)[1], 250, 1e-2);
}

// Two loads of a line of which a compiler has left out one.
TEST(MachineExecutions, WhatIsLeftOutIsNotRunForAnother) {
    Code code;
    code.add(Kind::kAlu);
    code.add(Kind::kGlobalLoad, 7);
    code.branch(1);
    code.add(Kind::kExit);
    EXPECT_NEAR(code.runs(1000, 8)[1], 1000, 1e-2);
}

TEST(MachineExecutions, WhatIsNotRecordedDoesNotRun) {
    Code code;
    code.branch(2);
    code.add(Kind::kGlobalLoad, 9);
    code.add(Kind::kExit);
    const std::vector<double> runs = code.runs(0);
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_NEAR(runs[1], 0, 1e-3);
}

// Nothing says how often it runs, so nothing is said of the kernel.
TEST(MachineExecutions, ALoopWithoutAccessesIsNotKnown) {
    Code code;
    code.add(Kind::kGlobalLoad, 7);
    code.add(Kind::kFma);
    code.branch(1);
    code.add(Kind::kExit);
    EXPECT_TRUE(code.runs(1).empty());
}

// x + 2 y is largest at (2, 3) under x + y <= 5, y <= 3.
TEST(LinearProgram, FindsTheCorner) {
    const std::vector<double> found =
        solution_of({.gains = {1, 2}, .rows = {{{{0, 1}, {1, 1}}, 5}, {{{1, 1}}, 3}}});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0], 2, 1e-5);
    EXPECT_NEAR(found[1], 3, 1e-5);
    EXPECT_TRUE(solution_of({.gains = {1}, .rows = {}}).empty());  // no largest value
}

}  // namespace
}  // namespace tilereel::machine_executions_test
