#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/launch_text.h"

namespace tilereel::program::launch_line_test {
namespace {

using testing::HasSubstr;

constexpr const char* kFile =
    "// tilereel: launch scale grid=4 block=256 x[N]=random\n"
    "constexpr int N = 1024;\n"
    "const char* text = \"tilereel: launch nothing\";\n"
    "/* tilereel: launch add<float> grid 2x2 block 8,8 a[4][8] index n 3 */\n"
    "__global__ void scale(float* x) {}\n"
    "template <class T> __global__ void add(const T* a, int n) {}\n";

std::vector<DeviceFunction> functions() { return find_device_functions(masked_text(kFile)); }

std::string problem_with(const std::string& line) {
    const MadeMain made = make_main({{line, 7, "file.cu"}}, functions());
    if (made.errors.empty()) return "";
    EXPECT_EQ(made.errors[0].line, 7u);
    return made.errors[0].message;
}

TEST(LaunchLine, IsFoundInCommentsOnly) {
    const auto lines = find_launch_lines(comments_of(kFile), "file.cu");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].line, 1u);
    EXPECT_EQ(lines[1].line, 4u);
    EXPECT_THAT(lines[1].text, HasSubstr("n 3"));
}

TEST(LaunchLine, BothNotationsMakeTheSameMain) {
    const auto text = [](const std::string& line) {
        const MadeMain made = make_main({{line, 1, "file.cu"}}, functions());
        EXPECT_TRUE(made.errors.empty());
        return made.text;
    };
    const std::string spaced = text("add<float> grid 2x2 block 8,8 a[4][8] index n 3");
    EXPECT_EQ(spaced, text(" add<float> n=3 grid=2,2 a[4][8]=index block=8x8"));
    EXPECT_THAT(spaced, HasSubstr("TILEREEL_LAUNCH(add<float>) TILEREEL_SHAPE(dim3("));
    EXPECT_THAT(spaced, HasSubstr("Whole{2, \"grid=2,2\"}"));
    EXPECT_THAT(spaced, HasSubstr("#line 1 \"file.cu\"\n"));
}

TEST(LaunchLine, EachMistakeIsReportedWithACorrection) {
    EXPECT_EQ(problem_with("nothing grid=1 block=1"),
              "there is no kernel 'nothing'; the file has scale, add");
    EXPECT_EQ(problem_with("add grid=1 block=1"),
              "add is a template: give its arguments, as in add<float>");
    EXPECT_EQ(problem_with("scale grid=1 x[4]=ones"),
              "give the threads of a block, as in block=256");
    EXPECT_EQ(problem_with("scale block=1"),
              "the line gives no value for scale's parameter x; add x[1024]=random");
    EXPECT_EQ(problem_with("scale block=1 x[4]=ones y=2"), "scale has no parameter 'y'; it has x");
    EXPECT_EQ(problem_with("scale block=1 x=2"),
              "x is a pointer: give it an array, as in x[1024]=random");
    EXPECT_EQ(problem_with("add<int> block=1 a[4]=ones n[2]=1"),
              "n is no pointer: give it a value, as in n=1");
    EXPECT_EQ(problem_with("scale block=1 x[4]=ones x[4]=ones"), "'x' is given twice");
    EXPECT_EQ(problem_with("scale block=1 x[18446744073709551616]=ones"),
              "'x[18446744073709551616]' has too many elements; write a smaller extent");
    EXPECT_THAT(problem_with("scale block=1 x[4"), HasSubstr("is not understood"));
    EXPECT_EQ(problem_with("scale grid=inf block=1 x[4]=ones"),
              "'grid=inf' is no number; write INFINITY or NAN in its place");
    EXPECT_EQ(problem_with(""),
              "the line names no kernel; write its name first, as in saxpy<float> block=256");
}

TEST(LaunchLine, IsSuggestedForAFileWithoutMain) {
    EXPECT_FALSE(has_main(masked_text("int domain(); // int main()")));
    EXPECT_TRUE(has_main(masked_text("int main (void) {}")));
    EXPECT_THAT(no_main_sentence(functions()),
                HasSubstr("// tilereel: launch scale grid=4 block=256 x[1024]=random"));
    EXPECT_THAT(no_main_sentence({}), HasSubstr("no main() and no kernel"));
}

constexpr const char* kHostFunctions =
    "__global__ void k(float* x, int n);\n"
    "void prepare(int n) {}\n"
    "void multiply(const float* A, float* C, int M, int N, float alpha) { k<<<M, N>>>(C, M); }\n"
    "extern \"C\" int solve(const float* A, float* B, int N) { k<<<1, 32>>>(B, N); return 0; }\n";

TEST(LaunchLine, CanCallAFunctionOfHostCode) {
    const std::string masked = masked_text(kHostFunctions);
    const std::vector<DeviceFunction> device = find_device_functions(masked);
    const std::vector<DefinedFunction> defined = find_defined_functions(masked);
    const auto made = [&](const std::string& line) {
        return make_main({{line, 7, "file.cu"}}, device, defined);
    };
    const MadeMain right = made("solve A[4]=ones B[4]=zeros N=4");
    EXPECT_TRUE(right.errors.empty());
    EXPECT_THAT(right.text, HasSubstr("solve(tilereel_argument_0.pointer, "
                                      "tilereel_argument_1.pointer, tilereel_argument_2);"));
    EXPECT_EQ(made("solve grid=2 A[4]=ones B[4]=zeros N=4").errors.at(0).message,
              "solve is a function of host code, which launches its kernels itself; leave out "
              "grid, block and shared");
    EXPECT_EQ(made("nothing").errors.at(0).message,
              "there is no kernel 'nothing'; the file has k, multiply, solve");
    EXPECT_EQ(made("solve A[4]=ones N=4").errors.at(0).message,
              "the line gives no value for solve's parameter B; add B[1024]=random");
    // One extent is that of the arrays. Several are those of matrices.
    EXPECT_THAT(no_main_sentence(device, defined),
                HasSubstr("// tilereel: launch solve A[1024]=random B[1024]=random N=1024"));
    EXPECT_THAT(no_main_sentence(device, {defined[1]}),
                HasSubstr("launch multiply A[1024]=random C[1024]=random M=32 N=32 alpha=1"));
}

}  // namespace
}  // namespace tilereel::program::launch_line_test
