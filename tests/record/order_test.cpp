// Running in an exact order changes nothing that has no race: the slow way of recording and the
// fast one give the same trace.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>

#include "instrumentation/record/emulated_ladder.h"
#include "tests/record/emulate.h"
#include "tests/record/expect_same.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kNoLine = 60'000;  // has no barrier: all are kept
constexpr ThreadOrder kWarpOrders[] = {ThreadOrder::kTurns, ThreadOrder::kWarpsForward,
                                       ThreadOrder::kWarpsBackward};

void expect_same_in_order(EmulatedLaunch launch, const std::string& name) {
    const Launch& shape = launch.launch;
    const Inputs inputs = random_inputs(static_cast<int>(shape.m), static_cast<int>(shape.n),
                                        static_cast<int>(shape.k), 3);
    launch.launch.removed_barrier = 0;
    launch.launch.order = ThreadOrder::kTurns;
    const Result<Trace> fast = emulate(launch, inputs);
    ASSERT_TRUE(fast) << name;
    launch.launch.removed_barrier = kNoLine;
    for (const ThreadOrder order : kWarpOrders) {
        SCOPED_TRACE(name + " order " + std::to_string(static_cast<int>(order)));
        launch.launch.order = order;
        const Result<Trace> in_order = emulate(launch, inputs);
        ASSERT_TRUE(in_order) << in_order.error().message;
        expect_same(*fast, *in_order);
    }
    launch.launch.order = ThreadOrder::kLanes;
    const Result<Trace> lanes = emulate(launch, inputs);
    ASSERT_TRUE(lanes);
    EXPECT_TRUE(same_bytes(fast->c, lanes->c)) << name;
    EXPECT_EQ(access_count(*fast), access_count(*lanes)) << name;
    for (const Pattern& pattern : lanes->patterns)
        EXPECT_TRUE(std::popcount(pattern.mask) == 1 ||
                    std::ranges::any_of(lanes->sites, [](const Site& site) {
                        return site.operation >= Operation::kBarrier;
                    }));
}

TEST(Order, OfTheLadderWithAllItsBarriersChangesNothing) {
    for (const KernelInfo& info : catalog()) {
        if (info.boxes) continue;  // its threads wait for each other: it has no other way
        for (const KernelParameters& p :
             {KernelParameters{32, 64, 32, 16, 0}, KernelParameters{16, 16, 16, 16, 1},
              KernelParameters{24, 16, 8, 8, 0}, KernelParameters{13, 21, 7, 4, 0}}) {
            const Result<LaunchShape> shape = validate(info, p);
            if (!shape) continue;
            for (const std::uint32_t interval : {1u, 7u}) {
                EmulatedLaunch launch;
                launch.launch = {.kernel = std::string(info.id),
                                 .m = static_cast<std::uint32_t>(p.m),
                                 .n = static_cast<std::uint32_t>(p.n),
                                 .k = static_cast<std::uint32_t>(p.k),
                                 .tile = static_cast<std::uint32_t>(p.tile),
                                 .pad = static_cast<std::uint32_t>(p.pad),
                                 .grid = {shape->grid_x, shape->grid_y, 1},
                                 .block = {shape->block_x, shape->block_y, 1}};
                launch.body = find_emulated_kernel(info.id, p.tile, p.pad);
                launch.dynamic_shared_bytes = shape->dynamic_shared_bytes;
                launch.accumulator_interval = interval;
                launch.workers = 2;
                expect_same_in_order(launch, std::string(info.id));
            }
        }
    }
}

