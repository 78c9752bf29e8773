// The other reading of a product: what it is if its matrices lie row by row.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/workbench/recording/wrong_product.h"

namespace tilereel::product_by_rows_test {
namespace {

Trace product(int m, int n, int k) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = m, .n = n, .k = k, .tile = 8, .pad = 0};
    Result<Trace> trace = record_ladder(request);
    EXPECT_TRUE(trace);
    return std::move(trace).value();
}

TEST(ProductByRows, IsSaidOfSquareFactorsThatAreColumnMajor) {
    Trace trace = product(16, 8, 8);
    EXPECT_EQ(product_by_rows(trace), "");
    trace.arrays[trace.product->b].by_columns = true;  // 8 x 8
    EXPECT_EQ(product_by_rows(trace), "A times B^T");
    trace.arrays[trace.product->a].by_columns = true;  // 16 x 8: by rows it would not fit
    EXPECT_EQ(product_by_rows(trace), "");
    trace = product(8, 8, 8);
    trace.arrays[trace.product->a].by_columns = true;
    EXPECT_EQ(product_by_rows(trace), "A^T times B");
    trace.arrays[trace.product->b].by_columns = true;
    EXPECT_EQ(product_by_rows(trace), "A^T times B^T");
}

}  // namespace
}  // namespace tilereel::product_by_rows_test
