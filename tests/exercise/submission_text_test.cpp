// Words and directives that a submission may not have, in whatever spelling; and what it may have.
#include "app/exercise/submission/submission_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/exercise/read_exercise.h"

namespace tilereel::submission_text_test {
namespace {

using ::testing::HasSubstr;

TEST(SubmissionText, EachOfTheseIsRefused) {
    for (const auto& [text, says] : std::initializer_list<std::pair<const char*, const char*>>{
             {"#include \"/etc/passwd\"", "stands alone"},
             {"#include <cublas_v2.h>", "<cublas_v2.h> is not accepted"},
             {"#include <../../etc/passwd>", "is not accepted in an exercise"},
             {"#define FILE_NAME <vector>\n#include FILE_NAME", "above the first #define"},
             {"#include FILE_NAME", "only headers in < >"},
             {"#include_next <vector>", "#include_next is not accepted"},
             {"#line 1 \"other.cu\"", "#line is not accepted"},
             {"# 1 \"other.cu\" 3", "#1 is not accepted"},
             {"#pragma GCC system_header", "#pragma GCC is not accepted"},
             {"#pragma redefine_extname scale hidden", "is not accepted"},
             {"  #  pragma  GCC poison float", "#pragma GCC is not accepted"},
             {"_Pragma(\"GCC system_header\")", "_Pragma is not accepted"},
             {"#define __global__", "changes __global__"},
             {"#define float double", "changes float"},
             {"#define main other", "changes main"},
             {"#define cudaMalloc(a, b) 0", "changes cudaMalloc"},
             {"#define threadIdx other", "changes threadIdx"},
             {"#undef __shared__", "changes __shared__"},
             {"#define JOIN(a, b) a##b", "## is not accepted"},
             {"%:define __global__", "%: is not accepted"},
             {"?\?=define __global__", "?\? is not accepted"},
             {"int \\u0074ilereel;", "only accepted at the end of a line"},
             {"as\\\nm(\"nop\");", "splits a word"},
             {"asm(\"syscall\");", "asm is not accepted"},
             {"__asm__ volatile(\"syscall\");", "__asm__ is not accepted"},
             {"void begin() __attribute__((constructor));", "__attribute__ is not accepted"},
             {"[[gnu::constructor]] void begin() {}", "gnu is not accepted"},
             {"extern char** environ;", "extern is only accepted"},
             {"extern \"C\" int system(const char*);", "extern is only accepted"},
             {"void f() { __builtin_memcpy(0, 0, 4); }", "__builtin_memcpy is not accepted"},
             {"void f(int* a) { __sync_fetch_and_add(a, 1); }", "is not accepted"},
             {"namespace tilereel { int launches; }", "is a name of Tilereel"},
             {"TILEREEL_LAUNCH(k)", "is a name of Tilereel"},
             {"#ifdef __TILEREEL_ARCH__\n#endif", "is a name of Tilereel"},
             {"__attribute__((tilereel_host)) void f();", "is not accepted"},
         }) {
        const std::vector<FileMistake> found = check_submission_text(text);
        ASSERT_FALSE(found.empty()) << text;
        EXPECT_THAT(found.front().sentence, HasSubstr(says)) << text;
    }
}

TEST(SubmissionText, AMistakeHasItsLine) {
    const std::vector<FileMistake> found =
        check_submission_text("// asm\nint a;\n#line 7\n\nasm(\"\");\n");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].line, 3);
    EXPECT_EQ(found[1].line, 5);
}

// What learners write: words in comments and in text, macros, a pragma, dynamic shared memory.
TEST(SubmissionText, UsualCodeIsAccepted) {
    const std::vector<FileMistake> found = check_submission_text(R"(
// tilereel grade file.cu; asm, ## and extern in a comment
#include <cuda_runtime.h>
#include <vector>
#define TILE 16
#define CHECK(call) \
    do { call; } while (0)
/* #line 3 */
const char* text = "asm ## __attribute__ tilereel \n";
__global__ void k(float* a) {
    extern __shared__ float s[];
#pragma unroll 4
    for (int i = 0; i < TILE; ++i) s[i] = a[i];
}
)");
    EXPECT_TRUE(found.empty()) << found.front().line << ": " << found.front().sentence;
}

// A comment that goes on in the next line hides code from the eye, not from the compiler.
TEST(SubmissionText, ACommentThatGoesOnIsAComment) {
    EXPECT_TRUE(check_submission_text("// text \\\nasm(\"\");\nint a;\n").empty());
    EXPECT_FALSE(check_submission_text("// text \\ \nint a;\nasm(\"\");\n").empty());
}

TEST(SubmissionText, WhatIsHandedOutIsAccepted) {
    int count = 0;
    for (const auto& file :
         exercises_in(std::filesystem::path(TILEREEL_SOURCE_DIR) / "assets/exercises")) {
        std::ifstream in(read_exercise(file).exercise.handed_out);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        ++count;
        const std::vector<FileMistake> found = check_submission_text(text);
        EXPECT_TRUE(found.empty()) << file << ": " << found.front().sentence;
    }
    EXPECT_GE(count, 8);
}

// Another file cannot call these, so the linker would only say that there is no such function.
TEST(SubmissionText, AFunctionThatCannotBeCalledIsNamedWithItsReason) {
    struct Case {
        const char* text;
        int line;
        const char* says;
    };
    for (const Case& each :
         {Case{"static void scale(float* x, int n) {}", 1, "is static"},
          Case{"__global__ void k() {}\n\nstatic inline void\nscale(float* x, int n) {\n}", 4,
               "is inline"},
          Case{"template <class T>\nvoid scale(T* x, int n) {}", 2, "is a template"},
          Case{"namespace {\nconstexpr int kSize[] = {1, 2};\nvoid scale(float* x) {}\n}", 3,
               "in a namespace"},
          Case{"struct Work {\n    void scale(float* x) { if (x) { } }\n};", 2,
               "in a namespace or class"}}) {
        const auto found = hidden_function(each.text, "scale");
        ASSERT_TRUE(found) << each.text;
        EXPECT_EQ(found->line, each.line) << each.text;
        EXPECT_THAT(found->sentence, HasSubstr(each.says));
    }
    for (const char* const text :
         {"", "void scale(float* x, int n) {}", "static int scale = 3; void other(int scale) {}",
          "static void other() { scale(1); }\nvoid scale(int) {}",
          "static void k() {}\nvoid scale(float* x) { static int times; other(); }",
          "#define HELPER static inline\nvoid scale(float* x, int n) {}",
          "// static void scale(float* x)\n\"static void scale(\"",
          "namespace a { int b; }\nvoid scale(int);",
          "static __global__ void k(float* x) { if (x) x[0] = 1; }\nvoid scale(float* x, int n) "
          "{}"})
        EXPECT_FALSE(hidden_function(text, "scale")) << text;
}

}  // namespace
}  // namespace tilereel::submission_text_test
