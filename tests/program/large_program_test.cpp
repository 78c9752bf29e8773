// Which blocks of a large launch are recorded, and that the others give their results.
#include "tests/program/large_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tilereel::program::large_program_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Uses everything that the version without hooks could get wrong. The program compares each
// kernel's result with the host's.
constexpr const char* kEverything = R"(#include <cstdio>
#include <vector>
constexpr int kBlocks = 400, kThreads = 96, kCount = kBlocks * kThreads;
__device__ int counter;
__device__ int table[4] = {1, 10, 100, 1000};
__constant__ int factor;

template <int N, class F>
__device__ int apply(F f, int x) {
    for (int i = 0; i < N; ++i) x = f(x);
    return x;
}
__device__ int twice(int x) { return 2 * x; }
__device__ int plus_factor(int x) { return x + factor; }
typedef int (*Function)(int);
__device__ int from_shared(int x) {
    __shared__ int kept[kThreads];
    kept[threadIdx.x] = x;
    __syncthreads();
    const int other = kept[kThreads - 1 - threadIdx.x];
    __syncthreads();
    return other;
}
struct Shape {
    int size;
    __device__ Shape(int s) : size(s) {}
    __device__ virtual int area() const { return size; }
};
struct Square : Shape {
    __device__ Square(int s) : Shape(s) {}
    __device__ int area() const override { return size * size; }
};
__global__ void functions(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Function chosen = i % 2 ? twice : plus_factor;
    Square square(i % 7);
    const Shape& shape = square;
    out[i] = apply<3>([](int x) { return x + 1; }, i) + chosen(i) + shape.area() + table[i % 4] +
             from_shared(i);
}
__global__ void reduce(const int* in, int* sums) {
    extern __shared__ int partial[];
    const int i = threadIdx.x;
    partial[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (i < half && i + half < kThreads) partial[i] += partial[i + half];
        __syncthreads();
    }
    if (i == 0) sums[blockIdx.x] = partial[0];
}
__global__ void shuffled(const int* in, int* sums) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    const int odd = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] & 1);
    if (threadIdx.x % 32 == 0) atomicAdd(&sums[blockIdx.x], value);
    if (threadIdx.x == 0) atomicAdd(&counter, odd);
}
__global__ void leave_early(int* out) {
    if (threadIdx.x >= 50) return;
    __shared__ int last;
    if (threadIdx.x == 49) last = blockIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = last;
}
int main() {
    std::vector<int> in(kCount), out(kCount), sums(kBlocks);
    int *a, *b, *s, five = 5, wrong = 0;
    cudaMemcpyToSymbol(factor, &five, sizeof five);
    cudaMalloc(&a, kCount * sizeof(int));
    cudaMalloc(&b, kCount * sizeof(int));
    cudaMalloc(&s, kBlocks * sizeof(int));
    functions<<<kBlocks, kThreads>>>(a);
    cudaMemcpy(in.data(), a, kCount * sizeof(int), cudaMemcpyDeviceToHost);
    const int power[] = {1, 10, 100, 1000};
    for (int i = 0; i < kCount; ++i) {
        const int begin = i / kThreads * kThreads, other = begin + kThreads - 1 - (i - begin);
        const int area = (i % 7) * (i % 7);
        wrong += in[i] != i + 3 + (i % 2 ? 2 * i : i + 5) + area + power[i % 4] + other;
    }
    printf("%d wrong functions\n", wrong), wrong = 0;
    std::vector<int> sum(kBlocks);
    int odd = 0;
    for (int i = 0; i < kCount; ++i) sum[i / kThreads] += in[i], odd += in[i] & 1;
    reduce<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(a, s);
    cudaMemcpy(sums.data(), s, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kBlocks; ++i) wrong += sums[i] != sum[i];
    printf("%d wrong sums\n", wrong), wrong = 0;
    cudaMemset(s, 0, kBlocks * sizeof(int));
    shuffled<<<kBlocks, kThreads>>>(a, s);
    cudaMemcpy(sums.data(), s, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kBlocks; ++i) wrong += sums[i] != sum[i];
    int counted;
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    printf("%d wrong shuffles, %d\n", wrong, counted - odd), wrong = 0;
    cudaMemset(b, 0, kCount * sizeof(int));
    leave_early<<<kBlocks, kThreads>>>(b);
    cudaMemcpy(out.data(), b, kCount * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) wrong += out[i] != (i % kThreads < 50 ? i / kThreads : 0);
    printf("%d wrong early leavers\n", wrong);
    cudaFree(a), cudaFree(b), cudaFree(s);
}
)";

