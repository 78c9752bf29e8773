// Asynchronous copies (programs/copies.cu): their records, and that no thread sees a value before
// the copying thread has waited.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/record/recorded_programs.h"

namespace tilereel::copies_test {
namespace {

constexpr std::size_t kCopyThreads = 64;

std::size_t not_written(const std::string& kernel) {
    return static_cast<std::size_t>(
        std::ranges::count_if(stored_in_c(trace_of(kernel), kCopyThreads),
                              [](float value) { return std::isnan(value); }));
}

TEST(AsyncCopy, IsAReadAWriteACommitAndAWait) {
    const Trace& trace = trace_of("copy_to_neighbour<0>");
    using enum Operation;
    const std::vector<Operation> before{kCopyLoad, kCopyStore, kCommitCopies, kWaitCopies,
                                        kBarrier};
    const std::vector<Operation> after{kLoad, kStore};
    std::vector<Operation> expected, all;
    for (const auto& part : {before, before, after, after})
        expected.insert(expected.end(), part.begin(), part.end());
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        all.push_back(site_at(trace, i).operation);
    EXPECT_EQ(all, expected);
    const std::vector<float> c = stored_in_c(trace, kCopyThreads);
    for (std::size_t i = 0; i < kCopyThreads; ++i)
        EXPECT_EQ(c[i], static_cast<float>((i + 1) % kCopyThreads));  // A[i] is i
    const Site& load = site_at(trace, 0);
    const Site& store = site_at(trace, 1);
    EXPECT_EQ(trace.arrays[load.array].name, "A");
    EXPECT_EQ(trace.arrays[store.array].name, "As");
    EXPECT_EQ(load.line, store.line);
    // The copy's values are kept with its write.
    EXPECT_FALSE(has_values(trace, 0));
    ASSERT_TRUE(has_values(trace, 1));
    for (std::size_t i = 0; i < kWarpSize; ++i)
        EXPECT_EQ(std::bit_cast<float>(trace.words[i]), static_cast<float>(i));
    EXPECT_EQ(trace.records.base[3], 0u);
}

TEST(AsyncCopy, ArrivesWhenItsThreadWaitsAndNotBefore) {
    EXPECT_EQ(not_written("copy_to_neighbour<1>"), 64u);
    EXPECT_EQ(not_written("copy_to_neighbour<3>"), 64u);
    EXPECT_EQ(not_written("copy_to_neighbour<4>"), 64u);
    EXPECT_EQ(not_written("copy_to_self<false>"), 64u);
    EXPECT_EQ(not_written("copy_to_self<true>"), 0u);
}

TEST(AsyncCopy, AWaitLeavesTheLatestGroupsUnderWay) {
    const Trace& trace = trace_of("copy_in_groups");
    const std::vector<float> c = stored_in_c(trace, kCopyThreads);
    for (std::size_t i = 0; i < kCopyThreads; ++i)
        EXPECT_EQ(c[i], static_cast<float>(4 * i + 8 * kCopyThreads + 4 * i + 3));
    std::vector<std::uint32_t> left;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == Operation::kWaitCopies)
            left.push_back(trace.records.base[i]);
    EXPECT_EQ(left, (std::vector<std::uint32_t>{2, 0, 2, 0}));
    EXPECT_EQ(site_at(trace, 0).width_bytes, 16u);
}

}  // namespace
}  // namespace tilereel::copies_test
