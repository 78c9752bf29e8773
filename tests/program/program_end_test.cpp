// How programs end, and what is kept of those that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::program_end_test {
namespace {

using testing::HasSubstr;

TEST_F(Program, ItsExitCodeIsKept) { EXPECT_EQ(run("int main() { return 3; }").exit_code, 3); }

// The recorder and the C++ library use those of the C library. The program's own calls, and what
// they return, are its own.
TEST_F(Program, ItsOwnCFunctionsDoNotReplaceThoseOfTheRecorder) {
    std::ofstream(folder_ / "other.c") << R"(
int calls;
long write(int to, const void* from, unsigned long bytes) { return ++calls + to; }
void read(void) { write(0, 0, 0); }
)";
    request_.more_files = {folder_ / "other.c"};
    const ProgramRun ran = run(R"(#include <cstdio>
extern "C" {
extern int calls;
long write(int, const void*, size_t);
void read();
char* getenv(const char*) { return nullptr; }
void* mmap(void*, size_t, int, int, int, long) { return nullptr; }
int munmap(void*, size_t) { return -1; }
int open(const char*, int, ...) { return -1; }
int close(int) { return -1; }
long send(int, const void*, size_t, int) { return -1; }
void* memcpy(void* to, const void*, size_t) { return to; }
__global__ void index(int* a) { a[threadIdx.x] = 1; }
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    index<<<1, 32>>>(a);
    read();
    const long second = write(5, nullptr, 0);
    printf("%ld %d", second, calls);
    return cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "7 2");
    EXPECT_EQ(ran.end_sentence, "The program ended.");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "index");
    EXPECT_EQ(ran.launches[0].accesses, 32u);
}

TEST_F(Program, AnEndlessProgramIsStopped) {
    request_.limits.seconds = 1;
    const ProgramRun ran = run("int main() { for (;;); }");
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
}

// All lanes store, then all go round the loop until time is up. In the second loop lanes of a warp
// write one word, so they run in lock-step.
TEST_F(Program, AnEndlessKernelKeepsWhatWasRecorded) {
    request_.limits.seconds = 2;
    request_.limits.accesses_a_launch = 1 << 16;
    for (const std::string in_loop : {"", "a[1] = threadIdx.x;"}) {
        const ProgramRun ran = run(R"(
__global__ void spin(volatile int* a) {
    a[threadIdx.x] = 1;
    while (a[0] != 2) {)" + in_loop +
                                   R"(
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    spin<<<1, 32>>>(a);
}
)");
        EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
        ASSERT_GE(ran.findings.size(), 1u);
        EXPECT_THAT(ran.findings[0].what, HasSubstr("on line 4"));
        ASSERT_EQ(ran.launches.size(), 1u);
        const Trace& trace = trace_of(ran.launches[0]);
        EXPECT_FALSE(trace.complete);
        ASSERT_GT(trace.records.size(), 2u) << in_loop;
        EXPECT_EQ(trace.sites[site_of(trace, 0)].operation, Operation::kStore);
        EXPECT_EQ(lane_offsets(trace, 0).mask, 0xffffffffu);
        EXPECT_EQ(trace.sites[site_of(trace, 1)].operation, Operation::kLoad);
        EXPECT_EQ(lane_offsets(trace, 1).mask, 0xffffffffu);
    }
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

// The exit code does not tell of a launch that failed; the sentence of the end does.
TEST_F(Program, ItsEndSaysThatALaunchFailed) {
    const auto program = [&](const std::string& launch) {
        return run(R"(
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
__global__ void check(int* a) { assert(threadIdx.x < 5); a[threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    fill<<<1, 32>>>(a);
    )" + launch + R"(
    fill<<<1, 32>>>(a);
    cudaFree(a);
}
)");
    };
    const auto ends = [](const ProgramRun& ran, const std::string& failed) {
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_EQ(launch_error_text(ran), failed);
        EXPECT_EQ(ran.end_sentence,
                  failed.empty() ? "The program ended." : "The program ended, but " + failed + ".");
    };
    ends(program(""), "");
    ends(program("fill<<<1, 32>>>(nullptr);"), "launch 1 ended with cudaErrorIllegalAddress");
    ends(program("fill<<<1, 32>>>((int*)((char*)a + 2));"),
         "launch 1 ended with cudaErrorMisalignedAddress");
    ends(program("fill<<<1, 2048>>>(a);"), "launch 1 was refused");
    ends(program("check<<<1, 32>>>(a);"), "launch 1 ended: assertion");
    // A store a little beyond an array is a finding, and the launch goes on.
    ends(program("fill<<<1, 32>>>(a + 1);"), "");
}

// As on an H200: cudaGetLastError() clears the last error, and the next call that fails sets it.
TEST_F(Program, AStickyErrorIsReturnedByEachCallThatNeedsTheContext) {
    const ProgramRun ran = run(R"(#include <cstdio>
__device__ int v;
__global__ void null(int* p) { p[threadIdx.x] = 1; }
int main() {
    int *d, n;
    size_t bytes;
    cudaPointerAttributes attributes;
    cudaMalloc(&d, 64);
    null<<<1, 32>>>(nullptr);
    const cudaError_t errors[] = {
        cudaDeviceSynchronize(), cudaGetLastError(), cudaPeekAtLastError(),
        cudaGetSymbolSize(&bytes, v), cudaPeekAtLastError(), cudaPointerGetAttributes(&attributes, d),
        cudaGetDevice(&n), cudaFree(d), cudaDeviceReset(), cudaGetLastError()};
    for (cudaError_t error : errors) printf("%d ", error);
}
)");
    EXPECT_EQ(ran.output, "700 700 0 700 700 0 0 700 0 0 ");
}

// Shared memory comes in units of 128 bytes: a GPU does not notice an access behind the array, but
// in its last unit.
TEST_F(Program, AnAccessInTheLastUnitOfSharedMemoryDoesNotEndTheLaunch) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void beyond(int i) {
    extern __shared__ int e[];
    __shared__ int s[33];
    s[threadIdx.x] = e[threadIdx.x] = 1;
    s[i] = 2;
}
int main() {
    beyond<<<1, 16, 64>>>(40);
    printf("%d ", cudaDeviceSynchronize());
    beyond<<<1, 16, 64>>>(70);
    printf("%d ", cudaDeviceSynchronize());
}
)");
    EXPECT_EQ(ran.output, "0 700 ");
}

