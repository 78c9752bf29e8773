// Faults of a kernel end its recording with a sentence; they never reach the program's memory.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/emulate.h"

namespace tilereel {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <void (*kKernel)(Global<const float>, Global<const float>, Global<float>, Shape)>
std::string fault_of(const TestLaunch& launch = {}) {
    const Result<Trace> trace = emulate_kernel<kKernel>(launch);
    if (trace) return "none";
    EXPECT_EQ(trace.error().kind, ErrorKind::kFailed);
    EXPECT_EQ(trace.error().message.find('\n'), std::string::npos);
    return trace.error().message;
}

// clang-format off: the lines are counted from here
constexpr int kFirstLine = __LINE__;
__global__ void beyond_the_end(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    C[threadIdx.x] = A[threadIdx.x + 1000];
}
// clang-format on

TEST(Faults, AnIndexBeyondTheEndNamesArrayLineThreadAndIndex) {
    EXPECT_THAT(fault_of<beyond_the_end>({.block = {32, 2, 1}}),
                AllOf(HasSubstr("index 1024 is outside 0..1023 of A"),
                      HasSubstr("line " + std::to_string(kFirstLine + 2)),
                      HasSubstr("thread (24,0) of block (0,0)")));
}

__global__ void before_the_start(Global<const float>, Global<const float>, Global<float> C, Shape) {
    C[static_cast<int>(threadIdx.x) - 3] = 1.0f;
}
__global__ void unsigned_wrap(Global<const float>, Global<const float>, Global<float> C, Shape) {
    C[threadIdx.x - 1] = 1.0f;
}
__global__ void huge(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    C[0] = A[(1ll << 32) + 1];  // 1, if it were cut to 32 bits
}

TEST(Faults, NegativeAndHugeIndices) {
    EXPECT_THAT(fault_of<before_the_start>(), HasSubstr("index -3 is outside 0..1023 of C"));
    EXPECT_THAT(fault_of<unsigned_wrap>(), HasSubstr("index 4294967295 is outside"));
    EXPECT_THAT(fault_of<huge>(), HasSubstr("index 4294967297 is outside"));
}

__global__ void row_too_many(Global<const float>, Global<const float>, Global<float>, Shape) {
    SHARED(float, Tile, 4, 8);
    Tile[threadIdx.x / 8 + 1][threadIdx.x % 8] = 1.0f;
}
__global__ void column_too_many(Global<const float>, Global<const float>, Global<float>, Shape) {
    SHARED(float, Tile, 4, 8);
    Tile[threadIdx.x / 8][threadIdx.x % 8 + 1] = 1.0f;
}

TEST(Faults, EachExtentOfASharedArray) {
    EXPECT_THAT(fault_of<row_too_many>(), HasSubstr("index 4 is outside 0..3 of Tile"));
    EXPECT_THAT(fault_of<column_too_many>(), HasSubstr("index 8 is outside 0..7 of Tile"));
}

__global__ void misaligned(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    const float4 x = as<const float4>(A + 1)[0];
    C[0] = x.x;
}
__global__ void misaligned_row(Global<const float>, Global<const float>, Global<float> C, Shape) {
    SHARED(float, Tile, 4, 5);
    const float4 x = as<float4>(Tile[1])[0];
    C[0] = x.x;
}

TEST(Faults, MisalignedWideAccess) {
    EXPECT_THAT(fault_of<misaligned>(), HasSubstr("byte 4 is not a multiple of 16 in A"));
    EXPECT_THAT(fault_of<misaligned_row>(), HasSubstr("byte 20 is not a multiple of 16 in Tile"));
}

__global__ void too_much_shared(Global<const float>, Global<const float>, Global<float>, Shape) {
    SHARED(float, Tile, 256, 256);
    Tile[0][0] = 1.0f;
}

TEST(Faults, MoreSharedMemoryThanABlockHas) {
    EXPECT_THAT(fault_of<too_much_shared>(), HasSubstr("Tile does not fit"));
}

// Block 5 fails before block 2 does, but block 2 is the one reported, whoever runs first.
__global__ void two_faulty_blocks(Global<const float> A, Global<const float>, Global<float> C,
                                  Shape) {
    const unsigned block = blockIdx.x;
    for (unsigned k = 0; k < (block == 2 ? 500u : 1u); ++k) C[block] = A[k];
    if (block == 2 || block == 5) C[100000 + block] = 1.0f;
}

TEST(Faults, TheFirstFaultyBlockIsReportedForAnyWorkers) {
    for (const unsigned workers : {1u, 2u, 3u, 7u})
        EXPECT_THAT(fault_of<two_faulty_blocks>({.grid = {8, 1, 1}, .workers = workers}),
                    HasSubstr("index 100002"));
}

// Shared memory starts as NaN in every block, whatever the block before left there.
__global__ void reads_before_writing(Global<const float>, Global<const float>, Global<float> C,
                                     Shape) {
    SHARED(float, Row, 32);
    C[blockIdx.x * 32 + threadIdx.x] = Row[threadIdx.x];
    Row[threadIdx.x] = 7.0f;
}

TEST(Faults, SharedMemoryIsPoisonedForEveryBlock) {
    const Result<Trace> trace = emulate_kernel<reads_before_writing>({.grid = {4, 1, 1}});
    ASSERT_TRUE(trace);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_TRUE(std::isnan(trace->c[i]));
    EXPECT_EQ(trace->c[500], 0) << "never stored: as it was before the launch";
}

__global__ void busy(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    Accumulator<float> sum;
    for (int k = 0; k < 20000; ++k) sum += A[k % 100] * B[threadIdx.x];
    C[threadIdx.x] = sum;
}

// The budget holds while recording, should an estimate ever be wrong.
TEST(Faults, ABudgetIsNeverExceeded) {
    EXPECT_THAT(fault_of<busy>({.grid = {64, 1, 1}, .memory_limit_bytes = 20 << 20}),
                HasSubstr("more memory than allowed"));
    EXPECT_EQ(fault_of<busy>({.grid = {2, 1, 1}, .memory_limit_bytes = 200 << 20}), "none");
}

}  // namespace
}  // namespace tilereel
