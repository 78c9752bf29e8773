// Asynchronous copies in the emulator: what is recorded, and that nobody sees a value too early.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>

#include <cmath>

#include "tests/record/async_copy_kernels.h"
#include "tests/record/emulate.h"
#include "tests/record/without_barrier.h"

namespace tilereel {
namespace {

constexpr TestLaunch kTwoWarps{.block = {kCopyThreads, 1, 1}, .m = 32, .n = 32, .k = 32};

std::vector<float> stored(const Trace& trace) {
    return {trace.c.begin(), trace.c.begin() + kCopyThreads};
}
std::vector<float> neighbours(const Trace& trace) {
    std::vector<float> values;
    for (std::size_t i = 0; i < kCopyThreads; ++i)
        values.push_back(trace.a[(i + 1) % kCopyThreads]);
    return values;
}
std::size_t not_written(const std::vector<float>& values) {
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [](float value) { return std::isnan(value); }));
}

std::vector<Operation> operations(const Trace& trace) {
    std::vector<Operation> list;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        list.push_back(trace.sites[site_of(trace, i)].operation);
    return list;
}

TEST(AsyncCopy, IsAReadAWriteACommitAndAWait) {
    const Trace trace = emulate_kernel<copy_to_neighbour<0>>(kTwoWarps).value();
    using enum Operation;
    const std::vector<Operation> before{kCopyLoad, kCopyStore, kCommitCopies, kWaitCopies,
                                        kBarrier};
    const std::vector<Operation> after{kLoad, kStore};
    std::vector<Operation> all;
    for (const auto& part : {before, before, after, after})
        all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(operations(trace), all);
    EXPECT_EQ(stored(trace), neighbours(trace));
    const Site& load = trace.sites[site_of(trace, 0)];
    const Site& store = trace.sites[site_of(trace, 1)];
    EXPECT_EQ(load.array, 0u);
    EXPECT_EQ(trace.arrays[store.array].name, "As");
    EXPECT_EQ(load.line, store.line);
    // The copy's values are kept with its write.
    EXPECT_FALSE(has_values(trace, 0));
    ASSERT_TRUE(has_values(trace, 1));
    for (std::size_t i = 0; i < kWarpSize; ++i)
        EXPECT_EQ(std::bit_cast<float>(trace.words[i]), trace.a[i]);
    EXPECT_EQ(trace.records.base[3], 0u);
}

TEST(AsyncCopy, ArrivesWhenItsThreadWaitsAndNotBefore) {
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_neighbour<1>>(kTwoWarps).value())), 64u);
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_neighbour<3>>(kTwoWarps).value())), 64u);
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_neighbour<4>>(kTwoWarps).value())), 64u);
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_self<false>>(kTwoWarps).value())), 64u);
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_self<true>>(kTwoWarps).value())), 0u);
    // Without the barrier a thread reads before its neighbour has waited: all but the last.
    EXPECT_EQ(not_written(stored(emulate_kernel<copy_to_neighbour<2>>(kTwoWarps).value())), 63u);
}

TEST(AsyncCopy, AWaitLeavesTheLatestGroupsUnderWay) {
    const Trace trace = emulate_kernel<copy_in_groups>(kTwoWarps).value();
    for (std::size_t i = 0; i < kCopyThreads; ++i)
        EXPECT_EQ(trace.c[i], trace.a[4 * i] + trace.a[8 * kCopyThreads + 4 * i + 3]);
    std::vector<std::uint32_t> left;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (trace.sites[site_of(trace, i)].operation == Operation::kWaitCopies)
            left.push_back(trace.records.base[i]);
    EXPECT_EQ(left, (std::vector<std::uint32_t>{2, 0, 2, 0}));
    EXPECT_EQ(trace.sites[site_of(trace, 0)].width_bytes, 16u);
}

TEST(AsyncCopy, TheLadderWithoutItsWaitIsWrongInEveryOrder) {
    const KernelInfo& kernel = *find_kernel("19_async_pipeline");
    const auto wait =
        std::ranges::find(kernel.barriers, KernelBarrier::Kind::kCopies, &KernelBarrier::kind);
    ASSERT_NE(wait, kernel.barriers.end());
    for (const ThreadOrder order : kAllOrders) {
        const Trace trace = recorded(request_without(
            "19_async_pipeline", static_cast<std::size_t>(wait - kernel.barriers.begin()),
            {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0}, order));
        EXPECT_EQ(wrong_elements(trace).size(), 32u * 32);
        for (const Site& site : trace.sites) EXPECT_NE(site.operation, Operation::kWaitCopies);
    }
}

}  // namespace
}  // namespace tilereel
