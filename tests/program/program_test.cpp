// Programs as their authors write them, compiled, run and recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "instrumentation/analysis/cost/counters.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::program_test {
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

TEST_F(Program, AllMultiplyAddsAreCountedIfOnlySomeSumsAreKept) {
    std::string text = kTiled;
    text.replace(text.find("n = 32"), 6, "n = 160");
    const ProgramRun ran = run(text);
    EXPECT_EQ(ran.output, "0 wrong\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_GT(trace.accumulator_interval, 1u);
    EXPECT_EQ(count_kernel(trace).multiply_adds, 160u * 160 * 160);
    // Assignments are recorded only with their values, or for the instructions that they carry.
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        ASSERT_TRUE(site_at(trace, i).operation != Operation::kAssign || has_values(trace, i) ||
                    any_instruction(site_at(trace, i).instructions));
}

TEST_F(Program, CompilerMessagesHaveTheFilesOwnLine) {
    const ProgramRun ran =
        run("__global__ void k(int* a) { a[0] = 1 }\nint main() { k<<<1, 1>>>(0); }\n");
    ASSERT_FALSE(ran.compile_errors.empty());
    EXPECT_EQ(ran.compile_errors[0].line, 1u);
    EXPECT_EQ(ran.compile_errors[0].column, 37u);
    EXPECT_THAT(ran.compile_errors[0].message, HasSubstr("expected"));
    EXPECT_THAT(ran.output, testing::Not(HasSubstr("TILEREEL")));
}

TEST_F(Program, MemoryLocationsMayBeGivenAsInCuda13) {
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

// For nvcc a lambda in a device function is device code, without an attribute of its own.
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

TEST_F(Program, MembersOfStructuresHaveTheirTypes) { expect_the_types_of_members(); }

// nvcc compiles an access of a structure of 3 bytes to three accesses of a byte.
TEST_F(Program, AValueOfThreeBytesIsThreeAccesses) {
    const ProgramRun ran = run(R"(
struct Colour { unsigned char red, green, blue; };
__global__ void k(const Colour* in, Colour* out) {
    out[threadIdx.x] = in[threadIdx.x];
}
int main() {
    Colour* colours;
    cudaMalloc(&colours, 64 * sizeof *colours);
    cudaMemset(colours, 1, 64 * sizeof *colours);
    k<<<1, 32>>>(colours, colours + 32);
    cudaFree(colours);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_EQ(accesses(trace, 4, "in", Operation::kLoad), 3u * 32);
    EXPECT_EQ(ran.launches[0].accesses, access_count(trace));
    EXPECT_EQ(access_count(trace), 2u * 3 * 32);
}

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

TEST_F(Program, AreNotSentWithContentsThatTheCallerHas) {
    request_.keeps_contents = false;
    const ProgramRun ran = run(R"(#include <cuda_runtime.h>
__device__ int total[2] = {5, 7};
__global__ void add() { total[threadIdx.x] += 1; }
int main() {
    add<<<1, 2>>>();
    return cudaDeviceSynchronize();
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    ASSERT_EQ(trace.arrays.size(), 1u);
    EXPECT_TRUE(trace.arrays[0].first_bytes.empty());
    EXPECT_TRUE(trace.arrays[0].last_bytes.empty());
    EXPECT_EQ(trace.arrays[0].size_bytes(), 8u);
}

// As nvcc 13 compiles it: an access is aligned to its width, so the type's alignment says how wide
// the accesses are, and memcpy() through pointers moves single bytes.
TEST_F(Program, BytesThatAreMovedAtOnceAreCountedAsTheirAlignmentAllows) {
    const ProgramRun ran = run(R"(#include <cstring>
struct Pair { float x, y; };
struct alignas(8) AlignedPair { float x, y; };
__global__ void k(Pair* p, AlignedPair* a, const char* c, unsigned* u, __int128* w) {
    const int i = threadIdx.x;
    p[i + 8] = p[i];
    a[i + 8] = a[i];
    memcpy(&u[i], c + 4 * i, 4);
    float f[4];
    memcpy(f, p + 2 * i, 16);
    w[i] = w[i] + static_cast<int>(f[1]);
}
int main() {
    void* all[5];
    for (void*& each : all) { cudaMalloc(&each, 256); cudaMemset(each, 0, 256); }
    k<<<1, 8>>>((Pair*)all[0], (AlignedPair*)all[1], (char*)all[2], (unsigned*)all[3], (__int128*)all[4]);
    for (void* each : all) cudaFree(each);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    using enum Operation;
    EXPECT_EQ(accesses(trace, 6, "p", kLoad), 8u * 2);
    EXPECT_EQ(accesses(trace, 6, "p", kStore), 8u * 2);
    EXPECT_EQ(accesses(trace, 7, "a", kLoad), 8u);
    EXPECT_EQ(accesses(trace, 7, "a", kStore), 8u);
    EXPECT_EQ(accesses(trace, 8, "c", kLoad), 8u * 4);
    EXPECT_EQ(accesses(trace, 8, "u", kStore), 8u * 4);
    EXPECT_EQ(accesses(trace, 10, "p", kLoad), 8u * 16);
    EXPECT_EQ(accesses(trace, 11, "w", kLoad), 8u);
    EXPECT_EQ(accesses(trace, 11, "w", kStore), 8u);
}

}  // namespace
}  // namespace tilereel::program::program_test