// Branches, loops of different lengths, wide accesses, both kinds of barrier, early returns.
__global__ void wayward(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    SHARED(float, Rows, 3, 64);
    const unsigned i = threadIdx.x, warp = i / 32;
    Accumulator<float> sum[2];
    if (i == 70) return;
    Rows[0][i % 64] = 1.0f;
    __syncthreads();
    for (unsigned k = 0; k < i * 7 % 5; ++k) {
        float x = (i + k) % 3 == 0 ? B[i * k] : A[(i * 37 + k * 11) % 100];
        if ((i ^ k) % 2 == 0)
            C[i] = x;
        else
            sum[k % 2] += A[i] * B[k];
    }
    if (warp < 2) Rows[1 + warp][i % 32] = sum[0];
    __syncwarp();
    if (warp < 2) C[96 + i] = Rows[1 + warp][(i + 1) % 32];
    __syncthreads();
    if (i % 4 == 3) return;
    if (i >= 64)
        sum[1] += A[i] * B[i];
    else
        for (unsigned k = 0; k < 3; ++k) sum[1] += Rows[0][k] * A[k];
    __syncthreads();
    C[192 + i] = sum[1];
    if (i < 4) as<float4>(C + 400)[i] = as<const float4>(A)[3 - i];
}

TEST(Order, OfAWaywardKernelChangesNothing) {
    for (const std::uint32_t interval : {1u, 3u}) {
        EmulatedLaunch launch;
        launch.launch = {
            .kernel = "wayward", .m = 32, .n = 32, .k = 32, .grid = {3, 1, 1}, .block = {90, 1, 1}};
        launch.body = body_of<wayward>;
        launch.accumulator_interval = interval;
        launch.workers = 1;
        expect_same_in_order(launch, "wayward");
    }
}

// Two warps add 1 to a cell, again and again: what comes out tells who ran when.
__global__ void count(Global<const float>, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Cell, 1);
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0) Cell[0] = 0.0f;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    for (int i = 0; i < 4; ++i) {
        const float value = Cell[0];
        Cell[0] = value + 1.0f;
        C[warp * 4 + i] = value;
    }
}

std::vector<float> counted(ThreadOrder order) {
    const Result<Trace> trace =
        emulate_kernel<count>({.block = {64, 1, 1}, .removed_barrier = kNoLine, .order = order});
    EXPECT_TRUE(trace);
    return {trace->c.begin(), trace->c.begin() + 8};
}

TEST(Order, IsTheOneAskedFor) {
    using ::testing::ElementsAre;
    // In turn, both read before either writes.
    EXPECT_THAT(counted(ThreadOrder::kTurns), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(counted(ThreadOrder::kWarpsForward), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(counted(ThreadOrder::kWarpsBackward), ElementsAre(4, 5, 6, 7, 0, 1, 2, 3));
    EXPECT_THAT(counted(ThreadOrder::kLanes), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// Each lane adds 1 to a cell: together they all read 0; one by one each reads the former's.
__global__ void add_one(Global<const float>, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Cell, 1);
    if (threadIdx.x == 0) Cell[0] = 0.0f;
    __syncthreads();
    const float value = Cell[0];
    Cell[0] = value + 1.0f;
    C[threadIdx.x] = value;
}

TEST(Order, LanesGoTogetherOrOneByOne) {
    for (const ThreadOrder order :
         {ThreadOrder::kTurns, ThreadOrder::kWarpsForward, ThreadOrder::kLanes}) {
        const Result<Trace> trace = emulate_kernel<add_one>(
            {.block = {48, 1, 1}, .removed_barrier = kNoLine, .order = order});
        ASSERT_TRUE(trace);
        for (std::uint32_t i = 0; i < 48; ++i) {
            const std::uint32_t after_the_warp_before =
                order == ThreadOrder::kWarpsForward && i >= 32 ? 1 : 0;
            EXPECT_EQ(trace->c[i], float(order == ThreadOrder::kLanes ? i : after_the_warp_before));
        }
    }
}

__global__ void out_of_range(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    C[threadIdx.x] = A[threadIdx.x + 1000];
}

TEST(Order, AFaultEndsTheRecordingWithASentence) {
    for (const ThreadOrder order : kWarpOrders) {
        const Result<Trace> trace = emulate_kernel<out_of_range>(
            {.grid = {4, 1, 1}, .removed_barrier = kNoLine, .order = order});
        ASSERT_FALSE(trace);
        EXPECT_THAT(trace.error().message,
                    ::testing::HasSubstr("index 1024 is outside 0..1023 of A"));
    }
}

}  // namespace
}  // namespace tilereel
