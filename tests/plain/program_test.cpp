// Programs as their authors write them, compiled, run and recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/hazards.h"
#include "tests/plain/program_fixture.h"

namespace tilereel::plain {
namespace {

using testing::HasSubstr;

constexpr const char* kTiled = R"(#include <cstdio>
constexpr int TILE = 8;
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float as[TILE][TILE + 1];
    __shared__ float bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / TILE; ++t) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
int main() {
    const int n = 32;
    static float h[n * n], r[n * n];
    for (int i = 0; i < n * n; ++i) h[i] = i % 5;
    float *a, *b, *c;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h); cudaMalloc(&c, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    cudaMemcpy(r, c, sizeof r, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) {
        float s = 0;
        for (int k = 0; k < n; ++k) s += h[i * n + k] * h[k * n + j];
        wrong += s != r[i * n + j];
    }
    printf("%d wrong\n", wrong);
    cudaFree(a); cudaFree(b); cudaFree(c);
    return wrong;
}
)";

TEST_F(Program, ATiledProductIsRecordedAccessByAccess) {
    const ProgramRun ran = run(kTiled);
    EXPECT_EQ(ran.output, "0 wrong\n");
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.findings, testing::IsEmpty());
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "multiply");
    EXPECT_EQ(ran.launches[0].line, 26u);
    EXPECT_EQ(ran.launches[0].recorded_blocks, 16u);
    const Trace trace = trace_of(ran.launches[0]);
    constexpr std::uint64_t n = 32, tile = 8;
    EXPECT_EQ(accesses(trace, 9, "a", Operation::kLoad), n * n * n / tile);
    EXPECT_EQ(accesses(trace, 9, "as", Operation::kStore), n * n * n / tile);
    EXPECT_EQ(accesses(trace, 10, "b", Operation::kLoad), n * n * n / tile);
    EXPECT_EQ(accesses(trace, 13, "as", Operation::kLoad), n * n * n);
    EXPECT_EQ(accesses(trace, 13, "bs", Operation::kLoad), n * n * n);
    EXPECT_EQ(accesses(trace, 16, "c", Operation::kStore), n * n);
    EXPECT_EQ(count_kernel(trace).multiply_adds, n * n * n);
    EXPECT_EQ(count_kernel(trace).barriers, 2 * n / tile);
    EXPECT_EQ(trace.launch.shared_bytes, (tile * (tile + 1) + tile * tile) * 4);
}

