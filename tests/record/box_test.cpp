// Boxes of the copy engine and barriers in shared memory in the emulator: when a box lands, who
// waits for whom, what is recorded, and 20_champion's small tiles.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>

#include <cmath>

#include "instrumentation/record/record.h"
#include "kernels/dialect/boxes_emulated.h"
#include "tests/record/emulate.h"

namespace tilereel {
namespace {

using testing::HasSubstr;

constexpr TestLaunch kOneWarp{.in_order = true};
constexpr TestLaunch kTwoWarps{.block = {64, 1, 1}, .in_order = true};

// STEP: 0 all in place; 1 nobody waits; 2 too few bytes come; 3 too few threads arrive; 4 nobody
// makes the barrier; 5 a thread arrives too often.
template <int STEP>
void copy_a_box(Global<const float> A, Global<const float>, Global<float> C, Shape s) {
    SHARED(float, As, 4, 8);
    const MBarrier full(1);
    const BoxMap map{A, s.m, s.k, 4, 8, 0};
    if (threadIdx.x == 0 && STEP != 4) full[0].init(STEP == 3 ? 2 : 1);
    __syncthreads();
    if (threadIdx.x == 0 && STEP != 4) {
        full[0].arrive_expecting(STEP == 2 ? 256 : 128);
        if (STEP == 5) full[0].arrive_expecting(0), full[0].arrive_expecting(0);
        copy_box(As + 0, map, 0, 0, full[0]);
    }
    if (STEP != 1) full[0].wait(0);
    const int i = threadIdx.x % 32;
    const float value = As[i / 8][i % 8];
    C[i] = value;
}

std::string message_of(const Result<Trace>& trace) {
    return trace ? std::string("recorded") : trace.error().message;
}

TEST(Box, LandsWhenItsPhaseIsWaitedForAndNotBefore) {
    const Trace right = emulate_kernel<copy_a_box<0>>(kTwoWarps).value();
    const Trace early = emulate_kernel<copy_a_box<1>>(kTwoWarps).value();
    for (std::size_t i = 0; i < 32; ++i) {
        EXPECT_EQ(right.c[i], right.a[i / 8 * 32 + i % 8]);
        EXPECT_TRUE(std::isnan(early.c[i]));
    }
}

TEST(Box, WhoWaitsForEverIsASentence) {
    EXPECT_THAT(message_of(emulate_kernel<copy_a_box<2>>(kOneWarp)),
                HasSubstr("thread 0 of block 0 waits for ever"));
    EXPECT_THAT(message_of(emulate_kernel<copy_a_box<2>>(kOneWarp)),
                HasSubstr("fewer bytes come than were announced"));
    EXPECT_THAT(message_of(emulate_kernel<copy_a_box<3>>(kTwoWarps)),
                HasSubstr("too few threads arrive"));
    EXPECT_THAT(message_of(emulate_kernel<copy_a_box<4>>(kTwoWarps)),
                HasSubstr("no thread makes the barrier"));
    EXPECT_THAT(message_of(emulate_kernel<copy_a_box<5>>(kOneWarp)),
                HasSubstr("once more than a phase waits for"));
}

TEST(Box, IsRecordedByPiecesBehindWhoAskedForIt) {
    const Trace trace = emulate_kernel<copy_a_box<0>>(kOneWarp).value();
    std::vector<std::pair<Operation, std::uint32_t>> did;  // and the mask
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        did.emplace_back(trace.sites[site_of(trace, i)].operation,
                         trace.patterns[trace.records.pattern[i]].mask);
    using enum Operation;
    const std::vector<std::pair<Operation, std::uint32_t>> expected{
        {kMakeBarrier, 1},
        {kBarrier, ~0u},
        {kArrive, 1},
        {kStartBox, 1},
        // 4 rows of 8 floats: 8 pieces of 16 bytes
        {kCopyLoad, 0xff},
        {kCopyStore, 0xff},
        {kWaitPhase, ~0u},
        {kLoad, ~0u},
        {kStore, ~0u}};
    EXPECT_EQ(did, expected);
    EXPECT_EQ(trace.sites[site_of(trace, 4)].width_bytes, 16);
}

// The second thread of the warp waits for the first one's arrival, and the first for the second's.
void lanes_wait_for_each_other(Global<const float>, Global<const float>, Global<float> C, Shape) {
    const MBarrier barriers(2);
    const int i = threadIdx.x;
    if (i == 0) barriers[0].init(1), barriers[1].init(1);
    __syncthreads();
    if (i == 0) {
        barriers[0].wait(0);
        barriers[1].arrive();
    }
    if (i == 1) {
        barriers[0].arrive();
        barriers[1].wait(0);
    }
    C[i] = 1.0f;
}

TEST(Box, LanesOfAWarpMayWaitForEachOther) {
    EXPECT_EQ(message_of(emulate_kernel<lanes_wait_for_each_other>(kOneWarp)), "recorded");
}

// Phases alternate between parity 0 and 1: a ring of one stage between two warps.
void ring_of_one(Global<const float> A, Global<const float>, Global<float> C, Shape s) {
    SHARED(float, As, 4, 8);
    const MBarrier full(1), empty(1);
    const BoxMap map{A, s.m, s.k, 4, 8, 0};
    const int i = threadIdx.x;
    if (i == 0) full[0].init(1), empty[0].init(1);
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < 4; ++t) {
        if (i == 0) {
            if (t > 0) empty[0].wait((t - 1) % 2);
            full[0].arrive_expecting(128);
            copy_box(As + 0, map, 4 * t, 0, full[0]);
        }
        if (i < 32) continue;
        full[0].wait(t % 2);
        const float value = As[i % 32 / 8][i % 8];
        sum = sum + value;
        __syncwarp();
        if (i == 32) empty[0].arrive();
    }
    C[i] = sum;
}

TEST(Box, PhasesAlternate) {
    const Trace trace = emulate_kernel<ring_of_one>(kTwoWarps).value();
    for (std::size_t i = 0; i < 32; ++i) {
        float sum = 0;
        for (std::size_t t = 0; t < 4; ++t) sum += trace.a[(4 * t + i / 8) * 32 + i % 8];
        EXPECT_EQ(trace.c[32 + i], sum);
    }
}

// CUDA C++ Programming Guide, "Tensor Memory Access", swizzle modes: of rows of 128, 64 and 32
// bytes, piece p of row r lies where p ^ r % 8, p ^ r / 2 % 4 and p ^ r / 4 % 2 would.
template <int COLUMNS>
void read_swizzled(Global<const float> A, Global<const float>, Global<float> C, Shape s) {
    SHARED(float, As, 8, COLUMNS);
    const MBarrier full(1);
    const BoxMap map{A, s.m, s.k, 8, COLUMNS, COLUMNS * 4};
    const int i = threadIdx.x;
    if (i == 0) full[0].init(1);
    __syncthreads();
    if (i == 0) {
        full[0].arrive_expecting(8 * COLUMNS * 4);
        copy_box(As + 0, map, 0, 0, full[0]);
    }
    full[0].wait(0);
    for (int r = 0; r < 8; ++r) {
        const int turned = COLUMNS == 32 ? r % 8 : COLUMNS == 16 ? r / 2 % 4 : r / 4 % 2;
        if (i >= COLUMNS) continue;
        const float value = As[r][(i / 4 ^ turned) * 4 + i % 4];
        C[r * COLUMNS + i] = value;
    }
}

template <int COLUMNS>
void expect_rows_in_order() {
    const Trace trace = emulate_kernel<read_swizzled<COLUMNS>>(kOneWarp).value();
    for (std::size_t i = 0; i < 8 * COLUMNS; ++i)
        EXPECT_EQ(trace.c[i], trace.a[i / COLUMNS * 32 + i % COLUMNS]);
}

TEST(Box, LiesSwizzled) {
    expect_rows_in_order<32>();
    expect_rows_in_order<16>();
    expect_rows_in_order<8>();
}

Result<Trace> champion(int m, int n, int k, int tile) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
    return record_with_emulator(request);  // holds C against the reference
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
            EXPECT_EQ(message_of(champion(m, n, k, tile)), "recorded")
                << m << ' ' << n << ' ' << k << ' ' << tile;
}