// Interrupted in its second launch, which never ends: both launches have a trace. Where the loop
// was is no finding then.
TEST_F(Program, AnInterruptedProgramWritesWhatItHasRecorded) {
    ProgramProgress progress;
    progress.on_change = [&](const ProgramStage& stage) {
        if (stage.launch == 1) progress.interrupt = true;
    };
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << R"(
__global__ void k(volatile int* a, int end) {
    while (a[threadIdx.x] != end) {
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    k<<<1, 32>>>(a, 0);
    k<<<1, 32>>>(a, 1);
}
)";
    const Result<ProgramRun> ran = run_program(request_, &progress);
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(ran->end, ProgramEnd::kCancelled);
    EXPECT_TRUE(ran->findings.empty());
    ASSERT_EQ(ran->launches.size(), 2u);
    const Result<Trace> first = read_trace(ran->launches[0].trace);
    const Result<Trace> second = read_trace(ran->launches[1].trace);
    ASSERT_TRUE(first && second);
    EXPECT_TRUE(first->complete);
    EXPECT_FALSE(second->complete);
}

using Kind = WarpStopKind;

std::vector<WarpStop> stops_of(const ProgramRun& run) {
    if (run.launches.empty()) return {};
    const Result<Trace> trace = read_trace(run.launches[0].trace);
    EXPECT_TRUE(trace) << trace.error().message;
    EXPECT_FALSE(trace->complete);
    return trace->warp_stops.value_or(std::vector<WarpStop>{{.line = 999}});
}

