// How programs end, and what is kept of those that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plain/program_fixture.h"

namespace tilereel::plain::program_end_test {
namespace {

using testing::HasSubstr;

TEST_F(Program, ItsExitCodeIsKept) { EXPECT_EQ(run("int main() { return 3; }").exit_code, 3); }

TEST_F(Program, AnEndlessProgramIsStopped) {
    request_.limits.seconds = 1;
    const ProgramRun ran = run("int main() { for (;;); }");
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
}

TEST_F(Program, AnEndlessKernelKeepsWhatWasRecorded) {
    request_.limits.seconds = 1;
    const ProgramRun ran = run(R"(
__global__ void spin(volatile int* a) {
    a[threadIdx.x] = 1;
    while (a[0] != 2) {
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    spin<<<1, 32>>>(a);
}
)");
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_THAT(ran.findings[0].what, HasSubstr("on line 4"));
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_FALSE(trace_of(ran.launches[0]).complete);
}

TEST_F(Program, AFailedAssertionStays) {
    const ProgramRun ran = run(R"(
__global__ void k(int* a) { assert(threadIdx.x < 5); a[threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    k<<<1, 32>>>(a);
    k<<<1, 32>>>(a);
    return cudaDeviceSynchronize() != cudaErrorAssert;
}
)");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 2u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("Thread 5 of block 0 fails the assertion"));
    EXPECT_THAT(ran.launches[1].reason, HasSubstr("never ran"));
}

TEST_F(Program, AReadBeyondAnAllocationIsAFinding) {
    const ProgramRun ran = run(R"(
__global__ void shift(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }
int main() {
    int *a, *b;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    shift<<<1, 64>>>(a, b);
    return cudaDeviceSynchronize();
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("Thread 63 of block 0 reads in[64], beyond its 64 elements, "
                          "on line 2"));
}

}  // namespace
}  // namespace tilereel::plain::program_end_test
