#include "app/race/runners/run_together.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

namespace tilereel::run_together_test {
namespace {

TEST(RunTogether, RunsEachThreadsWorkOnceAfterThePreparation) {
    std::atomic<int> runs = 0, sum = 0;
    int prepared = 0;
    const int count = run_together(
        4, [&](int threads) { prepared = threads; },
        [&](int thread) {
            EXPECT_NE(prepared, 0);
            ++runs, sum += thread;
        });
    EXPECT_EQ(prepared, count);
    EXPECT_EQ(runs, count);
    EXPECT_EQ(sum, count * (count - 1) / 2);
}

// The preparation takes memory. If there is none, no thread must wait for it for ever.
TEST(RunTogether, EndsWithoutWorkWhenThePreparationThrows) {
    std::atomic<int> runs = 0;
    EXPECT_THROW(run_together(
                     4, [](int) { throw std::bad_alloc(); }, [&](int) { ++runs; }),
                 std::bad_alloc);
    EXPECT_EQ(runs, 0);
}

}  // namespace
}  // namespace tilereel::run_together_test
