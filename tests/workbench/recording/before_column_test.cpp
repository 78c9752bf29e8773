#include "app/workbench/recording/before_column.h"

#include <gtest/gtest.h>

namespace tilereel::before_column_test {
namespace {

RecordRequest request(const std::string& kernel, int extent, int tile, int pad = 0) {
    return {.kernel = kernel,
            .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
            .inputs = {}};
}

Recording shown(const RecordRequest& of) {
    return {.request = of,
            .trace = {},
            .counts = {.barriers = 8, .multiply_adds = 64},
            .sites = {},
            .findings = {},
            .wrong = {}};
}

BeforePlan plan(const RecordRequest& former, const RecordRequest& next,
                const BeforeLaunch& present = {}, const CountsColumn& column = {}) {
    const Recording recording = shown(former);
    return plan_before(&recording, present, column, next);
}

TEST(BeforeColumn, FirstShowsNaiveWithTheSameBlocks) {
    const BeforePlan first = plan_before(nullptr, {}, {}, request("09_tiled", 64, 8, 1));
    EXPECT_EQ(first.launch.label, "02 naive");
    ASSERT_TRUE(first.request);
    EXPECT_EQ(first.request->kernel, "02_naive");
    EXPECT_EQ(first.request->parameters,
              (KernelParameters{.m = 64, .n = 64, .k = 64, .tile = 8, .pad = 0}));
    EXPECT_FALSE(first.counts);
}

TEST(BeforeColumn, IsEmptyForNaiveItself) {
    const BeforePlan first = plan_before(nullptr, {}, {}, request("02_naive", 64, 8));
    EXPECT_EQ(first.launch.label, "");
    EXPECT_FALSE(first.request);
}

TEST(BeforeColumn, IsEmptyForLargeShapes) {
    EXPECT_TRUE(plan_before(nullptr, {}, {}, request("09_tiled", 256, 8)).request);
    EXPECT_TRUE(plan_before(nullptr, {}, {}, request("09_tiled", 400, 8)).request);
    EXPECT_FALSE(plan_before(nullptr, {}, {}, request("09_tiled", 512, 8)).request);
    EXPECT_FALSE(plan_before(nullptr, {}, {}, request("09_tiled", kLargestExtent, 8)).request);
}

TEST(BeforeColumn, ShowsTheFormerLaunchAfterAChange) {
    const RecordRequest former = request("09_tiled", 64, 16, 0);
    EXPECT_EQ(plan(former, request("09_tiled", 64, 16, 1)).launch.label, "PAD 0");
    EXPECT_EQ(plan(former, request("09_tiled", 64, 8, 0)).launch.label, "TILE 16");
    EXPECT_EQ(plan(former, request("09_tiled", 64, 8, 2)).launch.label, "TILE 16, PAD 0");
    EXPECT_EQ(plan(former, request("08_tiled_b_transposed", 64, 8, 2)).launch.label, "09 tiled");
    const BeforePlan pad = plan(former, request("09_tiled", 64, 16, 1));
    EXPECT_EQ(pad.counts, shown(former).counts);  // known: nothing to record
    EXPECT_FALSE(pad.request);
}

TEST(BeforeColumn, StaysIfTheSameLaunchIsRecordedAgain) {
    const BeforeLaunch present{.label = "PAD 0", .kernel = "09_tiled", .tile = 16, .pad = 0};
    const CountsColumn column{.label = "PAD 0", .counts = {.barriers = 3}};
    const RecordRequest same = request("09_tiled", 64, 16, 1);
    const BeforePlan again = plan(same, same, present, column);
    EXPECT_EQ(again.launch, present);
    EXPECT_EQ(again.counts, column.counts);
    EXPECT_FALSE(again.request);
}

TEST(BeforeColumn, IsRecordedAgainAtNewSizes) {
    const BeforeLaunch present{.label = "PAD 0", .kernel = "09_tiled", .tile = 16, .pad = 0};
    const CountsColumn column{.label = "PAD 0", .counts = {.barriers = 3}};
    const BeforePlan larger =
        plan(request("09_tiled", 64, 16, 1), request("09_tiled", 128, 16, 1), present, column);
    EXPECT_EQ(larger.launch, present);
    EXPECT_FALSE(larger.counts);
    ASSERT_TRUE(larger.request);
    EXPECT_EQ(larger.request->kernel, "09_tiled");
    EXPECT_EQ(larger.request->parameters,
              (KernelParameters{.m = 128, .n = 128, .k = 128, .tile = 16, .pad = 0}));
}

RecordRequest without(RecordRequest request, std::uint32_t line,
                      ThreadOrder order = ThreadOrder::kRoundRobin) {
    request.removed_barrier = line;
    request.order = order;
    return request;
}

TEST(BeforeColumn, ShowsAllBarriersIfOneIsRemoved) {
    const RecordRequest whole = request("09_tiled", 64, 16, 1);
    const std::uint32_t line =
        static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[0].line);
    const std::uint32_t other =
        static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[1].line);
    const BeforePlan removed = plan(whole, without(whole, line));
    EXPECT_EQ(removed.launch.label, "all barriers");
    EXPECT_EQ(removed.launch.removed_barrier, 0u);
    EXPECT_EQ(removed.launch.kernel, "09_tiled");
    EXPECT_EQ(removed.launch.tile, 16);
    EXPECT_EQ(removed.launch.pad, 1);
    EXPECT_EQ(removed.counts, shown(whole).counts);  // known: nothing to record
    EXPECT_FALSE(removed.request);
    // For a trace from a file, or another left-out barrier, the counts are not known.
    for (const BeforePlan& unknown :
         {plan_before(nullptr, {}, {}, without(whole, line, ThreadOrder::kLanes)),
          plan(without(whole, other, ThreadOrder::kLanes), without(whole, line))}) {
        EXPECT_EQ(unknown.launch, removed.launch);
        EXPECT_FALSE(unknown.counts);
        ASSERT_TRUE(unknown.request);
        EXPECT_EQ(unknown.request->removed_barrier, 0u);
        EXPECT_EQ(unknown.request->order, ThreadOrder::kRoundRobin);
    }
}