std::uint64_t count(const Trace& trace, Operation operation, bool lanes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (trace.sites[site_of(trace, i)].operation == operation)
            sum += lanes ? static_cast<std::uint64_t>(
                               std::popcount(trace.patterns[trace.records.pattern[i]].mask))
                         : 1;
    return sum;
}

TEST(Champion, DoesWhatItsTilesTakeAndNoMore) {
    const Trace trace = champion(32, 32, 32, 16).value();
    constexpr std::uint64_t kBlocks = 4, kStages = 32 / 8;
    EXPECT_EQ(count(trace, Operation::kMultiplyAdd, true), 32u * 32 * 32);
    EXPECT_EQ(count(trace, Operation::kStartBox, true), kBlocks * kStages * 2);
    // 16 x 8 of A and 8 x 16 of B: 32 pieces of 16 bytes each, none of them outside.
    EXPECT_EQ(count(trace, Operation::kCopyLoad, true), kBlocks * kStages * 2 * 32);
    EXPECT_EQ(count(trace, Operation::kCopyStore, true), kBlocks * kStages * 2 * 32);
    // A stage: 8 k of one piece of B; 2 rows of A, 4 k a read.
    EXPECT_EQ(count(trace, Operation::kLoad, false), kBlocks * kStages * (8 + 2 * 2));
    // Every stage is waited for by all; only the fourth needs a stage to be empty.
    EXPECT_EQ(count(trace, Operation::kWaitPhase, false), kBlocks * (kStages + 1));
    EXPECT_EQ(count(trace, Operation::kBarrier, false), kBlocks);
}

