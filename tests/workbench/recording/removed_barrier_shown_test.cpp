// A barrier removed in the window: what is recorded, shown and kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/ladder/ladder.h"
#include "tests/workbench/bench.h"

namespace tilereel::removed_barrier_shown_test {
namespace {

using ::testing::HasSubstr;

int barrier_of(const char* kernel, std::size_t number = 0) {
    return find_kernel(kernel)->barriers[number].line;
}

// 09 at TILE 8: two warps a block, of which the first has the rows 0 to 3 of every 8.
TEST(WorkbenchBarrier, IsRemovedAndPutBack) {
    Workbench workbench(paused(request("09_tiled", 16, 8)));
    EXPECT_TRUE(workbench.recording()->findings.empty());
    EXPECT_TRUE(workbench.recording()->wrong.empty());
    workbench.apply(RemoveBarrier{barrier_of("09_tiled")});
    EXPECT_EQ(workbench.message(), "");
    EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, barrier_of("09_tiled"));
    EXPECT_FALSE(workbench.recording()->findings.empty());
    EXPECT_TRUE(workbench.recording()->wrong.empty());  // round-robin hides the race
    EXPECT_EQ(workbench.before().label, "all barriers");
    EXPECT_EQ(workbench.before().counts.barriers, 4u);  // a block has two phases with two each
    EXPECT_EQ(workbench.recording()->counts.barriers, 2u);
    workbench.apply(RemoveBarrier{0});
    EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, 0u);
    EXPECT_TRUE(workbench.recording()->findings.empty());
    EXPECT_EQ(workbench.recording()->counts.barriers, 4u);
}

TEST(WorkbenchBarrier, WrongElementsAreListedRowByRow) {
    Workbench workbench(paused(request("09_tiled", 16, 8)));
    workbench.apply(RemoveBarrier{barrier_of("09_tiled")});
    workbench.apply(SetThreadOrder{ThreadOrder::kWarpsForward});
    const Recording& shown = *workbench.recording();
    ASSERT_EQ(shown.wrong.size(), 128u);
    for (std::size_t i = 0; i < shown.wrong.size(); ++i) {
        const WrongElement& wrong = shown.wrong[i];
        EXPECT_EQ(wrong.row, i / 64 * 8 + i % 64 / 16);
        EXPECT_EQ(wrong.column, i % 16);
        EXPECT_TRUE(std::isnan(wrong.found));
        double expected = 0;
        for (std::size_t k = 0; k < 16; ++k)
            expected += double(matrix_of(*shown.trace, MatrixRole::kA)[wrong.row * 16 + k]) *
                        double(matrix_of(*shown.trace, MatrixRole::kB)[k * 16 + wrong.column]);
        EXPECT_EQ(wrong.expected, expected);
    }
    // Another generation counts the same trace: what was wrong still is.
    workbench.apply(SetGeneration{"6.1"});
    EXPECT_EQ(workbench.recording()->wrong.size(), 128u);
}

TEST(WorkbenchBarrier, AFailingOrderIsFoundAndKept) {
    Workbench workbench(paused(request("09_tiled", 16, 8)));
    workbench.apply(RemoveBarrier{barrier_of("09_tiled")});
    workbench.apply(FindFailingOrder{});
    EXPECT_EQ(workbench.message(), "");
    EXPECT_EQ(workbench.request().order, ThreadOrder::kWarpsForward);
    EXPECT_FALSE(workbench.request().find_failing_order);
    EXPECT_EQ(workbench.recording()->request.order, ThreadOrder::kWarpsForward);
    EXPECT_FALSE(workbench.recording()->request.find_failing_order);
    EXPECT_FALSE(workbench.recording()->wrong.empty());
    EXPECT_EQ(workbench.before().label, "all barriers");
}

TEST(WorkbenchBarrier, WithoutAFailingOrderTheMessageSaysSo) {
    RecordRequest one_phase = request("09_tiled", 8, 8);
    Workbench workbench(paused(one_phase));
    workbench.apply(RemoveBarrier{barrier_of("09_tiled", 1)});
    workbench.apply(FindFailingOrder{});
    EXPECT_THAT(workbench.message(), HasSubstr("No order of the threads changes C"));
    EXPECT_EQ(workbench.request().order, ThreadOrder::kRoundRobin);
    EXPECT_FALSE(workbench.request().find_failing_order);
    EXPECT_TRUE(workbench.recording()->wrong.empty());
}

