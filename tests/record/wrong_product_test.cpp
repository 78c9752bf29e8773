// Kernels whose C is wrong are recorded like others; C may be read.
#define TILEREEL_BUILD_EMULATED
#include <gtest/gtest.h>

#include "instrumentation/analysis/value_check.h"
#include "instrumentation/record/record.h"
#include "kernels/dialect/dialect.h"
#include "tests/record/emulate.h"

namespace tilereel {
namespace {

// Adds A times B, doubled, to what C held. 32 threads, one row.
__global__ void adds_to_c(Global<const float> A, Global<const float> B, Global<float> C, Shape s) {
    const int column = static_cast<int>(threadIdx.x);
    Accumulator<float> sum;
    for (int k = 0; k < s.k; ++k) sum += A[k] * B[k * s.n + column];
    C[column] = 2 * sum + C[column];
}

// Only the first half of the threads stores.
__global__ void stores_half(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    if (threadIdx.x < 16) C[threadIdx.x] = A[threadIdx.x];
}

// The second block does nothing.
__global__ void one_block_idles(Global<const float> A, Global<const float>, Global<float> C,
                                Shape) {
    if (blockIdx.x == 0) C[threadIdx.x] = A[threadIdx.x];
}

TEST(WrongProduct, CIsZeroBeforeTheLaunchAndMayBeRead) {
    const Result<Trace> trace = emulate_kernel<adds_to_c>({.m = 1, .n = 32, .k = 4});
    ASSERT_TRUE(trace) << trace.error().message;
    for (std::size_t column = 0; column < 32; ++column) {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += trace->a[k] * trace->b[32 * k + column];
        EXPECT_EQ(trace->c[column], 2 * sum) << column;
    }
    EXPECT_TRUE(check_stores(*trace));
}

TEST(WrongProduct, GivenCIsReadAndKept) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {4, 4, 4, 2, 0};
    for (int i = 0; i < 16; ++i) request.inputs.c.push_back(static_cast<float>(100 + i));
    const Result<Trace> trace = record_with_emulator(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->c_before, request.inputs.c);
    EXPECT_EQ(trace->wrong_elements, 0u);
    request.inputs.c.pop_back();
    EXPECT_FALSE(record_with_emulator(request));
}

TEST(WrongProduct, WhatIsNotStoredKeepsItsValueAndIsSound) {
    const Result<Trace> trace = emulate_kernel<stores_half>({.m = 1, .n = 32, .k = 32});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->c[20], 0);
    EXPECT_TRUE(check_stores(*trace));
}

TEST(WrongProduct, ABlockThatDoesNothingIsInACompleteTrace) {
    const Result<Trace> trace =
        emulate_kernel<one_block_idles>({.grid = {2, 1, 1}, .m = 1, .n = 32, .k = 32});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(segments_of_block(*trace, 1).last - segments_of_block(*trace, 1).first, 1u);
    EXPECT_TRUE(check_values(*trace));
}

}  // namespace
}  // namespace tilereel
