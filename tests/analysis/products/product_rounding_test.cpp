#include <gtest/gtest.h>

#include <limits>

#include "instrumentation/analysis/products/product_reference.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::product_rounding_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Whether infinity is a right element of C where `expected` is the exact product. The kernel adds
// up in float.
bool may_be_infinite(ElementType type, double expected) {
    TraceBuilder builder;
    const ArrayId c = builder.add_array("C", Space::kGlobal, 1, 1);
    builder.begin_segment(0, 0, 0);
    builder.multiply_add();
    Trace trace = builder.take();
    trace.arrays[c].type = type;
    const double sign = expected < 0 ? -1 : 1;
    return ProductRounding(trace, c, 1).is_right(sign * kInfinity, expected, sign * expected);
}

// The largest number, and half a unit in the last place above it: 65504 and 65520
// (binary16), 3.3895e38 and 3.3961e38 (bfloat16), 3.4028235e38 and 3.4028236e38 (binary32).
TEST(ProductRounding, AnElementIsInfiniteFromHalfAUnitAboveTheLargestNumber) {
    EXPECT_TRUE(may_be_infinite(ElementType::kFloat16, 65520));
    EXPECT_FALSE(may_be_infinite(ElementType::kFloat16, 65510));
    EXPECT_TRUE(may_be_infinite(ElementType::kBfloat16, 0x1.ffp127));
    EXPECT_TRUE(may_be_infinite(ElementType::kBfloat16, -0x1.ff8p127));
    EXPECT_FALSE(may_be_infinite(ElementType::kBfloat16, 0x1.fe8p127));
    EXPECT_FALSE(may_be_infinite(ElementType::kBfloat16, -0x1.fep127));
    EXPECT_TRUE(may_be_infinite(ElementType::kFloat32, 0x1.ffffffp127));
    EXPECT_FALSE(may_be_infinite(ElementType::kFloat32, 0x1.ffffp127));
    EXPECT_TRUE(may_be_infinite(ElementType::kFloat64, kInfinity));
    EXPECT_FALSE(may_be_infinite(ElementType::kFloat64, 0x1p1023));
}

}  // namespace
}  // namespace tilereel::product_rounding_test