TEST_F(LargeProgram, BlocksThatAreNotRecordedGiveTheirResults) {
    const ProgramRun ran = run(kEverything);
    EXPECT_EQ(ran.output,
              "0 wrong functions\n0 wrong sums\n0 wrong shuffles, 0\n0 wrong early leavers\n");
    ASSERT_EQ(ran.launches.size(), 4u);
    for (const LaunchSummary& launch : ran.launches) {
        EXPECT_THAT(launch.chosen_blocks, ElementsAre(0, 200, 399)) << launch.kernel;
        EXPECT_EQ(launch.unhooked_blocks, 397u) << launch.kernel;
        EXPECT_THAT(launch.findings, IsEmpty()) << launch.kernel;
    }
    EXPECT_THAT(ran.findings, IsEmpty());
}

// The window asks for more blocks of one launch. The other launches record the same as before.
TEST_F(LargeProgram, BlocksAreRecordedBesidesThoseOfTheBudget) {
    request_.more_blocks = {{1, 17}, {1, 200}, {1, 5}, {1, 5'000}, {9, 3}};
    const ProgramRun ran = run(kEverything);
    ASSERT_EQ(ran.launches.size(), 4u);
    for (const LaunchSummary& launch : ran.launches) {
        if (launch.number == 1)
            EXPECT_THAT(launch.chosen_blocks, ElementsAre(0, 5, 17, 200, 399));
        else
            EXPECT_THAT(launch.chosen_blocks, ElementsAre(0, 200, 399)) << launch.kernel;
    }
    const Trace trace = trace_of(ran.launches[1]);
    const auto segments = [&trace](std::uint32_t block) {
        const SegmentRange range = segments_of_block(trace, block);
        return range.last - range.first;
    };
    EXPECT_GT(segments(17), 0u);
    EXPECT_EQ(segments(18), 0u);
    EXPECT_THAT(ran.output, HasSubstr("0 wrong sums"));
}

// The budget of all launches pays for nine blocks of 32 accesses: six of the first launch, three of
// the second. The three blocks asked for do not count.
TEST_F(LargeProgram, BlocksAskedForDoNotUseUpTheBudget) {
    request_.limits.accesses_a_launch = 6 * 32;
    request_.limits.accesses = 6 * 32 + 3 * 32;
    request_.more_blocks = {{0, 1}, {0, 2}, {0, 3}};
    const ProgramRun ran = run(R"(
__global__ void fill(int* a) { a[blockIdx.x * 32 + threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 50 * 128);
    fill<<<50, 32>>>(a);
    fill<<<50, 32>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 2u);
    EXPECT_EQ(ran.launches[0].recorded_blocks, 6u + 3u);
    EXPECT_EQ(ran.launches[1].recorded_blocks, 3u);
}

// A list of blocks for all launches, and one more for the second.
TEST_F(LargeProgram, BlocksAreRecordedBesidesThoseThatAreListed) {
    request_.blocks = {7};
    request_.more_blocks = {{1, 0}, {1, 9}};
    const ProgramRun ran = run(kEverything);
    ASSERT_EQ(ran.launches.size(), 4u);
    EXPECT_THAT(ran.launches[0].chosen_blocks, ElementsAre(7));
    EXPECT_THAT(ran.launches[1].chosen_blocks, ElementsAre(0, 7, 9));
}

TEST_F(LargeProgram, TheTraceIsTheSameForAnyNumberOfWorkers) {
    const ProgramRun four = run(kEverything);
    setenv("TILEREEL_RECORD_WORKERS", "1", 1);
    const ProgramRun one = run(kEverything);
    ASSERT_EQ(four.launches.size(), 4u);
    ASSERT_EQ(one.launches.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const Trace a = trace_of(four.launches[i]), b = trace_of(one.launches[i]);
        EXPECT_EQ(a.records.site, b.records.site);
        EXPECT_EQ(a.records.pattern, b.records.pattern);
        EXPECT_EQ(a.records.base, b.records.base);
        ASSERT_EQ(a.arrays.size(), b.arrays.size());
        for (std::size_t k = 0; k < a.arrays.size(); ++k)
            EXPECT_EQ(a.arrays[k].last_bytes, b.arrays[k].last_bytes);
    }
}

TEST_F(LargeProgram, TheMiddleOfAGridHasNeighboursOnAllSides) {
    const ProgramRun ran = run(R"(
__global__ void k(int* a) { a[blockIdx.y * gridDim.x + blockIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 16 * 10 * sizeof(int));
    k<<<dim3(16, 10), 1>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_THAT(ran.launches[0].chosen_blocks, ElementsAre(0, 5 * 16 + 8, 159));
}

}  // namespace
}  // namespace tilereel::program::large_program_test
