// A wrong C is recorded like a right one; a kernel may read C.
#include <gtest/gtest.h>

#include <algorithm>

#include "instrumentation/analysis/values/value_check.h"
#include "tests/record/without_barrier.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::wrong_product_test {
namespace {

// Without the first barrier, the first of two warps multiplies elements that the second has not
// stored yet. They are still NaN, with which shared memory is filled.
TEST(WrongProduct, IsACompleteTraceWhoseStoresAreSound) {
    const Trace trace =
        recorded(request_without("09_tiled", 0, {16, 16, 16, 8, 0}, ThreadOrder::kWarpsForward));
    EXPECT_TRUE(trace.complete);
    EXPECT_EQ(trace.wrong_elements, 128u);  // the first warp's rows
    EXPECT_EQ(wrong_elements(trace).size(), 128u);
    EXPECT_TRUE(check_stores(trace));
}

TEST(WrongProduct, AGivenCIsKeptAndMustHaveItsSize) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {4, 4, 4, 2, 0};
    for (int i = 0; i < 16; ++i) request.inputs.c.push_back(static_cast<float>(100 + i));
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(values_of(*trace, MatrixRole::kFirstC), request.inputs.c);
    EXPECT_EQ(trace->wrong_elements, 0u);
    request.inputs.c.pop_back();
    EXPECT_FALSE(record_built_in(request));
}

// After the first tile of K, cpu_tiled adds to the sums that it has stored in C.
TEST(WrongProduct, CMayBeRead) {
    RecordRequest request;
    request.kernel = "cpu_tiled";
    request.parameters = {.m = 9, .n = 9, .k = 40, .tile = 16};
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u);
    EXPECT_TRUE(std::ranges::any_of(trace->sites, [](const Site& site) {
        return site.operation == Operation::kLoad && site.array == MatrixProduct{}.c;
    }));
}

}  // namespace
}  // namespace tilereel::wrong_product_test
