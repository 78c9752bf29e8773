// Blocks that are not recorded: their kernels, findings, ends and output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/program/large_program.h"

namespace tilereel::program::unrecorded_blocks_test {
namespace {

using testing::HasSubstr;

TEST_F(LargeProgram, AKernelBehindAPointerRunsWithoutHooksToo) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void plus(int* a, int b) { a[blockIdx.x] += b; }
int main() {
    int h[100] = {}, *a, b = 5;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    void (*kernel)(int*, int) = plus;
    kernel<<<100, 1>>>(a, b);
    void* arguments[] = {&a, &b};
    cudaLaunchKernel((void*)plus, dim3(100), dim3(1), arguments, 0, 0);
    cudaLaunchKernel(plus, dim3(100), dim3(1), arguments, 0, 0);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 100; ++i) wrong += h[i] != 15;
    printf("%d wrong\n", wrong);
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 3u);
    for (const LaunchSummary& launch : ran.launches) {
        EXPECT_EQ(launch.kernel, "plus");
        EXPECT_EQ(launch.unhooked_blocks, 97u);
    }
}

TEST_F(LargeProgram, AKernelOfAnotherFileRunsWithoutHooksToo) {
    request_.more_files = {folder_ / "kernel.cu"};
    std::ofstream(request_.more_files[0]) << R"(
__device__ int doubled(int x);
__global__ void k(int* a) { a[blockIdx.x] = doubled(blockIdx.x); }
)";
    const ProgramRun ran = run(R"(#include <cstdio>
__device__ int doubled(int x) { return 2 * x; }
__global__ void k(int* a);
int main() {
    int h[100], *a, wrong = 0;
    cudaMalloc(&a, sizeof h);
    k<<<100, 1>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 100; ++i) wrong += h[i] != 2 * i;
    printf("%d wrong\n", wrong);
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].unhooked_blocks, 97u);
}

TEST_F(LargeProgram, AnAccessOutsideOfAllMemoryIsAFindingAndTheRestGoesOn) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void k(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.x == 70 && threadIdx.x == 3 ? n + 4000 : i;
    a[i] = a[j] + 1;
}
int main() {
    const int n = 100 * 64;
    static int h[n];
    int* a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    k<<<100, 64>>>(a, n);
    cudaError_t error = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    int ones = 0;
    for (int i = 0; i < n; ++i) ones += h[i] == 1;
    printf("%d %d\n", ones, error);
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "6400 0\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("Thread 3 of block 70 reads a[10400], 4,001 elements "
                          "beyond the last of its 6,400, on line 5"));
}

TEST_F(LargeProgram, AnEndlessLoopIsFoundWithItsLine) {
    request_.limits.seconds = 1;
    const ProgramRun ran = run(kEndlessLoop);
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    EXPECT_THAT(ran.end_sentence,
                ::testing::ContainsRegex("stopped after (1 second|[2-9][0-9]* seconds);"));
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_THAT(ran.findings[0].what, HasSubstr("on line 4"));
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_FALSE(trace_of(ran.launches[0]).complete);
}

// The signal that ends the launch comes again and again, to all processes of the program. It must
// not end the one that looks up the line, however slow that is.
TEST_F(LargeProgram, AnEndlessLoopIsFoundWithItsLineIfLookingItUpTakesLong) {
    request_.limits.seconds = 1;
    const std::filesystem::path slow = folder_ / "addr2line";
    std::ofstream(slow) << "#!/bin/sh\nsleep 0.2\nPATH=\"${PATH#*:}\" exec addr2line \"$@\"\n";
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    const char* const found = std::getenv("PATH");
    const std::string path = found == nullptr ? "/usr/bin:/bin" : found;
    setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
    const ProgramRun ran = run(kEndlessLoop);
    setenv("PATH", path.c_str(), 1);
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_THAT(ran.findings[0].what, HasSubstr("on line 4"));
}

// Blocks that are not recorded run another version of the kernel, at another address.
TEST_F(LargeProgram, UnrecordedBlocksRunWithoutHooksHoweverTheKernelIsLaunched) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void k(void** place) {
    void* here = &&label;
label:
    place[blockIdx.x] = here;
}
template <class T> __global__ void deduced(T** place) {
    void* here = &&label;
label:
    place[blockIdx.x] = here;
}
void check(void** place) {
    void* h[100];
    cudaMemcpy(h, place, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d ", h[0] != h[70] && h[70] == h[71]);
}
int main() {
    void** place;
    cudaMalloc(&place, 100 * sizeof(void*));
    k<<<100, 32>>>(place);
    check(place);
    deduced<<<100, 32>>>(place);
    check(place);
    deduced<void><<<100, 32>>>(place);
    check(place);
    void (*pointer)(void**) = k;
    pointer<<<100, 32>>>(place);
    check(place);
    void* arguments[] = {&place};
    cudaLaunchKernel((void*)k, 100, 32, arguments, 0, 0);
    check(place);
    cudaLaunchKernel(k, 100, 32, arguments, 0, 0);
    check(place);
    cudaLaunchCooperativeKernel((void*)k, 100, 32, arguments, 0, 0);
    check(place);
    cudaFree(place);
}
)");
    EXPECT_EQ(ran.output, "1 1 1 1 1 1 1 ");
}