// A block of 256 x 128: also smaller, larger and ragged.
TEST(Champion, TheLargeTileIsRightForAnySize) {
    for (const auto& [m, n, k] : {std::array{256, 128, 64}, {300, 200, 70}, {5, 3, 33}})
        EXPECT_EQ(message_of(champion(m, n, k, 256)), "recorded") << m << ' ' << n << ' ' << k;
}

TEST(Champion, TheLargeTileDoesWhatItTakesAndNoMore) {
    const Trace trace = champion(256, 128, 160, 256).value();
    constexpr std::uint64_t kStages = 160 / 32, kWarps = 8, kPieces = 32 * (256 + 128) / 4;
    EXPECT_EQ(trace.launch.shared_bytes, 4u * 32 * (256 + 128) * 4);
    EXPECT_EQ(count(trace, Operation::kMultiplyAdd, true), 256u * 128 * 160);
    EXPECT_EQ(count(trace, Operation::kStartBox, true), kStages * 2);
    EXPECT_EQ(count(trace, Operation::kCopyLoad, true), kStages * kPieces);
    EXPECT_EQ(count(trace, Operation::kCopyStore, true), kStages * kPieces);
    // A warp and stage: 4 pieces of B for each of 32 k; 8 rows of A, 4 k a read.
    EXPECT_EQ(count(trace, Operation::kLoad, false), kWarps * kStages * (32 * 4 + 8 * 8));
    // Every warp waits for every stage; one for the first stage to be empty again.
    EXPECT_EQ(count(trace, Operation::kWaitPhase, false), kWarps * kStages + 1);
}

TEST(Champion, WhatLiesOutsideComesAsZeros) {
    const Trace trace = champion(5, 20, 12, 16).value();
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
    // 2 tiles x 2 stages of 16 x 8 of A, of which 5 x 12 lie inside; of 8 x 16 of B 12 x 20 in all.
    EXPECT_EQ(zeros, 2u * (16 * 16 - 5 * 12) + (2 * 16 * 16 - 12 * 20));
}

}  // namespace
}  // namespace tilereel
