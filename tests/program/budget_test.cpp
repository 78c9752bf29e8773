// What is recorded where a block, a launch or the program is longer than the budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/program/program_fixture.h"

namespace tilereel::program::budget_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Budget : public Program {};

// One thread over 400,000 elements.
TEST_F(Budget, ABlockBeyondTheBudgetIsCutOffAndEndsRight) {
    request_.limits.accesses_a_launch = 100'000;
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void add(const int* a, int* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + i;
}
int main() {
    const int n = 400000;
    int *a, *c, wrong = 0;
    static int h[n];
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&c, sizeof h);
    cudaMemset(a, 0, sizeof h);
    for (int threads : {1, 40}) {
        cudaMemset(c, 0, sizeof h);
        add<<<1, threads>>>(a, c, n);
        cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; ++i) wrong += h[i] != i;
    }
    printf("%d wrong\n", wrong);
    cudaFree(a), cudaFree(c);
}
)");
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 2u);
    for (const LaunchSummary& launch : ran.launches) {
        EXPECT_THAT(launch.cut_blocks, ElementsAre(0));
        EXPECT_GT(launch.accesses, 5'000u);
        EXPECT_LT(launch.accesses, 110'000u);
        EXPECT_THAT(launch.findings, IsEmpty());
        EXPECT_FALSE(trace_of(launch).complete);
    }
}

// A launch that fits is recorded whole; of a larger one, fewer blocks are enough.
TEST_F(Budget, ALaunchBeyondTheBudgetIsSampled) {
    request_.limits.accesses_a_launch = 100'000;
    request_.limits.accesses_of_sample = 10'000;
    const ProgramRun ran = run(R"(
__global__ void fill(int* a) { a[blockIdx.x * 64 + threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 5000 * 64 * 4);
    fill<<<500, 64>>>(a);
    fill<<<5000, 64>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 2u);
    EXPECT_EQ(ran.launches[0].recorded_blocks, 500u);
    EXPECT_GT(ran.launches[1].recorded_blocks, 20u);
    EXPECT_LT(ran.launches[1].recorded_blocks, 160u);
}

// After the cut the lanes wait for each other and pass barriers as before.
TEST_F(Budget, ABlockThatIsCutOffPassesItsBarriers) {
    request_.limits.accesses_a_launch = 1;
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void turn(int* sum) {
    __shared__ int cell[64];
    int mine = 0;
    cell[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 2000; ++i) {
        __syncthreads();
        const int next = cell[(threadIdx.x + 1) % 64];
        __syncthreads();
        cell[threadIdx.x] = next;
        mine += __shfl_down_sync(0xffffffffu, next, 1) - next;
    }
    sum[threadIdx.x] = cell[threadIdx.x] + 0 * mine;
}
int main() {
    int *sum, h[64], wrong = 0;
    cudaMalloc(&sum, sizeof h);
    turn<<<1, 64>>>(sum);
    cudaMemcpy(h, sum, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) wrong += h[i] != (i + 2000) % 64;
    printf("%d wrong\n", wrong);
    cudaFree(sum);
}
)");
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_THAT(ran.launches[0].cut_blocks, ElementsAre(0));
    EXPECT_THAT(ran.launches[0].findings, IsEmpty());
}

TEST_F(Budget, EveryLaunchIsListedAndEachKernelIsRecorded) {
    request_.limits.accesses_a_launch = 2048;
    request_.limits.accesses = 4 * 2048;
    const ProgramRun ran = run(R"(
__global__ void copy(int* a) { a[blockIdx.x * 32 + threadIdx.x] = 1; }
__global__ void last(int* a) { a[threadIdx.x] = 2; }
int main() {
    int* a;
    cudaMalloc(&a, 64 * 128);
    for (int i = 0; i < 100; ++i) copy<<<64, 32>>>(a);
    last<<<1, 32>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 101u);
    EXPECT_TRUE(ran.launches[0].is_recorded);
    EXPECT_FALSE(ran.launches[50].is_recorded);
    EXPECT_EQ(ran.launches[50].number, 50u);
    EXPECT_THAT(ran.launches[50].reason, HasSubstr("--launch 50"));
    EXPECT_EQ(ran.launches[100].kernel, "last");
    EXPECT_EQ(ran.launches[100].accesses, 32u);
}

// Each block computes a lot and accesses memory once.
TEST_F(Budget, ValuesCountForTheBudget) {
    request_.limits.accesses_a_launch = 20'000;
    const ProgramRun ran = run(R"(
__global__ void lowest(float* out) {
    float least = 1e30f;
    for (int i = 0; i < 40; ++i) {
        float v = (threadIdx.x * 31 + i * 17) % 101;
        if (v < least) least = v;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = least;
}
int main() {
    float* a;
    cudaMalloc(&a, 1000 * sizeof(float));
    lowest<<<1000, 32>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_GE(ran.launches[0].recorded_blocks, 3u);
    EXPECT_LT(ran.launches[0].recorded_blocks, 500u);
}

TEST_F(Budget, TheProgramStopsAfterTheLaunchAskedFor) {
    request_.launch = 1;
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void k(int* a) { a[0] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 4);
    for (int i = 0; i < 3; ++i) printf("%d\n", i), k<<<1, 1>>>(a);
    for (;;) {
    }
}
)");
    EXPECT_EQ(ran.output, "0\n1\n");
    ASSERT_EQ(ran.launches.size(), 2u);
    EXPECT_EQ(ran.end_sentence, "The program was stopped after launch 1, as --launch asks.");
    EXPECT_EQ(ran.exit_code, 0);
}

// A million blocks of about a millisecond each. The recorded ones are shown, the others left out.
TEST_F(Budget, BlocksThatTakeTooLongAreLeftOut) {
    request_.limits.accesses_a_launch = 1;
    const ProgramRun ran = run(R"(
__global__ void slow(int* a) {
    unsigned x = blockIdx.x + 1;
    for (int i = 0; i < 300000; ++i) {  // of these no compiler knows the sum
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    a[0] = x;
}
int main() {
    int* a;
    cudaMalloc(&a, 4);
    slow<<<1000000, 1>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const LaunchSummary& launch = ran.launches[0];
    EXPECT_GE(launch.recorded_blocks, 1u);
    EXPECT_GT(launch.left_out_blocks, 900'000u);
    EXPECT_GT(launch.left_out_seconds, 15u);
    EXPECT_EQ(ran.end, ProgramEnd::kExit);
}

// Decoupled look-back by the number of the block: each block waits for the one before. As the
// blocks are expected to take long, the recorded ones run first.
TEST_F(Budget, ARecordedBlockMayWaitForBlocksBeforeIt) {
    request_.limits.accesses_a_launch = request_.limits.accesses_of_sample = 40'000'000;
    request_.limits.seconds = 30;
    request_.workers = 2;
    request_.all_blocks = true;
    const ProgramRun ran = run(R"(#include <cstdio>
__device__ volatile int passed[2000];
__global__ void chain(int* a) {
    float x = a[0];
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            for (int i = 0; i < 600000; ++i) x = sinf(cosf(sinf(cosf(x))));
        else
            while (passed[blockIdx.x - 1] == 0) {}
        passed[blockIdx.x] = 1;
        __threadfence();
        a[1 + blockIdx.x] = x;
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 2001 * 4);
    cudaMemset(a, 0, 2001 * 4);
    chain<<<2000, 32>>>(a);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "no error\n");
    EXPECT_EQ(ran.end, ProgramEnd::kExit);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].recorded_blocks, 2u);  // the first, and one that waited
    EXPECT_TRUE(read_trace(ran.launches[0].trace));
}

// Every block but the first is endless.
TEST_F(Budget, WhatIsRecordedOfEndlessBlocksStays) {
    request_.limits.seconds = 1;
    request_.limits.accesses_of_sample = std::uint64_t{1} << 24;  // more than one block
    request_.workers = 2;
    const ProgramRun ran = run(R"(
__global__ void endless(volatile int* a) {
    float x = a[0];
    if (blockIdx.x == 0)
        for (int i = 0; i < 600000; ++i) x = sinf(cosf(sinf(cosf(x))));
    else
        while (a[0] == 0) {}
    a[1] = x;
}
int main() {
    int* a;
    cudaMalloc(&a, 8);
    cudaMemset(a, 0, 8);
    endless<<<2000, 1>>>(a);
    cudaDeviceSynchronize();
}
)");
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_GE(ran.launches[0].recorded_blocks, 1u);  // 2, if the machine is not busy
    const Result<Trace> trace = read_trace(ran.launches[0].trace);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_FALSE(trace->complete);
    EXPECT_EQ(trace->launch.kernel, "endless");
}

// The address space that the program may have, in addition to what is usually reserved for the
// GPU's memory. The sum wraps around, so that the limit is as small as under `ulimit -v`.
constexpr std::uint64_t memory_for_limit(std::uint64_t gib) { return (gib - 128) << 30; }

TEST_F(Budget, ASmallAddressSpaceIsEnough) {
    request_.limits.memory_bytes = memory_for_limit(2);
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void fill(int* a) { a[blockIdx.x * 1024 + threadIdx.x] = 1; __syncthreads(); }
int main() {
    int *a, last = 0;
    cudaMalloc(&a, 4 * 4096);
    fill<<<4, 1024>>>(a);
    cudaMemcpy(&last, a + 4095, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "1\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].accesses, 4096u);
}

TEST_F(Budget, AnAddressSpaceThatIsTooSmallIsTheRecordersFailure) {
    request_.limits.memory_bytes = memory_for_limit(2);
    request_.file = folder_ / "large.cu";
    std::ofstream(request_.file) << R"(
int main() {
    char* a;
    cudaMalloc(&a, 8ull << 30);
}
)";
    const Result<ProgramRun> ran = run_program(request_);
    ASSERT_FALSE(ran);
    EXPECT_THAT(ran.error().message, HasSubstr("the recorder failed: the limit of the address"));
}

}  // namespace
}  // namespace tilereel::program::budget_test
