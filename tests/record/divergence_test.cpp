// Warps whose lanes part ways, blocks whose threads leave early, and barriers not all come to.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/emulate.h"

namespace tilereel {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t kAll = 0xffffffff, kEven = 0x55555555, kOdd = 0xaaaaaaaa;

__global__ void two_branches(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    float x = 0;
    if (i % 2 == 0)
        x = A[i];
    else
        x = B[i];
    C[i] = x;
}

TEST(Divergence, BranchesRunOneAfterTheOtherThenMeet) {
    const Result<Trace> trace = emulate_kernel<two_branches>();
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace),
                ElementsAre(Did{'l', "A", kEven}, Did{'l', "B", kOdd}, Did{'s', "C", kAll}));
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(trace->c[i], i % 2 == 0 ? trace->a[i] : trace->b[i]);
}

// The later source line first in the lowest lane: still line order, as a GPU reconverges.
__global__ void lowest_lane_goes_second(Global<const float> A, Global<const float> B,
                                        Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    float x = 0;
    if (i % 2 == 1)
        x = A[i];
    else
        x = B[i];
    C[i] = x;
}

TEST(Divergence, OrderIsTheSourcesNotTheLanes) {
    const Result<Trace> trace = emulate_kernel<lowest_lane_goes_second>();
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace),
                ElementsAre(Did{'l', "A", kOdd}, Did{'l', "B", kEven}, Did{'s', "C", kAll}));
}

__global__ void some_lanes_load(Global<const float> A, Global<const float> B, Global<float> C,
                                Shape) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < 3; ++k) {
        float x = i < 5 + k ? A[k] : 0.0f;
        C[i + 32 * k] = x + B[i];
    }
}

TEST(Divergence, LanesThatSkipAnAccessStayInStep) {
    const Result<Trace> trace = emulate_kernel<some_lanes_load>({.m = 8, .n = 32, .k = 8});
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace),
                ElementsAre(Did{'l', "A", 0x1f}, Did{'l', "B", kAll}, Did{'s', "C", kAll},
                            Did{'l', "A", 0x3f}, Did{'l', "B", kAll}, Did{'s', "C", kAll},
                            Did{'l', "A", 0x7f}, Did{'l', "B", kAll}, Did{'s', "C", kAll}));
}

// Trip i of the loop is done by the lanes that still loop, all on one line.
__global__ void different_trip_counts(Global<const float> A, Global<const float> B, Global<float>,
                                      Shape) {
    const unsigned i = threadIdx.x;
    Accumulator<float> sum;
    for (unsigned k = 0; k <= i % 4; ++k) sum += A[i] * B[k];
}

TEST(Divergence, LoopsOfDifferentLengthAlignTripByTrip) {
    const Result<Trace> trace = emulate_kernel<different_trip_counts>();
    ASSERT_TRUE(trace);
    std::vector<Did> expected;
    for (const std::uint32_t lanes : {kAll, 0xeeeeeeeeu, 0xccccccccu, 0x88888888u})
        for (const Did& did : {Did{'l', "A", lanes}, Did{'l', "B", lanes}, Did{'m', "", lanes}})
            expected.push_back(did);
    EXPECT_EQ(what_happened(*trace), expected);
}

__global__ void branches_in_a_loop(Global<const float> A, Global<const float> B, Global<float> C,
                                   Shape) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < 3; ++k) {
        if (i % 2 == 0)
            C[i] = A[k];
        else
            C[i] = B[k];
    }
}

// Trip by trip, although no lane sees where the other branch jumps back from.
TEST(Divergence, BranchesInALoopMeetInEveryTrip) {
    const Result<Trace> trace = emulate_kernel<branches_in_a_loop>();
    ASSERT_TRUE(trace);
    std::vector<Did> expected;
    for (int k = 0; k < 3; ++k)
        for (const Did& did :
             {Did{'l', "A", kEven}, Did{'s', "C", kEven}, Did{'l', "B", kOdd}, Did{'s', "C", kOdd}})
            expected.push_back(did);
    EXPECT_EQ(what_happened(*trace), expected);
}

// Whatever the merge does, each lane's own order and the count of its accesses stand.
__global__ void scatter(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < i * 7 % 5; ++k) {
        float x = (i + k) % 3 == 0 ? B[i * k] : A[(i * 37 + k * 11) % 100];
        if ((i ^ k) % 2 == 0)
            C[i] = x;
        else if (k > 1)
            C[i + 32] = x + A[k];
    }
}

