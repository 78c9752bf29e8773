// How kernels that are no products are launched for any n. The expected launches are those that a
// reader of the programs would write.
#include "app/own_kernel/work_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/own_kernel/own_programs.h"

namespace tilereel::work_call_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string launch_of(const std::string& kernel, int elements, const std::string& launch) {
    const OwnProgram program(program_with(kernel, elements, launch));
    const auto call = recognise_own(*program.trace);
    return call ? text_of(*call) : call.error().message;
}

TEST(WorkCall, AnIntegerThatIsTheLengthIsN) {
    const OwnProgram program(program_with(kSaxpy, 1000, "saxpy<<<4, 256>>>(count, 2.5f, x, y)"));
    const auto call = recognise_own(*program.trace);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(text_of(*call),
              "saxpy<<<(n + 255) / 256, dim3(256)>>>(n, 2.5, x, y) with n = 1000, x[n], y[n]");
    const WorkCall& work = *call->work;
    EXPECT_EQ(work.n, 1000);
    EXPECT_EQ(work.multiple, 1) << "it was recorded with an edge";
    EXPECT_TRUE(work.arrays[0].array.read && !work.arrays[0].array.written);
    EXPECT_TRUE(work.arrays[1].array.read && work.arrays[1].array.written);
    EXPECT_EQ(work.arrays[0].array.type, OwnType::kFloat32);
}

// A thread for each element, no parameter, no test for the edge.
TEST(WorkCall, WithoutAParameterThreadsAreCounted) {
    const OwnProgram program(
        program_with("__global__ void twice(const float* x, float* y) {\n    const int i = "
                     "blockIdx.x * blockDim.x + threadIdx.x;\n    y[i] = 2 * x[i];\n}\n",
                     512, "twice<<<4, 128>>>(x, y)"));
    const auto call = recognise_own(*program.trace);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(text_of(*call),
              "twice<<<(n + 127) / 128, dim3(128)>>>(x, y) with n = 512, x[n], y[n]");
    EXPECT_EQ(call->work->multiple, 128);
}

// The partial sums follow the grid; of the array that holds them only so many are written.
TEST(WorkCall, ALengthMayFollowTheGrid) {
    const std::string sum =
        "__global__ void sum(const float* in, float* out, unsigned size) {\n    float all = 0;\n   "
        " "
        "for (unsigned i = 0; i < 64; ++i) {\n        const unsigned at = blockIdx.x * 64 + i;\n   "
        " "
        "    if (threadIdx.x == 0 && at < size) all += in[at];\n    }\n    if (threadIdx.x == 0) "
        "out[blockIdx.x] = all;\n}\n#include <vector>\nint main() {\n    const int count = 1000;\n "
        " "
        "  std::vector<float> a(count, 1.0f);\n    float *x, *y;\n    cudaMalloc(&x, count * 4);\n "
        " "
        "  cudaMalloc(&y, 16 * 4);\n    cudaMemcpy(x, a.data(), count * 4, "
        "cudaMemcpyHostToDevice);\n    sum<<<16, 64>>>(x, y, count);\n    return "
        "cudaDeviceSynchronize();\n}\n";
    const OwnProgram program(sum);
    const auto call = recognise_own(*program.trace);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(text_of(*call),
              "sum<<<(n + 63) / 64, dim3(64)>>>(in, out, n) with n = 1000, in[n], "
              "out[(n + 63) / 64]");
}

TEST(WorkCall, OfAnArrayThatIsHardlyUsedAShareCounts) {
    const OwnProgram program(program_with(
        "__global__ void first(const float* x, float* y, int n) {\n    if (threadIdx.x "
        "== 0) y[blockIdx.x] = x[blockIdx.x * 128];\n}\n",
        1024, "first<<<8, 128>>>(x, y, count)"));
    const auto call = recognise_own(*program.trace);
    ASSERT_TRUE(call) << call.error().message;
    for (const WorkArray& each : call->work->arrays)
        EXPECT_DOUBLE_EQ(each.array.read ? each.array.read_share : each.array.written_share,
                         8.0 / 1024);
}

