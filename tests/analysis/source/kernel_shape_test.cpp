#include "instrumentation/analysis/source/kernel_shape.h"

#include <gmock/gmock.h>

namespace tilereel::kernel_shape_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kSource = R"(// "kernel(" in a comment {
#define BRACE {
__device__ int helper(int i) { return i; }
template <class T>
__global__ void __launch_bounds__(64) kernel(T* out,
                                             const char* s) {
    int i = threadIdx.x, n = 1'000;
    if (i >= n) return;
    out[i] = '{';
    if (i < 4)
        for (int k = 0; k < 4; ++k)
            out[k] = 1;
    else if (i < 5) {
        out[i] = 2;
    }
    while (i < 9) {
        out[i++] = 3;
        if (out[i]) return;
    }
    do out[i] = 4; while (i++ < 3);
    out[i] = i ? out[0] : 5;
    out[i] = "}"[0];
    switch (i) {
        case 0:
            out[i] = 6;
    }
    int v[2] = {1, 2}; out[i] = v[0];
    { out[i] = 7; }
    out[i] = 8;
}
int main() { kernel<<<1, 1>>>(0, 0); return 0; }
)";

TEST(KernelShape, KnowsTheReturnsAndWhatIsInABranch) {
    const KernelShape shape = kernel_shape(kSource, "space::kernel<int>");
    EXPECT_EQ(shape.first_line, 6u);
    EXPECT_EQ(shape.last_line, 30u);
    EXPECT_THAT(shape.returns, ElementsAre(8, 18));
    for (const std::uint32_t line : {7, 9, 21, 22, 27, 28, 29})
        EXPECT_TRUE(shape.is_at_top(line)) << line;
    for (const std::uint32_t line : {8, 10, 11, 12, 13, 14, 16, 17, 18, 20, 25})
        EXPECT_FALSE(shape.is_at_top(line)) << line;
    for (const std::uint32_t line : {8, 12, 14, 18, 21, 25})
        EXPECT_TRUE(shape.is_in_branch(line)) << line;
    for (const std::uint32_t line : {7, 9, 16, 17, 20, 22, 28})
        EXPECT_FALSE(shape.is_in_branch(line)) << line;
    EXPECT_FALSE(shape.has(5));
    EXPECT_FALSE(shape.has(31));
    EXPECT_TRUE(shape.returns_between(6, 9));
    EXPECT_FALSE(shape.returns_between(9, 18));
}

TEST(KernelShape, ALadderKernelIsTheOnlyOneOfItsText) {
    EXPECT_EQ(kernel_shape(kSource, "09_tiled").first_line, 6u);
    const std::string two = std::string(kSource) + "__global__ void other() {\n}\n";
    EXPECT_EQ(kernel_shape(two, "09_tiled").first_line, 0u);
    EXPECT_EQ(kernel_shape(two, "other").last_line, 33u);
}

TEST(KernelShape, TextThatIsNoKernelHasNone) {
    for (const std::string_view text :
         {"", "kernel", "kernel(", "kernel() {", "kernel() { {", "kernel() { if (",
          "/* kernel() {}", "\"kernel() {}", "kernel()) {}", "void kernel();"}) {
        EXPECT_EQ(kernel_shape(text, "kernel").first_line, 0u) << text;
    }
    EXPECT_THAT(kernel_shape("void kernel() {}}}", "kernel").returns, IsEmpty());
    // Deep nesting and many names take no long time and no stack.
    std::string deep = "void kernel() {";
    for (int i = 0; i < 100'000; ++i) deep += "if (x) {";
    for (int i = 0; i < 100'001; ++i) deep += "}";
    EXPECT_EQ(kernel_shape(deep, "kernel").last_line, 1u);
    std::string names;
    for (int i = 0; i < 20'000; ++i) names += "kernel(";
    EXPECT_EQ(kernel_shape(names, "kernel").first_line, 0u);
}

}  // namespace
}  // namespace tilereel::kernel_shape_test
