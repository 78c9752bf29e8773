#include "app/workbench/before_column.h"

#include <gtest/gtest.h>

namespace tilereel {
namespace {

RecordRequest request(const std::string& kernel, int extent, int tile, int pad = 0) {
    return {.kernel = kernel,
            .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
            .inputs = {}};
}

Recording shown(const RecordRequest& of) {
    return {
        .request = of, .trace = {}, .counts = {.barriers = 8, .multiply_adds = 64}, .sites = {}};
}

BeforePlan plan(const RecordRequest& former, const RecordRequest& next,
                const BeforeLaunch& present = {}, const CountsColumn& column = {}) {
    const Recording recording = shown(former);
    return plan_before(&recording, present, column, next);
}

TEST(BeforeColumn, AtFirstItIsNaiveInTheSameBlocks) {
    const BeforePlan first = plan_before(nullptr, {}, {}, request("09_tiled", 64, 8, 1));
    EXPECT_EQ(first.launch.label, "02 naive");
    ASSERT_TRUE(first.request);
    EXPECT_EQ(first.request->kernel, "02_naive");
    EXPECT_EQ(first.request->parameters,
              (KernelParameters{.m = 64, .n = 64, .k = 64, .tile = 8, .pad = 0}));
    EXPECT_FALSE(first.counts);
}

TEST(BeforeColumn, NaiveItselfHasNothingBeforeIt) {
    const BeforePlan first = plan_before(nullptr, {}, {}, request("02_naive", 64, 8));
    EXPECT_EQ(first.launch.label, "");
    EXPECT_FALSE(first.request);
}

TEST(BeforeColumn, LargeShapesLeaveItEmpty) {
    EXPECT_TRUE(plan_before(nullptr, {}, {}, request("09_tiled", 256, 8)).request);
    EXPECT_TRUE(plan_before(nullptr, {}, {}, request("09_tiled", 400, 8)).request);
    EXPECT_FALSE(plan_before(nullptr, {}, {}, request("09_tiled", 512, 8)).request);
    EXPECT_FALSE(plan_before(nullptr, {}, {}, request("09_tiled", kLargestExtent, 8)).request);
}

TEST(BeforeColumn, AfterAChangeItIsTheFormerLaunch) {
    const RecordRequest former = request("09_tiled", 64, 16, 0);
    EXPECT_EQ(plan(former, request("09_tiled", 64, 16, 1)).launch.label, "PAD 0");
    EXPECT_EQ(plan(former, request("09_tiled", 64, 8, 0)).launch.label, "TILE 16");
    EXPECT_EQ(plan(former, request("09_tiled", 64, 8, 2)).launch.label, "TILE 16, PAD 0");
    EXPECT_EQ(plan(former, request("08_tiled_b_transposed", 64, 8, 2)).launch.label, "09 tiled");
    const BeforePlan pad = plan(former, request("09_tiled", 64, 16, 1));
    EXPECT_EQ(pad.counts, shown(former).counts);  // known: nothing to record
    EXPECT_FALSE(pad.request);
}

TEST(BeforeColumn, TheSameLaunchAgainLeavesIt) {
    const BeforeLaunch present{.label = "PAD 0", .kernel = "09_tiled", .tile = 16, .pad = 0};
    const CountsColumn column{.label = "PAD 0", .counts = {.barriers = 3}};
    const RecordRequest same = request("09_tiled", 64, 16, 1);
    const BeforePlan again = plan(same, same, present, column);
    EXPECT_EQ(again.launch, present);
    EXPECT_EQ(again.counts, column.counts);
    EXPECT_FALSE(again.request);
}

TEST(BeforeColumn, OtherSizesRecordTheSameLaunchAtThoseSizes) {
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

TEST(BeforeColumn, AFormerKernelThatCannotRunTheNewSizesIsLeftOut) {
    const BeforePlan odd = plan(request("09_tiled", 64, 16), request("02_naive", 63, 16));
    EXPECT_EQ(odd.launch.label, "09 tiled");
    EXPECT_FALSE(odd.counts);
    EXPECT_FALSE(odd.request);
}

}  // namespace
}  // namespace tilereel
