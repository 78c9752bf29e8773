// What the lanes of a warp do together: shuffles, branches, asynchronous copies, lockstep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::program_lanes_test {
namespace {

TEST_F(Program, AShuffleIsRecordedWithTheLanesThatItTakesFrom) {
    const ProgramRun ran = run(R"(
__global__ void k(int* x) {
    x[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 5);
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    int found = 0;
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const tilereel::Site& site = site_at(trace, record);
        if (site.operation != Operation::kExchange) continue;
        ++found;
        EXPECT_EQ(site.exchange(), ExchangeKind::kShuffleXor);
        const LaneOffsets from = lane_offsets(trace, record);
        for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(from.bytes[lane], lane ^ 5);
    }
    EXPECT_EQ(found, 1);
}

std::string pipelined(const std::string& wait) {
    return R"(#include <cuda_pipeline.h>
__global__ void stage(const float* in, float* out) {
    __shared__ float tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    )" + wait +
           R"(
    out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
    float h[32], *in, *out;
    for (int i = 0; i < 32; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    stage<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return h[31] != 31;
}
)";
}

// Lane 0 stores on line 6, which the others skip, and then goes on with them. On lines 8 and 9 it
// is in another iteration of the loop than they are.
TEST_F(Program, LanesDivergeInABranchAndReconvergeInTheSameIteration) {
    const ProgramRun ran = run(R"(
__global__ void k(float* x, float* y, float* z) {
    const bool first = threadIdx.x == 0;
    #pragma unroll 1
    for (int i = 0; i < 2; ++i) {
        if (first) x[i] = 1;
        x[2 + threadIdx.x] = i;
        if (first == (i == 0)) y[threadIdx.x] = 2;
        if (first == (i == 1)) z[threadIdx.x] = 3;
    }
}
int main() {
    float *x, *y, *z;
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 128);
    cudaMalloc(&z, 128);
    k<<<1, 32>>>(x, y, z);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return cudaFree(z);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    std::map<std::uint32_t, std::vector<std::uint32_t>> masks;  // of the stores, by line
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (const tilereel::Site& site = site_at(trace, i); site.operation == Operation::kStore)
            masks[site.line].push_back(trace.patterns[trace.records.pattern[i]].mask);
    constexpr std::uint32_t kAll = 0xffffffff, kFirst = 1, kOthers = kAll - 1;
    EXPECT_EQ(masks[6], (std::vector{kFirst, kFirst}));
    EXPECT_EQ(masks[7], (std::vector{kAll, kAll}));
    EXPECT_EQ(masks[8], (std::vector{kFirst, kOthers}));
    EXPECT_EQ(masks[9], (std::vector{kOthers, kFirst}));
}

// In each trip lane 0 has something left to do behind the __syncwarp(), at which a time slice ends,
// while the others could go on to the next trip. `does`: what lane 0 does.
std::string goes_on_after_a_stop(const std::string& does) {
    return R"(#include <algorithm>
template <int N>
__global__ void k(float* x, float* y) {
    const auto put = [&](int i) { y[i] = std::max(i, N); };
    #pragma unroll 1
    for (int i = 0; i < 3; ++i) {
        x[threadIdx.x] = i;
        __syncwarp();
        if (threadIdx.x == 0) )" +
           does + R"(;
    }
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 128);
    cudaMalloc(&y, 128);
    k<2><<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
)";
}

TEST_F(Program, ALaneThatHasSomethingLeftToDoAfterAStopIsWaitedFor) {
    request_.keeps_assignments = false;
    for (const char* const does : {"y[i] = 1", "put(i)"}) {
        const ProgramRun ran = run(goes_on_after_a_stop(does));
        ASSERT_EQ(ran.launches.size(), 1u) << does;
        const Trace trace = trace_of(ran.launches[0]);
        std::vector<std::pair<std::string, std::uint32_t>> stores;
        for (std::size_t i = 0; i < trace.records.size(); ++i)
            if (const tilereel::Site& site = site_at(trace, i); site.operation == Operation::kStore)
                stores.emplace_back(trace.arrays[site.array].name,
                                    trace.patterns[trace.records.pattern[i]].mask);
        std::vector<std::pair<std::string, std::uint32_t>> expected;
        for (int trip = 0; trip < 3; ++trip) {
            expected.emplace_back("x", 0xffffffff);
            expected.emplace_back("y", 1);
        }
        EXPECT_EQ(stores, expected) << does;
    }
}

TEST_F(Program, AnAsynchronousCopyIsRecordedAsOne) {
    const ProgramRun ran = run(pipelined("__pipeline_wait_prior(0);"));
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_EQ(accesses(trace, 4, "in", Operation::kCopyLoad), 32u);
    EXPECT_EQ(accesses(trace, 4, "tile", Operation::kCopyStore), 32u);
    EXPECT_THAT(find_hazards(trace), testing::IsEmpty());
}

TEST_F(Program, ACopyThatNobodyWaitsForIsAFindingAndWrong) {
    const ProgramRun ran = run(pipelined(""));
    EXPECT_EQ(ran.exit_code, 1);
    ASSERT_EQ(ran.launches.size(), 1u);
    const std::vector<Finding> found = find_hazards(trace_of(ran.launches[0]));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].hazard, Hazard::kCopyUnderWay);
}

TEST_F(Program, LanesOfAWarpRunInLockstepWhereTheyShare) {
    const ProgramRun ran = run(R"(#include <cstdio>
__global__ void sum(volatile int* a) {
    int t = threadIdx.x;
    a[t] += a[t + 16];
    a[t] += a[t + 8];
    a[t] += a[t + 4];
    a[t] += a[t + 2];
    a[t] += a[t + 1];
}
int main() {
    int h[64];
    for (int i = 0; i < 64; ++i) h[i] = i < 32;
    int* d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}
)");
    EXPECT_EQ(ran.output, "32\n");
}

// Lanes from `first` on copy from beyond the array.
std::string copies_from_beyond(int first) {
    return R"(#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
    __shared__ float tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x + )" +
           std::to_string(32 - first) + R"(], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    k<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out);
}
)";
}

TEST_F(Program, ACopyFromBeyondItsArrayIsAFindingAndHasAStoreOnly) {
    for (const int first : {0, 20}) {
        const ProgramRun ran = run(copies_from_beyond(first));
        ASSERT_EQ(ran.launches.size(), 1u) << ran.end_sentence;
        const Trace trace = trace_of(ran.launches[0]);  // it can be kept in a file
        ASSERT_EQ(ran.launches[0].findings.size(), 1u);
        EXPECT_EQ(ran.launches[0].findings[0].kind, RecordedFindingKind::kOutOfBounds);
        std::size_t copies = 0, stores = 0;
        for (std::size_t record = 0; record < trace.records.size(); ++record) {
            const Site& site = site_at(trace, record);
            const auto lanes =
                static_cast<std::size_t>(std::popcount(lane_offsets(trace, record).mask));
            if (site.operation == Operation::kCopyLoad) copies += lanes;
            if (site.operation == Operation::kStore &&
                trace.arrays[site.array].space == Space::kShared)
                stores += lanes;
        }
        EXPECT_EQ(copies, static_cast<std::size_t>(first));
        EXPECT_EQ(stores, static_cast<std::size_t>(32 - first));
    }
}

}  // namespace
}  // namespace tilereel::program::program_lanes_test