TEST(BeforeColumn, StaysWhenOnlyTheOrderChanges) {
    const RecordRequest whole = request("09_tiled", 64, 16);
    const std::uint32_t line =
        static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[0].line);
    const BeforePlan removed = plan(whole, without(whole, line));
    const CountsColumn column{.label = removed.launch.label, .counts = *removed.counts};
    RecordRequest adversarial = without(whole, line, ThreadOrder::kWarpsForward);
    adversarial.find_failing_order = true;
    const BeforePlan again = plan(without(whole, line), adversarial, removed.launch, column);
    EXPECT_EQ(again.launch, removed.launch);
    EXPECT_EQ(again.counts, column.counts);
    // At other sizes it is recorded again, with all barriers and no search.
    RecordRequest larger = adversarial;
    larger.parameters.m = 128;
    const BeforePlan anew = plan(adversarial, larger, removed.launch, column);
    ASSERT_TRUE(anew.request);
    EXPECT_EQ(anew.request->removed_barrier, 0u);
    EXPECT_FALSE(anew.request->find_failing_order);
    // When the barrier is put back, the column shows the launch without it.
    const BeforePlan back = plan(without(whole, line), whole, removed.launch, column);
    EXPECT_EQ(back.launch.label, "line " + std::to_string(line) + " removed");
    EXPECT_EQ(back.launch.removed_barrier, line);
}

TEST(BeforeColumn, HasNoCountsIfTheFormerKernelCannotRunTheNewSizes) {
    const BeforePlan odd = plan(request("09_tiled", 64, 16), request("02_naive", 63, 16));
    EXPECT_EQ(odd.launch.label, "09 tiled");
    EXPECT_FALSE(odd.counts);
    EXPECT_FALSE(odd.request);
}

}  // namespace
}  // namespace tilereel::before_column_test
