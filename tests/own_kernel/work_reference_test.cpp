// What a kernel that is no product writes on the CPU, and that a wrong launch is found there. The
// expected values follow from the kernels' arithmetic.
#include "app/own_kernel/work_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "app/own_kernel/prepare_own.h"
#include "app/own_kernel/work_call.h"
#include "app/race/other_kernels/work_data.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "tests/own_kernel/own_programs.h"

namespace tilereel::work_reference_test {
namespace {

using ::testing::HasSubstr;

struct Ran {
    std::vector<std::byte> bytes;
    WorkData data;
};

Result<Ran> run(const OwnProgram& program, const std::string& line,
                const std::vector<ProductSize>& sizes = {}) {
    const OwnCall call =
        TRY(line.empty() ? recognise_own(*program.trace) : own_call_of(line, *program.trace));
    Ran ran;
    ran.bytes = TRY(run_work_on_cpu(program.request, {.file = program.file}, call, sizes, nullptr));
    ran.data = TRY(work_data_of(ran.bytes, call.work->arrays.size()));
    return ran;
}

std::string error_of(const OwnProgram& program, const std::string& line) {
    const auto ran = run(program, line);
    return ran ? "it ran" : ran.error().message;
}

std::vector<float> floats(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

// y = 2.5 x + y with x[i] = i % 17 - 4 and y[i] = i % 5, both repeated beyond 1000 elements.
TEST(WorkReference, HasTheResultsAtEachSmallSize) {
    const OwnProgram program(program_with(kSaxpy, 1000, "saxpy<<<4, 256>>>(count, 2.5f, x, y)"));
    const auto ran = run(program, "", {{4096, 4096, 4096}, {1 << 26, 1 << 26, 1 << 26}});
    ASSERT_TRUE(ran) << ran.error().message;
    for (const int n : {1000, 2000, 4096})
        for (int variant = 0; variant < (n == 2000 ? 1 : kVariants); ++variant) {
            const WorkCase* const found = ran->data.find(n, variant);
            ASSERT_NE(found, nullptr) << n << " " << variant;
            EXPECT_TRUE(found->expected[0].empty()) << "x is not written";
            const std::vector<float> y = floats(found->expected[1]);
            ASSERT_EQ(y.size(), static_cast<std::size_t>(n));
            const std::vector<OwnArray> arrays = {
                {.name = "x", .type = OwnType::kFloat32, .read = true},
                {.name = "y", .type = OwnType::kFloat32, .read = true, .written = true}};
            const std::uint64_t from_x = first_element(arrays, 0, 1000, variant),
                                from_y = first_element(arrays, 1, 1000, variant);
            for (std::uint64_t i = 0; i < y.size(); ++i) {
                const auto a = static_cast<float>((i + from_x) % 1000 % 17) - 4;
                const auto b = static_cast<float>((i + from_y) % 1000 % 5);
                ASSERT_EQ(y[i], 2.5f * a + b) << i << " at " << n;
            }
        }
    EXPECT_EQ(ran->data.find(1 << 26, 0), nullptr) << "too large for the CPU";
    EXPECT_EQ(floats(ran->data.inputs[0])[18], 18 % 17 - 4);
}

TEST(WorkReference, AnotherComputationThanTheProgramsIsFound) {
    const OwnProgram program(program_with(kSaxpy, 1000, "saxpy<<<4, 256>>>(count, 2.5f, x, y)"));
    EXPECT_THAT(error_of(program, "saxpy<<<4, 256>>>(n, 2.0f, x, y)"),
                HasSubstr("does not compute what it does in the program: y[0] is -8, and should be "
                          "-10"));
    EXPECT_THAT(error_of(program, "saxpy<<<4, 256>>>(n, 2.5f, x, y) with n = 900"),
                HasSubstr("y has 1000 elements in the program, and n gives 900 at n = 900"));
    EXPECT_THAT(error_of(program, "no_kernel<<<4, 256>>>(n, 2.5f, x, y)"),
                HasSubstr("the launch no_kernel<<<4, 256>>>(n, 2.5f, x, y) does not compile"));
}

TEST(WorkReference, AccessesBeyondAnArrayAreFound) {
    const OwnProgram program(program_with(
        "__global__ void twice(const float* x, float* y) {\n    const int i = blockIdx.x * "
        "blockDim.x + threadIdx.x;\n    y[i] = 2 * x[i];\n}\n",
        512, "twice<<<4, 128>>>(x, y)"));
    EXPECT_THAT(error_of(program, "twice<<<n / 128, 128>>>(x, y) with n = 512, x[n], y[512]"),
                HasSubstr("the launch is wrong at n = 1024"));
}

// Its size is a constant of the file: at twice the n it computes no more.
TEST(WorkReference, ALengthThatDoesNotFollowNIsFound) {
    const OwnProgram program(program_with(
        "__global__ void half(const float* x, float* y) {\n    const int i = blockIdx.x * "
        "blockDim.x + threadIdx.x;\n    if (i < 512) y[i] = x[i] / 2;\n}\n",
        512, "half<<<4, 128>>>(x, y)"));
    EXPECT_THAT(error_of(program, ""), HasSubstr("its size is a constant of the file"));
}

TEST(WorkReference, WhatMainFillsIsFilledInTheRace) {
    const OwnProgram program(program_with(
        "__constant__ float factor;\n__global__ void scale(const float* x, float* y, int n) {\n    "
        "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = factor * "
        "x[i];\n}\n",
        500,
        "const float f = 3; cudaMemcpyToSymbol(factor, &f, 4); scale<<<4, 128>>>(x, y, count)"));
    const auto ran = run(program, "", {});
    ASSERT_TRUE(ran) << ran.error().message;
    const WorkCase* const twice = ran->data.find(1000, 0);
    ASSERT_NE(twice, nullptr);
    const std::vector<float> y = floats(twice->expected[1]);
    ASSERT_EQ(y.size(), 1000u);
    for (std::size_t i = 0; i < y.size(); ++i)
        ASSERT_EQ(y[i], 3 * (static_cast<float>(i % 500 % 17) - 4)) << i;
}

// y[i] = 2 x[i + 1], where the number of elements and both factors are variables of the file.
TEST(WorkReference, AVariableWithTheLengthFollowsN) {
    const OwnProgram program(program_with(
        "__constant__ int length;\nnamespace inner {\n__device__ float factors[2];\n}\n__global__ "
        "void shift(const float* x, float* y) {\n    const int i = blockIdx.x * blockDim.x + "
        "threadIdx.x;\n    if (i < length) y[i] = inner::factors[1] * (i + 1 < length ? x[i + 1] : "
        "inner::factors[0]);\n}\n",
        500,
        "const float f[2] = {7, 2}; cudaMemcpyToSymbol(inner::factors, f, 8); "
        "cudaMemcpyToSymbol(length, &count, 4); shift<<<4, 128>>>(x, y)"));
    const auto call = recognise_own(*program.trace);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(text_of(*call),
              "shift<<<(n + 127) / 128, dim3(128)>>>(x, y) with n = 500, x[n], y[n], length = n");
    for (const char* const said : {"", "shift<<<(n + 63) / 64, 64>>>(x, y) with length = n"}) {
        const auto ran = run(program, said, {});
        ASSERT_TRUE(ran) << ran.error().message;
        const WorkCase* const twice = ran->data.find(1000, 0);
        ASSERT_NE(twice, nullptr);
        const std::vector<float> y = floats(twice->expected[1]);
        ASSERT_EQ(y.size(), 1000u);
        for (std::size_t i = 0; i + 1 < y.size(); ++i)
            ASSERT_EQ(y[i], 2 * (static_cast<float>((i + 1) % 500 % 17) - 4)) << i;
        EXPECT_EQ(y.back(), 14);
    }
    EXPECT_THAT(error_of(program, "shift<<<(n + 127) / 128, 128>>>(x, y) with length = 500"),
                HasSubstr("does not follow n"));
}

TEST(WorkReference, IsCancelled) {
    const OwnProgram program(program_with(kSaxpy, 1000, "saxpy<<<4, 256>>>(count, 2.5f, x, y)"));
    const std::atomic<bool> cancel = true;
    const auto call = recognise_own(*program.trace);
    const auto ran = run_work_on_cpu(program.request, {.file = program.file}, *call, {}, &cancel);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().kind, ErrorKind::kCancelled);
}

// The whole way: recorded with each value, recognised, run on the CPU, compiled and loaded.
TEST(PrepareOwn, MakesALibraryForEachValue) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const OwnProgram program(
        program_with("constexpr int kThreads = 128;\n" + std::string(kSaxpy), 1000,
                     "saxpy<<<(count + kThreads - 1) / kThreads, kThreads>>>(count, 2.5f, x, y)"));
    OwnRequest request{.program = program.request, .source = {.file = program.file}};
    request.sizes = {{4096, 4096, 4096}};
    const auto sources = with_values(request.source, "kThreads=64,256");
    ASSERT_TRUE(sources);
    for (const OwnSource& source : *sources) {
        request.source = source;
        std::vector<std::string> stages;
        const auto made = prepare_own(
            request, {.tell = [&](const std::string& words) { stages.push_back(words); }});
        ASSERT_TRUE(made) << made.error().message;
        ASSERT_FALSE(made->built.file.empty()) << text_of_errors(made->built.errors);
        EXPECT_EQ(stages.size(), 3u);
        const auto kernel = open_own_kernel(made->built.file);
        ASSERT_TRUE(kernel) << kernel.error().message;
        EXPECT_EQ(kernel->name, "own.cu kThreads=" + source.value.second);
        EXPECT_THAT(kernel->call, HasSubstr("dim3(" + source.value.second + ")"));
        ASSERT_TRUE(kernel->work);
        EXPECT_EQ(kernel->work->elements(0, 4096), 4096);
        EXPECT_DOUBLE_EQ(bytes_at(*kernel->work, 4096), 3 * 4.0 * 4096) << "x, y, and y again";
        const auto data = work_data_of(kernel->work->data, 2);
        ASSERT_TRUE(data);
        EXPECT_NE(data->find(4096, 2), nullptr);
    }
}

// A product stays one with another value: its blocks have other shapes.
TEST(PrepareOwn, AProductWithAValueIsRecordedAgain) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const OwnProgram program(
        "constexpr int TILE = 16;\n__global__ void multiply(const float* a, const float* b, float* "
        "c, int n) {\n    const int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE "
        "+ "
        "threadIdx.y;\n    float sum = 0;\n    for (int i = 0; i < n; ++i) sum += a[row * n + i] * "
        "b[i * n + col];\n    c[row * n + col] = sum;\n}\n#include <vector>\nint main() {\n    "
        "const int n = 32;\n    std::vector<float> x(n * n), y(n * n);\n    unsigned seed = 1;\n   "
        " "
        "for (auto* each : {&x, &y})\n        for (float& v : *each) v = (seed = seed * 1664525u + "
        "1013904223u) >> 29;\n    float *a, *b, *c;\n    for (float** each : {&a, &b, &c}) "
        "cudaMalloc(each, n * n * 4);\n    cudaMemcpy(a, x.data(), n * n * 4, "
        "cudaMemcpyHostToDevice);\n    cudaMemcpy(b, y.data(), n * n * 4, "
        "cudaMemcpyHostToDevice);\n    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, "
        "b, c, n);\n    return cudaDeviceSynchronize();\n}\n");
    OwnRequest request{.program = program.request, .source = {.file = program.file}};
    request.trace = std::make_shared<const Trace>(*program.trace);  // of another value
    request.source.value = {"TILE", "8"};
    const auto made = prepare_own(request, {});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->call.work);
    EXPECT_EQ(text_of(made->call),
              "multiply<<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8)>>>(A, B, C, N)");
    const auto kernel = open_own_kernel(made->built.file);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(kernel->rows, 8);
    EXPECT_TRUE(kernel->square);
    EXPECT_EQ(kernel->name, "own.cu TILE=8");
}

}  // namespace
}  // namespace tilereel::work_reference_test
