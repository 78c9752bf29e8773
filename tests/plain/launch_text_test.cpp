#include "instrumentation/plain/launch_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilereel::plain {
namespace {

std::string rewritten(std::string_view text) { return rewrite_launches(text).text; }

TEST(LaunchText, ALaunchBecomesACall) {
    EXPECT_EQ(rewritten("k<<<g, b>>>(x, 1);"), "TILEREEL_LAUNCH(k), g, b)(x, 1);");
    EXPECT_EQ(rewritten("ns::k<float, 4> <<<dim3(1, 2), b, s, t>>> (x);"),
              "TILEREEL_LAUNCH(ns::k<float, 4>), dim3(1, 2), b, s, t) (x);");
}

TEST(LaunchText, BlanksBetweenTheBracketsAreTaken) {
    EXPECT_EQ(rewritten("k<< <g, b>> >(x);"), "TILEREEL_LAUNCH(k), g, b)(x);");
    EXPECT_EQ(rewritten("k <<< g , b >>> ( x );"), "TILEREEL_LAUNCH(k),  g , b ) ( x );");
}

TEST(LaunchText, TheKernelMayBeAnExpression) {
    EXPECT_EQ(rewritten("table[i]<<<g, b>>>(x);"), "TILEREEL_LAUNCH(table[i]), g, b)(x);");
    EXPECT_EQ(rewritten("(*kernel)<<<g, b>>>(x);"), "TILEREEL_LAUNCH((*kernel)), g, b)(x);");
    EXPECT_EQ(rewritten("if (n > 0) k<(N > 1)><<<g, b>>>(x);"),
              "if (n > 0) TILEREEL_LAUNCH(k<(N > 1)>), g, b)(x);");
}

TEST(LaunchText, TheConfigurationMayHoldTemplatesAndShifts) {
    EXPECT_EQ(rewritten("k<<<f<A<int>>(n), (n >> 3)>>>(x);"),
              "TILEREEL_LAUNCH(k), f<A<int>>(n), (n >> 3))(x);");
}

TEST(LaunchText, EveryLineStaysWhereItIs) {
    const std::string text = "k<float,\n  4>\n<<<g,\n   b>>>\n(x);\nlast";
    const std::string result = rewritten(text);
    EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n'));
    EXPECT_TRUE(result.ends_with("\nlast"));
}

TEST(LaunchText, ALaunchInAMacroKeepsItsContinuedLines) {
    EXPECT_EQ(rewritten("#define L(k) \\\n  k<<<1, \\\n  2>>>()\n"),
              "#define L(k) \\\n  TILEREEL_LAUNCH(k), 1, \\\n  2)()\n");
}

TEST(LaunchText, CommentsAndLiteralsAreLeftAlone) {
    for (const char* const text :
         {"// k<<<g, b>>>(x)\n", "/* k<<<g,\n b>>>(x) */", "puts(\"k<<<g, b>>>(x)\");",
          "auto s = R\"x(k<<<g, b>>>(x) )\" )x\";", "char c = '\"'; // <<<1>>>(\n",
          "int n = 1'000'000; // '\n", "std::cout << 1 << 2;", "a = b << (c < d);"})
        EXPECT_EQ(rewritten(text), text);
}

TEST(LaunchText, DynamicSharedMemoryIsExternStill) {
    EXPECT_EQ(rewritten("extern __shared__ float s[];"), "extern __dynamic_ float s[];");
    EXPECT_EQ(rewritten("extern __align__(16) __shared__ float s[];"),
              "extern __align__(16) __dynamic_ float s[];");
    EXPECT_EQ(rewritten("__shared__ float s[4];"), "__shared__ float s[4];");
    EXPECT_EQ(rewritten("extern int n; __shared__ float s[4];"),
              "extern int n; __shared__ float s[4];");
}

TEST(LaunchText, CallsThatAreNotTakenAreNamedWithTheirLine) {
    const auto found = rewrite_launches("int a;\nfloat v = tex2D(t, x, y); // tex3D\n").not_taken;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].call, "tex2D");
    EXPECT_EQ(found[0].line, 2u);
}

}  // namespace
}  // namespace tilereel::plain