TEST_F(LargeProgram, ALaunchWhoseBlocksEndIsNotStopped) {
    setenv("TILEREEL_RECORD_WORKERS", "1", 1);
    request_.limits.seconds = 0.6;
    const ProgramRun ran = run(R"(
__global__ void k(int* a, int clocks) {
    const bool recorded = blockIdx.x % 350 == 0 || blockIdx.x == 699;
    const long long begin = clock64();
    while (!recorded && clock64() - begin < clocks) {
    }
    a[blockIdx.x] = 1;
}
int main() {
    int* a;
    int clocks_a_millisecond;
    cudaDeviceGetAttribute(&clocks_a_millisecond, cudaDevAttrClockRate, 0);
    cudaMalloc(&a, 700 * sizeof(int));
    k<<<700, 1>>>(a, clocks_a_millisecond);
    cudaFree(a);
}
)");
    EXPECT_EQ(ran.end, ProgramEnd::kExit) << ran.end_sentence;
    EXPECT_GT(ran.run_seconds, 0.3);
}

TEST_F(LargeProgram, WhatEndsALaunchHasItsLine) {
    const ProgramRun ran = run(R"(
__global__ void wild(int** a) {
    int* p = blockIdx.x == 70 ? (int*)16 : a[0];
    *p = 1;
}
int main() {
    int *a, **b;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemcpy(b, &a, sizeof a, cudaMemcpyHostToDevice);
    wild<<<100, 32>>>(b);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
)");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("of block 70 writes through a null pointer, on line 4"));
}

TEST_F(LargeProgram, AFailedAssertionOfABlockThatIsNotRecordedStays) {
    const ProgramRun ran = run(R"(
__global__ void k(int* a) { assert(blockIdx.x != 70 || threadIdx.x < 5); a[0] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    k<<<100, 32>>>(a);
    return cudaDeviceSynchronize() != cudaErrorAssert;
}
)");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("Thread 5 of block 70 fails the assertion"));
}

// Block 2 to block 97 are not recorded.
TEST_F(LargeProgram, ReadsOfUnwrittenMemoryAreFoundIfSomeBlocksAreRecorded) {
    const ProgramRun ran = run(R"(
__global__ void copy(const int* from, int* to) { to[blockIdx.x] = from[blockIdx.x]; }
__global__ void fill(int* a) { if (blockIdx.x == 50) for (int i = 0; i < 100; ++i) a[i] = 0; }
int main() {
    int *a, *b, *c;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    cudaMalloc(&c, 400);
    copy<<<100, 1>>>(a, b);  // nothing has written a
    copy<<<100, 1>>>(b, a);
    fill<<<100, 1>>>(c);
    copy<<<100, 1>>>(c, b);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
)");
    ASSERT_EQ(ran.launches.size(), 4u);
    for (const LaunchSummary& launch : ran.launches) EXPECT_GT(launch.unhooked_blocks, 0u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("reads from[0] on line 2, but nothing has written it; the recorded "
                          "blocks read 3 such elements, from[0] to from["));
    for (std::size_t i = 1; i < ran.launches.size(); ++i)
        EXPECT_TRUE(ran.launches[i].findings.empty()) << i;
}

// Block 50 clears the array that the others read when it has set the flag.
TEST_F(LargeProgram, WhatAnUnrecordedBlockWritesForOthersIsWritten) {
    const ProgramRun ran = run(R"(
__global__ void hand_on(volatile int* ready, int* data, int* to) {
    if (blockIdx.x == 0) to[0] = 0;
    else if (blockIdx.x == 50) { data[0] = 0; __threadfence(); *ready = 1; }
    else if (blockIdx.x > 50) { while (!*ready) {} to[blockIdx.x] = data[0]; }
}
int main() {
    int *ready, *data, *to;
    cudaMalloc(&ready, 4);
    cudaMalloc(&data, 4);
    cudaMalloc(&to, 400);
    cudaMemset(ready, 0, 4);
    hand_on<<<100, 1>>>(ready, data, to);
    cudaFree(ready);
    cudaFree(data);
    cudaFree(to);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_TRUE(ran.launches[0].findings.empty());
}

TEST_F(LargeProgram, WhatBlocksPrintComesInTheirOrder) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void k() {
    if (threadIdx.x == 0) printf("%d ", blockIdx.x);
}
int main() { k<<<60, 32>>>(); return cudaDeviceSynchronize(); }
)");
    std::string wanted;
    for (int i = 0; i < 60; ++i) wanted += std::to_string(i) + " ";
    EXPECT_EQ(ran.output, wanted);
}

TEST_F(LargeProgram, LanesThatShareRunInLockstepInEveryBlock) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void sum(volatile int* a) {
    int t = threadIdx.x;
    a += blockIdx.x * 64;
    for (int half = 16; half > 0; half /= 2) a[t] += a[t + half];
}
int main() {
    static int h[50 * 64];
    for (int i = 0; i < 50 * 64; ++i) h[i] = i % 64 < 32;
    int* d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<50, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 50; ++i) wrong += h[i * 64] != 32;
    printf("%d wrong\n", wrong);
    cudaFree(d);
}
)");
    EXPECT_EQ(ran.output, "0 wrong\n");
}

}  // namespace
}  // namespace tilereel::program::unrecorded_blocks_test
