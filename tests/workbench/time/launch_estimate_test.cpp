// The estimate of a launch of the ladder with its what-ifs, from real recordings. What is expected
// follows from the kernel: in 08 with TILE 32 each read of Bs takes 32 wavefronts, because the 32
// lanes want words of one bank, and a read of As one.
#include "app/workbench/time/launch_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/ladder/ladder.h"
#include "kernels/catalog.h"
#include "tests/workbench/bench.h"

namespace tilereel::launch_estimate_test {
namespace {

TEST(LaunchEstimate, SplitsTheLimitByLinesAndArraysAndTriesChanges) {
    const TimeQuestion question{.gpu = find_gpu_model("h100"),
                                .request = request("08_tiled_b_transposed", 512, 32)};
    std::vector<std::size_t> known;
    const auto found = estimate_launch(question, nullptr, [&](const EstimatedLaunch& so_far) {
        known.push_back(so_far.changes.size());
    });
    ASSERT_TRUE(found) << found.error().message;
    const TimeEstimate& estimate = found->estimate;
    EXPECT_EQ(estimate.limiter, Pipe::kMemory);
    double lines = 0;
    for (const LineTime& line : estimate.lines) {
        double arrays = 0;
        for (const ArrayShare& part : line.arrays) arrays += part.share;
        EXPECT_NEAR(arrays, line.share, 1e-9) << line.line;
        lines += line.share;
    }
    EXPECT_NEAR(lines, 1, 1e-9);
    const std::vector<ArrayShare> shares = shares_of_arrays(estimate);
    ASSERT_FALSE(shares.empty());
    ASSERT_LT(shares[0].array, found->arrays.size());
    EXPECT_EQ(found->arrays[shares[0].array].name, "Bs");
    EXPECT_EQ(found->arrays[shares[0].array].space, Space::kShared);
    EXPECT_GT(shares[0].share, 0.8);
    // First the launch alone, then one change after the other.
    ASSERT_FALSE(known.empty());
    for (std::size_t i = 0; i < known.size(); ++i) EXPECT_EQ(known[i], i);
    EXPECT_EQ(found->changes.size() + 1, known.size());
    ASSERT_NE(change_to_try(*found), nullptr);
    EXPECT_EQ(change_to_try(*found)->what.substr(0, 3), "PAD");
    EXPECT_EQ(listed_changes(*found).front(), change_to_try(*found));
    EXPECT_EQ(listed_changes(*found).size(), found->changes.size());
    // Blocks of 4 and 16 threads have no estimate, only a bound.
    for (const TimeChange& change : found->changes) {
        EXPECT_NE(change.what, "TILE 2");
        EXPECT_NE(change.what, "TILE 4");
    }
}

// 16 x 16 blocks, which all run at once: A and B of a megabyte each come once, in any order.
TEST(LaunchEstimate, TellsWhatBlocksFindInL2) {
    const auto found = estimate_launch(
        {.gpu = find_gpu_model("h100"), .only_l2 = true, .request = request("09_tiled", 512, 32)});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->l2) << found->why_no_l2;
    const LaunchL2& l2 = *found->l2;
    EXPECT_EQ(l2.grid, (Dim3{16, 16, 1}));
    EXPECT_EQ(l2.of_each, 2u);  // of 1,024 threads, by an SM of 2,048
    EXPECT_EQ(l2.at_once, 264u);
    ASSERT_EQ(l2.orders.size(), 2u);
    for (const OrderedL2& each : l2.orders) {
        EXPECT_EQ(each.run.all.fetched, 2 << 20);
        EXPECT_EQ(each.together.fetched, 2 << 20);
        EXPECT_EQ(each.run.all.asked, 256.0 * 2 * 32 * 512 * 4);
        EXPECT_EQ(each.run.waves.size(), 1u);
    }
    for (std::size_t i = 0; i < l2.names.size(); ++i) {
        EXPECT_EQ(l2.of_rows[i], l2.names[i] == "A") << l2.names[i];
        EXPECT_EQ(l2.of_columns[i], l2.names[i] == "B") << l2.names[i];
    }
}

TEST(LaunchEstimate, WhatIsFoundInL2OfARecordingIsThatOfAllItsBlocks) {
    RecordRequest recorded = request("09_tiled", 64, 16);
    const auto trace = record_ladder(recorded);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto found = estimate_launch({.gpu = find_gpu_model("h100"),
                                        .only_l2 = true,
                                        .trace = std::make_shared<const Trace>(*trace)});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->l2) << found->why_no_l2;
    EXPECT_TRUE(found->l2->all_recorded);
    EXPECT_EQ(found->l2->orders[0].run.all.fetched, 2 * 64 * 64 * 4);
}

TEST(LaunchEstimate, SaysWhyWhatIsInL2IsNotKnown) {
    const auto of_cpu = estimate_launch(
        {.gpu = find_gpu_model("h100"), .only_l2 = true, .request = request("cpu_naive", 64, 16)});
    ASSERT_TRUE(of_cpu) << of_cpu.error().message;
    EXPECT_FALSE(of_cpu->l2);
    EXPECT_THAT(of_cpu->why_no_l2, testing::HasSubstr("runs on the CPU"));
    EXPECT_FALSE(estimate_launch({.only_l2 = true, .request = request("09_tiled", 64, 16)}));
}

TEST(LaunchEstimate, CanBeCancelled) {
    const TimeQuestion question{.gpu = find_gpu_model("h100"),
                                .request = request("08_tiled_b_transposed", 512, 32)};
    RecordProgress progress;
    const auto found = estimate_launch(question, &progress,
                                       [&](const EstimatedLaunch&) { progress.cancel = true; });
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace tilereel::launch_estimate_test
