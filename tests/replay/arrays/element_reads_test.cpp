// How often each element was read. A product of M x N x K multiplies each element of A with N
// elements of B, so that it is read N times: by 02 from global memory, by a tiled kernel from
// shared memory. A block of a tiled kernel loads it once for TILE columns of C, so that it is read
// N / TILE times from global memory. The same holds for B with M.
#include "app/replay/arrays/element_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/ladder/ladder.h"
#include "tests/replay/hand_trace.h"
#include "tests/replay/kernel_script.h"

namespace tilereel::element_reads_test {
namespace {

using ::testing::Each;
using Counts = std::vector<std::uint32_t>;

constexpr ArrayId kA = 0, kB = 1, kC = 2;

TEST(ElementReads, NaiveReadsFromGlobalMemoryOnly) {
    const ElementReads reads = count_element_reads(trace_of("02", {8, 24, 16, 8, 0}));
    EXPECT_EQ(reads.blocks, 3u);
    ASSERT_EQ(reads.arrays[kA].global.size(), 8u * 16);
    EXPECT_THAT(reads.arrays[kA].global, Each(24u));
    EXPECT_THAT(reads.arrays[kB].global, Each(8u));
    EXPECT_THAT(reads.arrays[kC].global, Each(0u));
    EXPECT_THAT(reads.arrays[kA].shared, Each(0u));
    EXPECT_THAT(reads.arrays[kB].shared, Each(0u));
}

TEST(ElementReads, ATileDividesTheReadsFromGlobalMemory) {
    struct Case {
        const char* kernel;
        ScriptSize size;
    };
    for (const Case& each : {Case{"09", {8, 24, 16, 8, 0}}, Case{"09", {16, 8, 24, 4, 1}},
                             Case{"08", {24, 16, 8, 8, 0}}, Case{"08", {32, 64, 32, 32, 1}}}) {
        const ElementReads reads = count_element_reads(trace_of(each.kernel, each.size));
        const auto m = static_cast<std::uint32_t>(each.size.m),
                   n = static_cast<std::uint32_t>(each.size.n),
                   tile = static_cast<std::uint32_t>(each.size.tile);
        EXPECT_THAT(reads.arrays[kA].global, Each(n / tile)) << each.kernel;
        EXPECT_THAT(reads.arrays[kB].global, Each(m / tile)) << each.kernel;
        EXPECT_THAT(reads.arrays[kA].shared, Each(n)) << each.kernel;
        EXPECT_THAT(reads.arrays[kB].shared, Each(m)) << each.kernel;
    }
}

// Recorded by the CPU recorder. 16 bytes a copy. M = TILE and N = 2 TILE, so that each element of A
// is copied twice, and each element of B once.
TEST(ElementReads, AsynchronousCopiesAreReads) {
    RecordRequest request;
    request.kernel = "19_async_pipeline";
    request.parameters = {.m = 16, .n = 32, .k = 24, .tile = 16, .pad = 0};
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    const ElementReads reads = count_element_reads(*trace);
    EXPECT_THAT(reads.arrays[kA].global, Each(2u));
    EXPECT_THAT(reads.arrays[kB].global, Each(1u));
    // A thread computes several sums with what it has read once: fewer reads than N and M, the same
    // for each element.
    EXPECT_GT(reads.arrays[kA].shared[0], 0u);
    EXPECT_THAT(reads.arrays[kA].shared, Each(reads.arrays[kA].shared[0]));
    EXPECT_THAT(reads.arrays[kB].shared, Each(reads.arrays[kB].shared[0]));
}

// Lane l loads A[l] and stores it to S[l]. All lanes read S[3]; then another value is stored there.
TEST(ElementReads, AStoreOfAnotherValueEndsTheCopy) {
    HandTrace hand(1, 1, 32, {1, 1, 1}, {32, 1, 1});
    const ArrayId shared = hand.shared_array("S", 1, 32, 32);
    std::vector<float> values;
    for (int i = 0; i < 32; ++i) values.push_back(static_cast<float>(100 + i));
    hand.a = values;
    hand.access(0, 0, 1, kA, Operation::kLoad, strided(0, 4));
    hand.access(0, 0, 2, shared, Operation::kStore, strided(0, 4), values);
    hand.barrier(0, 0, 3);
    hand.access(0, 0, 4, shared, Operation::kLoad, strided(12, 0));
    hand.barrier(0, 0, 5);
    hand.access(0, 0, 6, shared, Operation::kStore, strided(12, 0, 1), {7.0f});
    hand.barrier(0, 0, 7);
    hand.access(0, 0, 8, shared, Operation::kLoad, strided(12, 0));
    hand.access(0, 0, 9, shared, Operation::kLoad, strided(16, 0, 5));
    const Trace trace = hand.finish();
    const ElementReads reads = count_element_reads(trace);
    Counts expected(32, 0);
    expected[3] = 32;
    expected[4] = 5;
    EXPECT_EQ(reads.arrays[kA].shared, expected);
    EXPECT_EQ(reads.arrays[kA].global, Counts(32, 1));
}

TEST(ElementReads, StopsWhenAsked) {
    const std::atomic<bool> stop{true};
    std::atomic<std::uint32_t> done{0};
    EXPECT_EQ(count_element_reads(trace_of("02", {8, 24, 16, 8, 0}), &done, &stop).blocks, 0u);
    EXPECT_EQ(done, 0u);
}

// The window stops a count and waits until it ends. So a count must stop inside a block, too.
TEST(ElementReads, StopsInsideABlock) {
    using Clock = std::chrono::steady_clock;
    const Trace trace = trace_of("09", {16, 16, 1024, 16, 0});
    const auto begin = Clock::now();
    EXPECT_EQ(count_element_reads(trace).blocks, 1u);
    const auto whole = Clock::now() - begin;
    bool stopped = false;
    for (int tries = 0; tries < 20 && !stopped; ++tries) {  // a busy machine may delay a thread
        std::atomic<bool> stop{false};
        const std::jthread later([&] {
            std::this_thread::sleep_for(whole / 8);
            stop = true;
        });
        stopped = count_element_reads(trace, nullptr, &stop).blocks == 0;
    }
    EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace tilereel::element_reads_test