TEST(WorkCall, TwoExtentsKeepTheirRatio) {
    const std::string transpose =
        "__global__ void turn(float* y, const float* x, int width, int height) {\n    const int c "
        "= "
        "blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;\n    if (c < width && r "
        "< "
        "height) y[c * height + r] = x[r * width + c];\n}\n";
    EXPECT_EQ(launch_of(transpose, 40 * 30, "turn<<<dim3(3, 4), dim3(16, 8)>>>(y, x, 40, 30)"),
              "turn<<<dim3((n + 15) / 16, (n * 3 / 4 + 7) / 8, 1), dim3(16, 8)>>>(y, x, n, n * 3 / "
              "4) with n = 40, x[n * (n * 3 / 4)], y[n * (n * 3 / 4)]");
    // Square, with one parameter.
    const std::string square =
        "__global__ void turn(float* y, const float* x, int n) {\n    const int c = blockIdx.x * "
        "16 "
        "+ threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;\n    y[c * n + r] = x[r * n + c];\n}\n";
    EXPECT_EQ(launch_of(square, 32 * 32, "turn<<<dim3(2, 2), dim3(16, 16)>>>(y, x, 32)"),
              "turn<<<dim3((n + 15) / 16, (n + 15) / 16, 1), dim3(16, 16)>>>(y, x, n) with n = 32, "
              "x[n * n], y[n * n]");
}

// A grid of strides stays; what is no size stays.
TEST(WorkCall, OtherNumbersKeepTheirValues) {
    EXPECT_EQ(
        launch_of("__global__ void move(const float* x, float* y, int n, int by, double f) {\n "
                  "   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += "
                  "gridDim.x * blockDim.x) y[i] = f * x[(i + by) % n];\n}\n",
                  4096, "move<<<3, 32>>>(x, y, count, 7, 0.5)"),
        "move<<<3, dim3(32)>>>(x, y, n, 7, 0.5) with n = 4096, x[n], y[n]");
}

TEST(WorkCall, WhatIsNotClearIsSaid) {
    EXPECT_THAT(
        launch_of("__global__ void f(float* x) { for (int i = 0; i < 100; ++i) x[i] = i; }\n", 100,
                  "f<<<1, 1>>>(x)"),
        HasSubstr("no parameter of f says how long its arrays are"));
    EXPECT_THAT(launch_of("__global__ void f(const float* x) { if (x[threadIdx.x] > 1e9f) "
                          "__trap(); }\n",
                          64, "f<<<2, 32>>>(x)"),
                HasSubstr("writes to no array"));
}

TEST(WorkCall, ALineOfTheUsersIsReadBack) {
    const OwnProgram program(program_with(kSaxpy, 1000, "saxpy<<<4, 256>>>(count, 2.5f, x, y)"));
    const std::string line =
        "saxpy<<<(n + 127) / 128, 128>>>(n, 3, x, y) with n = 500, x[n], y[(n + 1) / 2, 3]";
    const auto call = own_call_of(line, *program.trace);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(text_of(*call), line);
    EXPECT_EQ(call->work->n, 500);
    // What it leaves out is as recognised.
    const auto short_line = own_call_of("saxpy<<<n / 128, 128>>>(n, 3, x, y)", *program.trace);
    ASSERT_TRUE(short_line);
    EXPECT_EQ(text_of(*short_line),
              "saxpy<<<n / 128, 128>>>(n, 3, x, y) with n = 1000, x[n], y[n]");
    for (const auto& [wrong, words] :
         {std::pair{"f() with z[n]", "its arrays are x, y"},
          {"f() with n = -3", "neither n = NUMBER nor ARRAY[LENGTH IN n]"},
          {"f() with x[]", "lacks its length"},
          {"f() with x", "neither"}}) {
        const auto refused = own_call_of(wrong, *program.trace);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_THAT(refused.error().message, HasSubstr(words));
    }
    // A product has A, B and C, and is launched as it stands.
    EXPECT_TRUE(is_of_product("mm<<<N, 1>>>(A, B, C, M, N, K)"));
    EXPECT_FALSE(is_of_product("mm<<<n, 1>>>(ABC, B, C)"));
    EXPECT_FALSE(own_call_of("mm<<<N, 1>>>(A, B, C)", *program.trace)->work);
}

}  // namespace
}  // namespace tilereel::work_call_test
