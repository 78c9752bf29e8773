// How a product kernel of the user's own is launched for any size, recognised from a recording of
// its program. The expected launches are those that a reader of the programs would write.
#include "app/own_kernel/own_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/cli/program/program_report.h"
#include "app/ladder/whole_program.h"
#include "app/own_kernel/own_build.h"
#include "instrumentation/program/gpu/nvcc_build.h"

namespace tilereel::own_call_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A program that launches the kernel once: M x N x K of C, all matrices with whole numbers.
std::string program_of(const std::string& kernel, const std::string& launch, int m, int n, int k,
                       const std::string& element = "float") {
    const auto number = [](int value) { return std::to_string(value); };
    return kernel + "\n#include <vector>\nint main() {\n    using E = " + element +
           ";\n    const int m = " + number(m) + ", n = " + number(n) + ", k = " + number(k) +
           ";\n    std::vector<E> a(m * k), b(k * n);\n    unsigned seed = 1;\n    for (auto* each "
           ": "
           "{&a, &b})\n        for (E& x : *each) x = E((seed = seed * 1664525u + 1013904223u) >> "
           "29);\n    E *A, *B, *C;\n    cudaMalloc(&A, a.size() * sizeof(E));\n    cudaMalloc(&B, "
           "b.size() * sizeof(E));\n    cudaMalloc(&C, m * n * sizeof(E));\n    cudaMemset(C, 0, m "
           "* "
           "n * sizeof(E));\n    cudaMemcpy(A, a.data(), a.size() * sizeof(E), "
           "cudaMemcpyHostToDevice);\n    cudaMemcpy(B, b.data(), b.size() * sizeof(E), "
           "cudaMemcpyHostToDevice);\n    " +
           launch + ";\n    return cudaDeviceSynchronize();\n}\n";
}

class OwnCallTest : public ::testing::Test {
  protected:
    ~OwnCallTest() override { std::filesystem::remove(file_); }
    Result<OwnCall> call_of(const std::string& program) {
        std::ofstream(file_) << program;
        ProgramOptions options;
        options.trusted = true;  // the sandbox is tested elsewhere
        const Result<Trace> trace = trace_of_launch(file_.string(), options, default_generation());
        if (!trace) return trace.error();
        return recognise_call(*trace);
    }
    std::string statement_of(const std::string& program) {
        const Result<OwnCall> call = call_of(program);
        return call ? call->statement : call.error().message;
    }
    std::filesystem::path file_ = std::filesystem::temp_directory_path() /
                                  ("tilereel_own_" + std::to_string(::getpid()) + ".cu");
};

constexpr const char* kRowsOnX = R"(
__global__ void multiply(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
})";

TEST_F(OwnCallTest, BlocksMayCountRowsOrColumns) {
    const auto call = call_of(
        program_of(kRowsOnX, "multiply<<<dim3(3, 6), dim3(16, 8)>>>(m, n, k, 1.0f, A, B, 0.0f, C)",
                   40, 44, 24));
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->statement,
              "multiply<<<dim3((M + 15) / 16, (N + 7) / 8), dim3(16, 8)>>>(M, N, K, 1.0f, A, B, "
              "0.0f, C)");
    EXPECT_EQ(call->rows * call->columns * call->depth, 1) << "it was recorded with edges";
    EXPECT_FALSE(call->square);
}

TEST_F(OwnCallTest, KernelsOfTheLadderAreLaunchedAsTheirProgramsDo) {
    const auto of = [&](const char* kernel, KernelParameters parameters) {
        const auto text = whole_program(*find_kernel(kernel), parameters, "own.cu");
        EXPECT_TRUE(text);
        return call_of(*text);
    };
    const auto tiled = of("09_tiled", {.m = 32, .n = 48, .k = 32, .tile = 16, .pad = 1});
    ASSERT_TRUE(tiled) << tiled.error().message;
    EXPECT_EQ(
        tiled->statement,
        "tiled<16, 1><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K)");
    EXPECT_EQ(tiled->rows, 16);
    EXPECT_EQ(tiled->columns, 16);
    const OwnKernel kernel{.name = "own.cu", .call = {}, .rows = 16, .columns = 16, .depth = 16};
    EXPECT_TRUE(takes(kernel, {64, 32, 48}));
    EXPECT_THAT(takes(kernel, {64, 40, 48}).error().message, HasSubstr("whole tiles only"));
    const auto warps = of("18_warp_tiled", {.m = 128, .n = 64, .k = 32, .tile = 64, .pad = 0});
    ASSERT_TRUE(warps) << warps.error().message;
    EXPECT_THAT(warps->statement, HasSubstr("warp_tiled<64><<<dim3((N + 63) / 64, (M + 63) / 64)"));
    const auto dynamic = of("11_tiled_dynamic", {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0});
    ASSERT_FALSE(dynamic) << "its TILE is an argument, and no size";
    EXPECT_THAT(dynamic.error().message, HasSubstr("edge"));
}