TEST(Divergence, EveryLaneKeepsItsOwnOrder) {
    const Result<Trace> trace = emulate_kernel<scatter>();
    ASSERT_TRUE(trace);
    for (std::uint32_t i = 0; i < 32; ++i) {
        std::vector<std::pair<char, std::uint32_t>> expected, recorded;  // what, byte offset
        for (std::uint32_t k = 0; k < i * 7 % 5; ++k) {
            expected.emplace_back('l', 4 * ((i + k) % 3 == 0 ? i * k : (i * 37 + k * 11) % 100));
            if ((i ^ k) % 2 == 0) {
                expected.emplace_back('s', 4 * i);
            } else if (k > 1) {
                expected.emplace_back('l', 4 * k);
                expected.emplace_back('s', 4 * (i + 32));
            }
        }
        for (std::size_t r = 0; r < trace->records.size(); ++r) {
            const LaneOffsets lanes = lane_offsets(*trace, r);
            if ((lanes.mask >> i & 1u) == 0) continue;
            const Site& site = trace->sites[site_of(*trace, r)];
            recorded.emplace_back(site.operation == Operation::kLoad ? 'l' : 's', lanes.bytes[i]);
        }
        EXPECT_EQ(recorded, expected) << "lane " << i;
    }
}

__global__ void early_exit(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Tile, 64);
    const unsigned i = threadIdx.x;
    if (i % 4 == 3) return;
    Tile[i] = A[i];
    __syncthreads();
    if (i >= 32) return;
    C[i] = Tile[i % 4 == 2 ? i + 32 : i];
}

TEST(Divergence, ThreadsThatReturnedHoldNobodyUp) {
    const Result<Trace> trace = emulate_kernel<early_exit>({.block = {64, 1, 1}, .m = 32, .n = 32});
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace),
                ElementsAre(Did{'l', "A", 0x77777777}, Did{'s', "Tile", 0x77777777},
                            Did{'b', "", 0x77777777}, Did{'l', "A", 0x77777777},
                            Did{'s', "Tile", 0x77777777}, Did{'b', "", 0x77777777},
                            Did{'l', "Tile", 0x77777777}, Did{'s', "C", 0x77777777}));
    EXPECT_EQ(trace->segments.size(), 3u);  // warp 1 does nothing in epoch 1
    EXPECT_EQ(trace->c[6], trace->a[38]);
}

__global__ void half_wait(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    if (i < 16) {
        __syncthreads();
        C[i] = A[i];
    } else {
        C[i] = 1.0f;
    }
}

TEST(Divergence, ABarrierThatHalfAWarpReachesOpensWhenTheRestReturned) {
    const Result<Trace> trace = emulate_kernel<half_wait>();
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace), ElementsAre(Did{'s', "C", 0xffff0000}, Did{'b', "", 0xffff},
                                                   Did{'l', "A", 0xffff}, Did{'s', "C", 0xffff}));
}

__global__ void two_barriers(Global<const float>, Global<const float>, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    if (i % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
    C[i] = 2.0f;
}

TEST(Divergence, BarriersOnDifferentLinesDoNotHang) {
    const Result<Trace> trace = emulate_kernel<two_barriers>();
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace), ElementsAre(Did{'b', "", kAll}, Did{'s', "C", kAll}));
}

__global__ void copy(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    const unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    C[i] = A[i];
}

TEST(Divergence, LastWarpMayBePartial) {
    const Result<Trace> trace = emulate_kernel<copy>({.block = {7, 3, 2}});
    ASSERT_TRUE(trace);  // 42 threads
    EXPECT_THAT(what_happened(*trace), ElementsAre(Did{'l', "A", kAll}, Did{'s', "C", kAll},
                                                   Did{'l', "A", 0x3ff}, Did{'s', "C", 0x3ff}));
}

// Lane i reads what lane i + 1 wrote: right only if the whole warp arrives before any goes on.
__global__ void pass_along(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Row, 2, 32);
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    for (int k = 0; k < 3; ++k) {
        Row[warp][lane] = A[k * 32 + lane];
        __syncwarp();
        C[(warp * 3 + k) * 32 + lane] = Row[warp][(lane + 1) % 32];
        __syncwarp();
    }
}

TEST(Divergence, WarpBarriersOrderTheLanesOfAWarp) {
    const Result<Trace> trace = emulate_kernel<pass_along>({.block = {32, 2, 1}, .m = 6, .n = 32});
    ASSERT_TRUE(trace);
    for (std::uint32_t warp = 0; warp < 2; ++warp)
        for (std::uint32_t k = 0; k < 3; ++k)
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                EXPECT_EQ(trace->c[(warp * 3 + k) * 32 + lane], trace->a[k * 32 + (lane + 1) % 32]);
    EXPECT_EQ(trace->segments.size(), 2u);  // warp barriers end no epoch
    const std::vector<Did> did = what_happened(*trace);
    ASSERT_EQ(did.size(), 2u * 3 * 6);
    EXPECT_EQ(did[2], (Did{'w', "", kAll}));
    EXPECT_EQ(trace->arrays[3].rows, 2u);
    EXPECT_EQ(trace->arrays[3].columns, 32u);
}