// Two functions of a program may have locals of one name.
TEST_F(Program, ALocalSaysWhichFunctionDeclaresIt) {
    const ProgramRun ran = run(R"(
template <int K> __device__ float scaled(float x) {
    float y = K * x;
    return y;
}
__global__ void scale(float* a) {
    float y = scaled<3>(a[threadIdx.x]);
    a[threadIdx.x] = y;
}
int main() {
    float* a;
    cudaMalloc(&a, 4 * sizeof(float));
    scale<<<1, 4>>>(a);
    cudaFree(a);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    std::set<std::pair<std::uint32_t, std::string>> found;
    for (const Local& local : trace_of(ran.launches[0]).locals)
        if (local.name == "y") found.emplace(local.line, local.function);
    const std::set<std::pair<std::uint32_t, std::string>> expected = {{3, "scaled<3>"},
                                                                      {7, "scale"}};
    EXPECT_EQ(found, expected);
}

TEST_F(Program, EachLaunchOfAKernelIsCountedByItself) {
    std::string text = kTiled;
    const std::string launch = "multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, ";
    const std::size_t at = text.find(launch);
    text.insert(at, launch + "8);\n" + launch + "16);\n" + launch + "24);\n");
    const ProgramRun ran = run(text);
    ASSERT_EQ(ran.launches.size(), 4u);
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(count_kernel(trace_of(ran.launches[i])).multiply_adds, 32u * 32 * 8 * (i + 1));
}

TEST_F(Program, WhereValuesAreThinnedOutAllMultiplyAddsAreCounted) {
    std::string text = kTiled;
    text.replace(text.find("n = 32"), 6, "n = 160");
    const ProgramRun ran = run(text);
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_GT(trace.accumulator_interval, 1u);
    EXPECT_EQ(count_kernel(trace).multiply_adds, 160u * 160 * 160);
    // An assignment without its value would be a record for nothing.
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        ASSERT_TRUE(trace.sites[site_of(trace, i)].operation != Operation::kAssign ||
                    has_values(trace, i));
}

TEST_F(Program, TheCompilersWordsComeWithTheFilesOwnLine) {
    const ProgramRun ran =
        run("__global__ void k(int* a) { a[0] = 1 }\nint main() { k<<<1, 1>>>(0); }\n");
    ASSERT_FALSE(ran.compile_errors.empty());
    EXPECT_EQ(ran.compile_errors[0].line, 1u);
    EXPECT_EQ(ran.compile_errors[0].column, 37u);
    EXPECT_THAT(ran.compile_errors[0].words, HasSubstr("expected"));
    EXPECT_THAT(ran.output, testing::Not(HasSubstr("TILEREEL")));
}

TEST_F(Program, PlacesInMemoryMayBeNamedAsInCuda13) {
    const ProgramRun ran = run(R"(
int main() {
    int* x;
    cudaMallocManaged(&x, 4);
    const cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    int failed = cudaMemAdvise(x, 4, cudaMemAdviseSetPreferredLocation, gpu) != cudaSuccess;
    failed += cudaMemPrefetchAsync(x, 4, gpu, 0, 0) != cudaSuccess;
    failed += cudaMemPrefetchAsync(x, 4, host, 0) != cudaSuccess;
    cudaFree(x);
    return failed;
}
)");
    EXPECT_THAT(ran.compile_errors, testing::IsEmpty());
    EXPECT_EQ(ran.exit_code, 0);
}

// nvcc takes a lambda for device code where its function is; it has no mark of its own.
TEST_F(Program, ALambdaOfAKernelIsDeviceCode) {
    const ProgramRun ran = run(R"(
__global__ void k(const float* a, float* b) {
    __shared__ float s[32];
    auto get = [&](int i) { return a[i] + 1; };
    s[threadIdx.x] = get(threadIdx.x);
    __syncthreads();
    auto put = [&](int i, float v) { b[i] = v + s[31 - i]; };
    put(threadIdx.x, s[threadIdx.x]);
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 128), cudaMalloc(&b, 128);
    k<<<1, 32>>>(a, b);
    cudaFree(a), cudaFree(b);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_EQ(accesses(trace, 4, "a", Operation::kLoad), 32u);
    EXPECT_EQ(accesses(trace, 7, "s", Operation::kLoad), 32u);
    EXPECT_EQ(accesses(trace, 7, "b", Operation::kStore), 32u);
    EXPECT_EQ(accesses(trace, 8, "s", Operation::kLoad), 32u);
}

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
        const tilereel::Site& site = trace.sites[site_of(trace, record)];
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

// Lane 0 stores on line 6 where the others leave it out, and goes on with them; on lines 8 and 9 it
// is in another trip of the loop than they are.
TEST_F(Program, LanesPartInABranchAndMeetBehindItInTheSameTrip) {
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
        if (const tilereel::Site& site = trace.sites[site_of(trace, i)];
            site.operation == Operation::kStore)
            masks[site.line].push_back(trace.patterns[trace.records.pattern[i]].mask);
    constexpr std::uint32_t kAll = 0xffffffff, kFirst = 1, kOthers = kAll - 1;
    EXPECT_EQ(masks[6], (std::vector{kFirst, kFirst}));
    EXPECT_EQ(masks[7], (std::vector{kAll, kAll}));
    EXPECT_EQ(masks[8], (std::vector{kFirst, kOthers}));
    EXPECT_EQ(masks[9], (std::vector{kOthers, kFirst}));
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

constexpr const char* kWithoutMain = R"(
// tilereel: launch fill<int> grid=2x2 block=8x8 a[16][16]=row+col n=N
constexpr int N = 16;
template <class T>
__global__ void fill(T* a, int n) {
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    a[row * n + col] += 1;
}
)";

TEST_F(Program, MembersOfStructuresHaveTheirTypes) { expect_the_types_of_members(); }

TEST_F(Program, VariablesOfTheDeviceHaveTheirContents) {
    const ProgramRun ran = run(R"(#include <cuda_runtime.h>
__constant__ int mask[3];
__device__ int total[2] = {5, 7};
__global__ void add() { atomicAdd(&total[1], mask[threadIdx.x]); }
int main() {
    int values[3] = {1, 20, 300};
    cudaMemcpyToSymbol(mask, values, sizeof values);
    add<<<1, 3>>>();
    add<<<1, 3>>>();
    return cudaDeviceSynchronize();
}
)");
    ASSERT_EQ(ran.launches.size(), 2u);
    const auto ints = [](const std::vector<std::byte>& bytes) {
        std::vector<int> values(bytes.size() / sizeof(int));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    };
    using Values = std::vector<int>;
    for (int launch = 0; launch < 2; ++launch) {
        const Trace trace = trace_of(ran.launches[static_cast<std::size_t>(launch)]);
        ASSERT_EQ(trace.arrays.size(), 2u);
        for (const Array& array : trace.arrays) {
            const bool is_mask = array.name == "mask";
            const Values before = is_mask ? Values{1, 20, 300} : Values{5, 7 + 321 * launch};
            const Values after = is_mask ? before : Values{5, 328 + 321 * launch};
            EXPECT_EQ(ints(array.first_bytes), before) << array.name << ", launch " << launch;
            EXPECT_EQ(ints(array.last_bytes), after) << array.name << ", launch " << launch;
        }
    }
}

TEST_F(Program, AFileWithoutMainIsLaunchedAsItsCommentSays) {
    const ProgramRun ran = run(kWithoutMain);
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "fill<int>");
    EXPECT_EQ(ran.launches[0].line, 2u);
    const Trace trace = trace_of(ran.launches[0]);
    ASSERT_EQ(trace.arrays.size(), 1u);
    EXPECT_EQ(trace.arrays[0].extents(), (std::vector<std::uint32_t>{16, 16}));
    const auto* const before = reinterpret_cast<const int*>(trace.arrays[0].first_bytes.data());
    const auto* const after = reinterpret_cast<const int*>(trace.arrays[0].last_bytes.data());
    EXPECT_EQ(before[3 * 16 + 5], 3 + 5);
    EXPECT_EQ(after[3 * 16 + 5], 3 + 5 + 1);
}

TEST_F(Program, ALaunchLineOfTheCommandStandsForMain) {
    request_.launch_lines = {"fill<float> grid=1 block=4 a[64]=zeros n=8"};
    const ProgramRun ran = run(std::string(kWithoutMain) + "int main() { return 3; }");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "fill<float>");
}

TEST_F(Program, AWrongLaunchLineOfTheCommandIsAWrongCall) {
    request_.launch_lines = {"fill<float> grid=1 block=4 a[64]=zeros"};
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << kWithoutMain;
    const Result<ProgramRun> ran = run_program(request_);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().kind, ErrorKind::kWrongCall);
    EXPECT_EQ(ran.error().message, "--call: the line says nothing of fill's parameter n; add n=1");
}

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
                HasSubstr("Thread (5,0,0) of block (0,0,0) fails the assertion"));
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
                HasSubstr("Thread (63,0,0) of block (0,0,0) reads in[64], beyond its 64 elements, "
                          "on line 2"));
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

}  // namespace
}  // namespace tilereel::plain
