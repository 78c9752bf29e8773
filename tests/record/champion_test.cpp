// Recordings of 20_champion: C at any size, and the records of its TMA copies, mbarriers and
// threads, computed from its tiles. An mbarrier has 8 bytes; each stage has two.
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::champion_test {
namespace {

Trace champion(int m, int n, int k, int tile) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return trace ? std::move(trace).value() : Trace{};
}

void expect_right(int m, int n, int k, int tile) {
    EXPECT_EQ(champion(m, n, k, tile).wrong_elements, 0u)
        << m << ' ' << n << ' ' << k << ' ' << tile;
}

TEST(Champion, IsRightForAnySize) {
    for (const int tile : {16, 32})
        for (const auto& [m, n, k] : {std::array{1, 1, 1},
                                      {3, 5, 7},
                                      {16, 16, 8},
                                      {17, 33, 9},
                                      {31, 32, 64},
                                      {40, 36, 44},
                                      {5, 70, 13},
                                      {100, 37, 65}})
            expect_right(m, n, k, tile);
}

std::uint64_t count(const Trace& trace, Operation operation, bool lanes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == operation)
            sum += lanes ? static_cast<std::uint64_t>(
                               std::popcount(trace.patterns[trace.records.pattern[i]].mask))
                         : 1;
    return sum;
}

TEST(Champion, MakesExactlyTheAccessesOfItsTiles) {
    const Trace trace = champion(32, 32, 32, 16);
    constexpr std::uint64_t kBlocks = 4, kStages = 32 / 8;
    EXPECT_EQ(count(trace, Operation::kMultiplyAdd, true), 32u * 32 * 32);
    EXPECT_EQ(count(trace, Operation::kStartBulkCopy, true), kBlocks * kStages * 2);
    // 16 x 8 of A and 8 x 16 of B: 32 pieces of 16 bytes each, none of them outside.
    EXPECT_EQ(count(trace, Operation::kCopyLoad, true), kBlocks * kStages * 2 * 32);
    EXPECT_EQ(count(trace, Operation::kCopyStore, true), kBlocks * kStages * 2 * 32);
    // The warp reads for each k a piece of B, and for each 4 k a piece of 2 rows of A. It reads
    // before it multiplies, so it reads once more after the last stage.
    EXPECT_EQ(count(trace, Operation::kLoad, false), kBlocks * (kStages * (8 + 2 * 2) + 1 + 2));
    // The warp waits for each stage to be full. Only the fourth stage is copied into a buffer that
    // must be empty again: there are 3.
    EXPECT_EQ(count(trace, Operation::kWaitPhase, false), kBlocks * (kStages + 1));
    EXPECT_EQ(count(trace, Operation::kBarrier, false), kBlocks);
}

// The pieces that the TMA copies are recorded after the thread's request. For a tile of
// 16 x 16 and one stage, a thread initialises the 2 mbarriers of 3 buffers, and requests a box of A
// and one of B.
TEST(Champion, ABoxIsRecordedAsPiecesAfterItsRequest) {
    const Trace trace = champion(16, 16, 8, 16);
    using enum Operation;
    std::vector<std::pair<Operation, std::uint32_t>> did;  // and the mask
    for (std::size_t i = 0; i < trace.records.size() && did.size() < 14; ++i)
        did.emplace_back(site_at(trace, i).operation,
                         trace.patterns[trace.records.pattern[i]].mask);
    std::vector<std::pair<Operation, std::uint32_t>> expected(6, {kInitBarrier, 1});
    expected.emplace_back(kArrive, 1);
    for (int matrix = 0; matrix < 2; ++matrix) {
        expected.emplace_back(kStartBulkCopy, 1);
        expected.emplace_back(kCopyLoad, ~0u);  // 32 pieces of 16 bytes
        expected.emplace_back(kCopyStore, ~0u);
    }
    expected.emplace_back(kBarrier, ~0u);
    EXPECT_EQ(did, expected);
}

// For each buffer, a thread initialises the mbarriers full and empty. Each kind has an array of
// its own, and mbarriers are numbered by address.
TEST(Champion, BarriersAreNumberedByAddress) {
    const Trace trace = champion(16, 16, 8, 16);
    constexpr std::uint32_t kStages = 3;
    std::vector<std::uint32_t> made;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == Operation::kInitBarrier)
            made.push_back(MBarrierPhase::of(trace.records.base[i]).barrier);
    ASSERT_EQ(made.size(), 2 * kStages);
    for (std::uint32_t stage = 1; stage < kStages; ++stage)
        for (std::uint32_t kind = 0; kind < 2; ++kind)
            EXPECT_EQ(made[2 * stage + kind], made[kind] + stage);
}

// A block computes 256 x 128 of C: a matrix of that size, a larger and a smaller one.
TEST(Champion, TheLargeTileIsRightForAnySize) {
    for (const auto& [m, n, k] : {std::array{256, 128, 64}, {300, 200, 70}, {5, 3, 33}})
        expect_right(m, n, k, 256);
}

TEST(Champion, TheLargeTileMakesExactlyItsAccesses) {
    const Trace trace = champion(256, 128, 160, 256);
    constexpr std::uint64_t kStages = 160 / 32, kWarps = 8, kPieces = 32 * (256 + 128) / 4;
    EXPECT_EQ(trace.launch.shared_bytes, 4u * 32 * (256 + 128) * 4 + 4 * 2 * 8);
    EXPECT_EQ(count(trace, Operation::kMultiplyAdd, true), 256u * 128 * 160);
    EXPECT_EQ(count(trace, Operation::kStartBulkCopy, true), kStages * 2);
    EXPECT_EQ(count(trace, Operation::kCopyLoad, true), kStages * kPieces);
    EXPECT_EQ(count(trace, Operation::kCopyStore, true), kStages * kPieces);
    // For each stage, a warp reads 4 pieces of B for each of 32 k, and a piece of 8 rows of A for
    // each 4 k. After the last stage it reads once more.
    EXPECT_EQ(count(trace, Operation::kLoad, false), kWarps * (kStages * (32 * 4 + 8 * 8) + 4 + 8));
    // Every warp waits for every stage. One warp waits until the first of 4 buffers is empty again.
    EXPECT_EQ(count(trace, Operation::kWaitPhase, false), kWarps * kStages + 1);
}

TEST(Champion, ElementsOutsideTheMatrixAreZeros) {
    const Trace trace = champion(5, 20, 12, 16);
    std::uint64_t zeros = 0;
    std::size_t value = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const std::size_t values = has_values(trace, i) ? value_count(trace, i) : 0;
        if (brings_zeros(trace, i)) {
            zeros += values;
            for (std::size_t j = value; j < value + values; ++j) EXPECT_EQ(trace.words[j], 0u);
        }
        value += values;
    }
    // 2 tiles. Each copies 16 x 16 elements of A, of which 5 x 12 lie inside. Together they copy
    // 16 x 32 elements of B, of which 12 x 20 lie inside.
    EXPECT_EQ(zeros, 2u * (16 * 16 - 5 * 12) + (2 * 16 * 16 - 12 * 20));
}

}  // namespace
}  // namespace tilereel::champion_test