// Sums across warp barriers: the epoch's last into each accumulator keeps its value, although more
// of the epoch follows it.
__global__ void sums_and_warp_barriers(Global<const float> A, Global<const float> B,
                                       Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    Accumulator<float> sum[2];
    for (int k = 0; k < 2; ++k) sum[0] += A[k] * B[i];
    C[i] = sum[0];
    __syncwarp();
    for (int k = 0; k < 3; ++k) sum[1] += A[k] * B[i];
    C[32 + i] = sum[1];
    __syncwarp();
    C[64 + i] = sum[0];
}

TEST(Divergence, LastSumsOfAnEpochAreKeptAcrossWarpBarriers) {
    const Result<Trace> trace = emulate_kernel<sums_and_warp_barriers>({.interval = 100});
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->accumulators, 2u);
    std::vector<std::pair<std::uint32_t, bool>> sums;  // accumulator, kept
    const std::uint32_t* value = trace->words.data();
    for (std::size_t r = 0; r < trace->records.size(); ++r) {
        const bool kept = has_values(*trace, r);
        if (trace->sites[site_of(*trace, r)].operation == Operation::kMultiplyAdd) {
            const std::uint32_t accumulator = trace->records.base[r];
            sums.emplace_back(accumulator, kept);
            for (std::uint32_t i = 0; kept && i < 32; ++i)  // the final sum, which C holds too
                EXPECT_EQ(std::bit_cast<float>(value[i]), trace->c[accumulator * 32 + i]);
        }
        if (kept) value += value_count(*trace, r);
    }
    EXPECT_EQ(value, trace->words.data() + trace->words.size());
    EXPECT_THAT(sums, ElementsAre(std::pair(0u, false), std::pair(0u, true), std::pair(1u, false),
                                  std::pair(1u, false), std::pair(1u, true)));
}

__global__ void wide(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Row, 32, 4);
    const unsigned i = threadIdx.x;
    as<float4>(Row[i])[0] = as<const float4>(A)[31 - i];
    __syncthreads();
    const float4 x = as<float4>(Row[i])[0];
    as<float4>(C)[i] = x;
}

TEST(Divergence, WideAccessesAreOneRecord) {
    const Result<Trace> trace = emulate_kernel<wide>();
    ASSERT_TRUE(trace);
    EXPECT_THAT(what_happened(*trace),
                ElementsAre(Did{'l', "A", kAll}, Did{'s', "Row", kAll}, Did{'b', "", kAll},
                            Did{'l', "Row", kAll}, Did{'s', "C", kAll}));
    EXPECT_EQ(trace->sites[0].width_bytes, 16);
    EXPECT_EQ(trace->words.size(), 2u * 32 * 4);  // two stores of four floats a lane
    EXPECT_EQ(lane_offsets(*trace, 0).bytes[31], 0u);
    EXPECT_EQ(lane_offsets(*trace, 0).bytes[0], 31u * 16);
    for (std::uint32_t i = 0; i < 128; ++i)
        EXPECT_EQ(trace->c[i], trace->a[(31 - i / 4) * 4 + i % 4]);
    EXPECT_EQ(std::bit_cast<float>(trace->words[32 * 4 + 5]), trace->c[5]);
}

__global__ void dynamic(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    auto whole = dynamicShared<float>();
    auto upper = whole + 32;
    const unsigned i = threadIdx.x;
    upper[i] = A[i];
    __syncthreads();
    C[i] = whole[63 - i];
}

TEST(Divergence, DynamicSharedMemoryMovesLikeAPointer) {
    const Result<Trace> trace = emulate_kernel<dynamic>({.dynamic_shared_bytes = 256});
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->launch.shared_bytes, 256u);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(trace->c[i], trace->a[31 - i]);
}

__global__ void squares(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    C[i] = A[i * i % 64 * 16 % 1000];
}

TEST(Divergence, IrregularOffsetsAreKeptLaneByLane) {
    const Result<Trace> trace = emulate_kernel<squares>({.grid = {3, 1, 1}, .workers = 2});
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->irregular_offsets.size(), 1u);  // the same in every block
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(lane_offsets(*trace, 0).bytes[i], i * i % 64 * 16 % 1000 * 4);
}

}  // namespace
}  // namespace tilereel
