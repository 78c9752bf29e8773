// What a compiler knows of a loop's trips, by its text. The steps are those that nvcc 13 unrolls or
// not: tests/hardware/README.md.
#include "instrumentation/analysis/source/loop_steps.h"

#include <gtest/gtest.h>

#include <string>

namespace tilereel::loop_steps_test {
namespace {

LoopStep step_of(const char* source) {
    const std::vector<Loop> loops = loops_of(source);
    EXPECT_EQ(loops.size(), 1u) << source;
    return loops.empty() ? LoopStep::kVariableStep : loops[0].step;
}

TEST(LoopSteps, ALoopOverTheGridHasAStepThatOnlyTheLaunchKnows) {
    EXPECT_EQ(step_of("for (int i = t; i < n; i += gridDim.x * blockDim.x) s += x[i];"),
              LoopStep::kVariableStep);
    EXPECT_EQ(step_of("for (int i = t; i < n; i += stride) s += x[i];"), LoopStep::kVariableStep);
    EXPECT_EQ(step_of("while (i < n) { s += x[i]; i += 256; }"), LoopStep::kVariableStep);
    EXPECT_EQ(step_of("do { s += x[i++]; } while (i < n);"), LoopStep::kVariableStep);
}

TEST(LoopSteps, AStepOfConstantsIsKnown) {
    EXPECT_EQ(step_of("for (int i = t; i < n; i += 256) s += x[i];"), LoopStep::kConstantStep);
    EXPECT_EQ(step_of("for (int i = begin[row]; i < begin[row + 1]; ++i) s += x[i];"),
              LoopStep::kConstantStep);
    EXPECT_EQ(step_of("for (int i = t; i < n; i += kBlock * TILE) s += x[i];"),
              LoopStep::kConstantStep);
    EXPECT_EQ(step_of("for (auto i = threadIdx.y; i < 32; i += 8) s += x[i];"),
              LoopStep::kConstantStep);
}

TEST(LoopSteps, BoundsOfConstantsTellTheTrips) {
    EXPECT_EQ(step_of("for (int k = 0; k < 16; ++k) s += x[k];"), LoopStep::kConstantTrips);
    EXPECT_EQ(step_of("for (int s = 16; s > 0; s /= 2) v += x[s];"), LoopStep::kConstantTrips);
    EXPECT_EQ(step_of("constexpr int edge = 64; for (int k = 0; k < edge; ++k) s += x[k];"),
              LoopStep::kConstantTrips);
    EXPECT_EQ(step_of("const int edge = f(); for (int k = 0; k < edge; ++k) s += x[k];"),
              LoopStep::kConstantStep);
}

TEST(LoopSteps, ALineIsInItsInnermostLoop) {
    const std::vector<Loop> loops = loops_of(
        "__global__ void f(int n) {\n"             // 1
        "    // for (int no = 0; no < 1; ++no)\n"  // 2
        "    for (int i = 0; i < n; ++i) {\n"      // 3
        "        if (i > 2)\n"                     // 4
        "            for (int k = 0; k < 4; ++k)\n"
        "                a[k] = {1, 2};\n"  // 6
        "        b[i] = 0;\n"               // 7
        "    }\n"
        "    c = 0;\n"  // 9
        "}\n");
    ASSERT_EQ(loops.size(), 2u);
    EXPECT_EQ(loop_around(loops, 2), nullptr);
    EXPECT_EQ(loop_around(loops, 6), &loops[1]);
    EXPECT_EQ(loop_around(loops, 7), &loops[0]);
    EXPECT_EQ(loop_around(loops, 9), nullptr);
}

// Text that is cut off ends the search and nothing else.
TEST(LoopSteps, TextThatIsNoProgramHasNoLoopsOrSome) {
    for (const char* text :
         {"", "for", "for (", "for (;;", "while", "do", "{{{", "}}}", "if", "else"})
        EXPECT_LE(loops_of(text).size(), 1u) << text;
}

// Nested as deep as nobody writes: it takes neither the stack nor more time than its length.
TEST(LoopSteps, DeepTextIsRead) {
    for (const char* text : {"{", "}", "if(", "if (x) ", "for (;;) ", "do ", "else ", "(", "x{"}) {
        std::string deep;
        while (deep.size() < 1'000'000) deep += text;
        EXPECT_LE(loops_of(deep).size(), 1'000'000u) << text;
    }
}

}  // namespace
}  // namespace tilereel::loop_steps_test