// On a GPU whose warps run in lockstep, only the order of the warps can make C wrong.
TEST(WorkbenchBarrier, AFailingOrderIsLookedForAmongThoseOfTheGeneration) {
    Workbench workbench(paused(request("04_guide_a_shared", 8, 8)));
    workbench.apply(RemoveBarrier{barrier_of("04_guide_a_shared")});
    workbench.apply(SetGeneration{"6.1"});
    workbench.apply(FindFailingOrder{});
    EXPECT_TRUE(workbench.recording()->wrong.empty());
    EXPECT_NE(workbench.message(), "");
    workbench.apply(SetGeneration{"9.0"});
    workbench.apply(FindFailingOrder{});
    EXPECT_EQ(workbench.request().order, ThreadOrder::kLanes);
    EXPECT_FALSE(workbench.recording()->wrong.empty());
}

TEST(WorkbenchBarrier, StaysRemovedWhileSizesChangeAndComesBackWithAnotherKernel) {
    Workbench workbench(paused(request("09_tiled", 16, 8)));
    workbench.apply(RemoveBarrier{barrier_of("09_tiled")});
    workbench.apply(SetThreadOrder{ThreadOrder::kWarpsBackward});
    for (const KernelParameters& p :
         {KernelParameters{32, 16, 24, 8, 0}, KernelParameters{32, 32, 32, 16, 0},
          KernelParameters{32, 32, 32, 16, 1}}) {
        workbench.apply(SetParameters{p});
        EXPECT_EQ(workbench.recording()->request.parameters, p);
        EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, barrier_of("09_tiled"));
        EXPECT_EQ(workbench.recording()->trace->launch.order, ThreadOrder::kWarpsBackward);
        EXPECT_FALSE(workbench.recording()->wrong.empty());
    }
    workbench.apply(SetKernel{"08_tiled_b_transposed"});
    EXPECT_EQ(workbench.request().removed_barrier, 0u);
    EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, 0u);
    EXPECT_EQ(workbench.recording()->trace->launch.order, ThreadOrder::kRoundRobin);
    EXPECT_TRUE(workbench.recording()->wrong.empty());
    EXPECT_EQ(workbench.message(), "");
}

TEST(WorkbenchBarrier, AnOpenedFileKeepsItsMissingBarrier) {
    RecordRequest lost = request("05_guide_ab_shared", 8, 8);
    lost.parameters.m = 24;
    lost.removed_barrier = static_cast<std::uint32_t>(barrier_of("05_guide_ab_shared"));
    lost.order = ThreadOrder::kLanes;
    Result<Trace> trace = record_built_in(lost);
    ASSERT_TRUE(trace);
    WorkbenchOptions options = paused(request("09_tiled", 16, 8));
    options.trace = std::move(trace).value();
    Workbench workbench(std::move(options));
    EXPECT_EQ(workbench.request().removed_barrier, lost.removed_barrier);
    EXPECT_EQ(workbench.request().order, ThreadOrder::kLanes);
    EXPECT_EQ(workbench.recording()->wrong.size(), 24u * 8 - 3);  // all but a block's last thread's
    EXPECT_FALSE(workbench.recording()->findings.empty());
    EXPECT_EQ(workbench.before().label, "all barriers");
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, lost.removed_barrier);
    EXPECT_EQ(workbench.recording()->trace->launch.order, ThreadOrder::kLanes);
    EXPECT_EQ(workbench.recording()->trace->launch.pad, 1u);
}

TEST(WorkbenchBarrier, ASearchCanBeCancelledAndNothingChanges) {
    Workbench workbench(paused(request("09_tiled", 16, 8), true));
    ASSERT_TRUE(wait_until_recorded(workbench));
    workbench.apply(RemoveBarrier{barrier_of("09_tiled", 1)});
    ASSERT_TRUE(wait_until_recorded(workbench));
    const Trace* former = workbench.recording()->trace.get();
    workbench.apply(FindFailingOrder{});
    EXPECT_TRUE(workbench.request().find_failing_order);
    workbench.apply(CancelRecording{});
    EXPECT_FALSE(workbench.request().find_failing_order);
    EXPECT_EQ(workbench.request().order, ThreadOrder::kRoundRobin);
    EXPECT_EQ(workbench.recording()->trace.get(), former);
    EXPECT_EQ(workbench.message(), "");
}

TEST(WorkbenchBarrier, AnImpossibleChangeIsAMessage) {
    Workbench workbench(paused(request("09_tiled", 16, 8)));
    workbench.apply(SetThreadOrder{ThreadOrder::kLanes});
    EXPECT_THAT(workbench.message(), HasSubstr("remove one first"));
    workbench.apply(RemoveBarrier{1});
    EXPECT_THAT(workbench.message(), HasSubstr("Line 1"));
    EXPECT_EQ(workbench.recording()->trace->launch.removed_barrier, 0u);
}

}  // namespace
}  // namespace tilereel::removed_barrier_shown_test