TEST_F(OwnCallTest, DynamicSharedMemoryIsHandedOver) {
    const auto call =
        call_of(program_of(R"(
__global__ void f(const float* A, const float* B, float* C, int n) {
    extern __shared__ float row[];
    const int col = threadIdx.x;
    for (int i = col; i < n; i += blockDim.x) row[i] = A[blockIdx.y * n + i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += row[i] * B[i * n + col];
    C[blockIdx.y * n + col] = sum;
})",
                           "f<<<dim3(1, 16), dim3(16), 64>>>(A, B, C, n)", 16, 16, 16));
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->shared_bytes, 64u);
    EXPECT_EQ(call->statement, "f<<<dim3((N + 15) / 16, M), dim3(16), 64>>>(A, B, C, N)");
}

TEST_F(OwnCallTest, OneSizeMeansSquareProducts) {
    const auto call =
        call_of(program_of(R"(
__global__ void square(const float* A, const float* B, float* C, int width) {
    const int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += A[row * width + i] * B[i * width + col];
    C[row * width + col] = sum;
})",
                           "square<<<dim3(3, 3), dim3(8, 8)>>>(A, B, C, n)", 24, 24, 24));
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->statement,
              "square<<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8)>>>(A, B, C, N)");
    EXPECT_TRUE(call->square);
    const OwnKernel kernel{.name = "own.cu", .call = {}, .square = true};
    EXPECT_TRUE(takes(kernel, {64, 64, 64}));
    EXPECT_THAT(takes(kernel, {64, 64, 32}).error().message, HasSubstr("square products"));
}

TEST_F(OwnCallTest, WhatIsNotClearIsSaid) {
    const auto multiply = [](const std::string& parameters, const std::string& n,
                             const std::string& element = "float") {
        return "__global__ void f(" + parameters +
               ") {\n    const int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + "
               "threadIdx.y;\n    " +
               element + " sum = 0;\n    for (int i = 0; i < " + n + "; ++i) sum += A[row * " + n +
               " + i] * B[i * " + n + " + col];\n    C[row * " + n + " + col] = sum;\n}";
    };
    const std::string launch = "f<<<dim3(2, 2), dim3(8, 8)>>>(";
    EXPECT_THAT(statement_of(program_of(multiply("const float* A, const float* B, float* C", "16"),
                                        launch + "A, B, C)", 16, 16, 16)),
                HasSubstr("no parameter for its sizes"));
    EXPECT_THAT(statement_of(program_of(
                    multiply("const float* A, const float* B, float* C, int n, int mode", "n"),
                    launch + "A, B, C, n, 1)", 16, 16, 16)),
                HasSubstr("what the parameter mode stands for is not clear"));
    EXPECT_THAT(statement_of(program_of(
                    multiply("const double* A, const double* B, double* C, int n", "n", "double"),
                    launch + "A, B, C, n)", 16, 16, 16, "double")),
                HasSubstr("float32 only"));
    EXPECT_THAT(statement_of(program_of("__global__ void f(float* C) { C[threadIdx.x] = 1; }",
                                        "f<<<1, 32>>>(C)", 16, 16, 16)),
                HasSubstr("no product C = A B was recognised"));
}