TEST_F(Program, AStoppedProgramSaysWhereEachWarpWas) {
    request_.limits.seconds = 0.6;
    EXPECT_THAT(stops_of(run(R"(
__global__ void k(volatile int* a) {
    a[threadIdx.x] = 1;
    if (threadIdx.x < 32) return;
    if (threadIdx.x < 64) __syncthreads();
    while (a[threadIdx.x] == 1) {
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 512);
    k<<<1, 128>>>(a);
}
)")),
                testing::ElementsAre(
                    WarpStop{0, 0, Kind::kReturned, 0}, WarpStop{0, 1, Kind::kAtBarrier, 5},
                    WarpStop{0, 2, Kind::kInLoop, 6}, WarpStop{0, 3, Kind::kNotBegun, 0}));
}

// The trace of this launch holds 64 MiB, and takes longer to write than the parent waits between
// two signals to a program whose time is up.
TEST_F(Program, AStoppedLaunchIsWrittenWholeHoweverLongThatTakes) {
    request_.limits.seconds = 2;  // the host code before the launch takes a part of it
    const ProgramRun ran = run(R"(
#include <vector>
__global__ void k(int* a, volatile int* flag) {
    a[threadIdx.x] += 1;
    __syncthreads();
    while (flag[0] == 0) {
    }
}
int main() {
    const size_t n = size_t(16) << 20;
    std::vector<int> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = int(i * 2654435761u >> 7);
    int *a, *flag;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    cudaMemcpy(a, values.data(), n * 4, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(a, flag);
}
)");
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_THAT(stops_of(ran), testing::ElementsAre(WarpStop{0, 0, Kind::kInLoop, 6}));
    const Result<Trace> trace = read_trace(ran.launches[0].trace);
    ASSERT_TRUE(trace);
    EXPECT_EQ(count_kernel(*trace).barriers, 1u);
}

// The lanes of warp 1 read each other's words, so they run in lockstep: each access stops a lane.
TEST_F(Program, AStoppedWarpInLockstepIsOnTheLineOfItsLastAccess) {
    request_.limits.seconds = 0.6;
    const ProgramRun ran = run(R"(
__global__ void k(volatile int* a) {
    __shared__ volatile int s[64];
    s[threadIdx.x] = 1;
    a[threadIdx.x] = s[threadIdx.x ^ 1];
    if (threadIdx.x < 32) __syncthreads();
    while (a[threadIdx.x] == 1) {
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 256);
    k<<<1, 64>>>(a);
}
)");
    EXPECT_THAT(stops_of(ran), testing::ElementsAre(WarpStop{0, 0, Kind::kAtBarrier, 6},
                                                    WarpStop{0, 1, Kind::kInLoop, 7}));
    EXPECT_THAT(ran.findings, testing::Contains(testing::Field(&RecordedFinding::line, 7)));
}

// All blocks of a cooperative launch are alive at once.
TEST_F(Program, AStoppedCooperativeLaunchSaysWhereEachBlockWas) {
    request_.limits.seconds = 0.6;
    EXPECT_THAT(
        stops_of(run(R"(
#include <cooperative_groups.h>
__global__ void k(volatile int* a) {
    if (blockIdx.x == 0) cooperative_groups::this_grid().sync();
    while (blockIdx.x == 1 && a[0] == 0) {
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 4);
    cudaMemset(a, 0, 4);
    void* arguments[] = {&a};
    cudaLaunchCooperativeKernel((void*)k, 3, 32, arguments);
}
)")),
        testing::ElementsAre(WarpStop{0, 0, Kind::kAtBarrier, 4}, WarpStop{1, 0, Kind::kInLoop, 5},
                             WarpStop{2, 0, Kind::kNotBegun, 0}));
}

// Warp 1 reads an address that is not a multiple of 4. Here the block goes on to its end, so that
// the trace has all its accesses; on a GPU the launch ends at this access.
TEST_F(Program, AWarpWithAnInvalidAccessIsStoppedOnItsLine) {
    EXPECT_THAT(stops_of(run(R"(
__global__ void k(char* a) {
    int* at = (int*)(a + 4 * threadIdx.x);
    if (threadIdx.x / 32 == 1) at = (int*)(a + 1);
    *at = 7;
    a[threadIdx.x] = 1;
}
int main() {
    char* a;
    cudaMalloc(&a, 512);
    k<<<1, 64>>>(a);
}
)")),
                testing::ElementsAre(WarpStop{0, 0, Kind::kReturned, 0},
                                     WarpStop{0, 1, Kind::kFaulted, 5}));
}

TEST_F(Program, AThreadThatEndsTheLaunchStopsItsWarpThere) {
    for (const std::string end : {"__trap()", "assert(a == nullptr)", "*(volatile int*)8 = 1"})
        EXPECT_THAT(stops_of(run("#include <cassert>\n__global__ void k(int* a) {\n"
                                 "    if (threadIdx.x < 32) return;\n"
                                 "    if (threadIdx.x == 40) {\n        " +
                                 end +
                                 ";\n    }\n    a[threadIdx.x] = 1;\n}\n"
                                 "int main() {\n    int* a;\n    cudaMalloc(&a, 512);\n"
                                 "    k<<<1, 96>>>(a);\n}\n")),
                    testing::ElementsAre(WarpStop{0, 0, Kind::kReturned, 0},
                                         WarpStop{0, 1, Kind::kFaulted, 5}, testing::_))
            << end;
}

// The rest of the block runs without being recorded.
TEST_F(Program, ABlockThatIsCutOffAtTheBudgetSaysWhichWarpsHadReturned) {
    request_.limits.accesses_a_launch = 1;
    EXPECT_THAT(stops_of(run(R"(
__global__ void k(int* a) {
    if (threadIdx.x < 32) return;
    for (int i = 0; i < 10000; ++i) a[threadIdx.x] = i;
}
int main() {
    int* a;
    cudaMalloc(&a, 512);
    k<<<2, 96>>>(a);
}
)")),
                testing::ElementsAre(WarpStop{0, 0, Kind::kReturned, 0},
                                     WarpStop{0, 1, Kind::kRecordedUpTo, 0},
                                     WarpStop{0, 2, Kind::kRecordedUpTo, 0}));
}

// A block that is not recorded never ends: those that are recorded are whole.
TEST_F(Program, TheRecordedBlocksOfAStoppedProgramAreWhole) {
    request_.limits.seconds = 0.6;
    request_.blocks = {0, 3};
    EXPECT_TRUE(stops_of(run(kEndlessLoop)).empty());
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
                HasSubstr("Thread 63 of block 0 reads in[64], 1 element beyond the last of its "
                          "64, on line 2"));
}

TEST_F(Program, AnArrayOfOneElementIsNamedInTheSingular) {
    const ProgramRun ran = run(R"(
__global__ void write(int* out) { out[threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, sizeof(int));
    write<<<1, 2>>>(a);
    return cudaDeviceSynchronize();
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("writes out[1], 1 element beyond its only one,"));
}

}  // namespace
}  // namespace tilereel::program::program_end_test