// The path and the launch are literals in the text that nvcc compiles, whatever stands in them.
TEST_F(OwnCallTest, TheLibraryHoldsTheFileAndTheLaunch) {
    OwnCall call;
    call.statement = "f<<<1, 1>>>(A, \"x\\\"\")";
    const auto text = own_library_text({.file = "/a b/x'$(y).cu"}, call);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("#include \"/a b/x'$(y).cu\"\n"));
    EXPECT_THAT(*text, HasSubstr("return \"f<<<1, 1>>>(A, \\\"x\\\\\\\"\\\")\"; }"));
    EXPECT_FALSE(own_library_text({.file = "/a\"\n#define x.cu"}, call));
    call.statement = "f();\n}";
    EXPECT_FALSE(own_library_text({.file = "/x.cu"}, call));
}

TEST_F(OwnCallTest, NvccCompilesWhatWasRecognised) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const auto call = call_of(program_of(
        std::string("#define N 44\n#undef N\n") + kRowsOnX,
        "multiply<<<dim3(3, 6), dim3(16, 8)>>>(m, n, k, 1.0f, A, B, 0.0f, C)", 40, 44, 24));
    ASSERT_TRUE(call) << call.error().message;
    const std::filesystem::path library = file_.string() + ".so";
    const auto built = build_own_library({.file = file_}, *call, {}, library);
    ASSERT_TRUE(built) << built.error().message;
    ASSERT_FALSE(built->file.empty()) << text_of_errors(built->errors);
    const auto kernel = open_own_kernel(library);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(kernel->name, file_.filename());
    EXPECT_EQ(kernel->call, call->statement);
    EXPECT_NE(kernel->launch, nullptr);
    std::filesystem::remove(library);
    OwnCall wrong = *call;
    wrong.statement = "no_such_kernel<<<1, 1>>>()";
    const auto refused = build_own_library({.file = file_}, wrong, {}, library);
    ASSERT_TRUE(refused);
    EXPECT_TRUE(refused->file.empty());
    EXPECT_THAT(text_of_errors(refused->errors),
                HasSubstr("in the launch no_such_kernel<<<1, 1>>>()"));
    // A mistake in the file stands at its line.
    std::ofstream(file_) << "\n__global__ void f() { missing = 1; }\n";
    wrong.statement = "f<<<1, 1>>>()";
    const auto mistake = build_own_library({.file = file_}, wrong, {}, library);
    ASSERT_TRUE(mistake);
    ASSERT_FALSE(mistake->errors.empty());
    EXPECT_EQ(mistake->errors[0].line, 2u);
    EXPECT_THAT(mistake->errors[0].message, HasSubstr("missing"));
    EXPECT_FALSE(open_own_kernel(file_)) << "a file that is no library";
}

// The width of C and the factor are variables of the file: the width follows N, the factor keeps
// its bytes, which are those of 1.0f (IEEE 754: 0x3f800000).
TEST_F(OwnCallTest, VariablesThatMainFillsAreFilled) {
    const std::string kernel =
        "namespace made {\n__constant__ int n;\n__device__ float alpha;\n__constant__ const float "
        "fixed = 1;\n}\n__global__ void multiply(const float* A, const float* B, float* C, int M, "
        "int K) {\n    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + "
        "threadIdx.y;\n    if (row >= M || column >= made::n) return;\n    float sum = 0;\n    for "
        "(int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * made::n + column];\n    C[row * "
        "made::n + column] = made::alpha * made::fixed * sum;\n}\n";
    const auto call = call_of(program_of(
        kernel,
        "const float one = 1; cudaMemcpyToSymbol(made::n, &n, 4); cudaMemcpyToSymbol(made::alpha, "
        "&one, 4); multiply<<<dim3(3, 2), dim3(16, 16)>>>(A, B, C, m, k)",
        32, 48, 20));
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_THAT(call->statement, HasSubstr("(A, B, C, M, K)"));
    ASSERT_EQ(call->variables.size(), 2u);
    for (const OwnVariable& each : call->variables) {
        EXPECT_EQ(each.qualified, "::made::" + each.name);
        EXPECT_EQ(each.value, each.name == "n" ? "N" : "");
        if (each.name != "alpha") continue;
        const std::vector<std::byte> one = {std::byte{0}, std::byte{0}, std::byte{0x80},
                                            std::byte{0x3f}};
        EXPECT_EQ(each.bytes, one);
    }
}

}  // namespace
}  // namespace tilereel::own_call_test
