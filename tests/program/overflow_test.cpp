// Products of ints that do not fit: on a GPU they wrap, and the index that they make is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::overflow_test {
namespace {

class Overflow : public Program {
  protected:
    // All findings of a program whose kernel, from line 3 on, is `body`; x is an array of 1,024
    // ints.
    std::string findings(const std::string& body, const std::string& launch) {
        const ProgramRun ran =
            run("__global__ void k(int* x, int n) {\n"
                "    int i = blockIdx.x, t = threadIdx.x;\n" +
                body +
                "\n}\nint main() {\n    int* x;\n    cudaMalloc(&x, 4096);\n"
                "    cudaMemset(x, 0, 4096);\n    k" +
                launch + "\n    cudaDeviceSynchronize();\n    cudaFree(x);\n}\n");
        std::string all;
        for (const RecordedFinding& finding : ran.findings) all += finding.what + "\n";
        for (const LaunchSummary& each : ran.launches) {
            if (each.trace.empty()) continue;
            const Result<Trace> trace = read_trace(each.trace);
            EXPECT_TRUE(trace);
            if (!trace) continue;
            for (const RecordedFinding& finding : trace->findings)
                all += finding.what + " " + finding.advice + "\n";
        }
        return all;
    }
};

TEST_F(Overflow, OfAnIndexIsAWarningWithBothFactors) {
    EXPECT_EQ(findings("    int at = (t + 40000) * n;\n    if (at >= 0) x[at] = 1;",
                       "<<<1, 32>>>(x, 60000);"),
              "Thread 0 of block 0 multiplies 40000 by 60000, which does not fit into an int, on "
              "line 3. The product becomes -1894967296: convert one of the two to size_t first.\n");
}

// Blocks that are not recorded run without hooks, but keep this check.
TEST_F(Overflow, IsSeenInBlocksThatAreNotRecorded) {
    request_.limits.accesses = request_.limits.accesses_a_launch = 256;
    const std::string all =
        findings("    if (i * n >= 0 && t == 0) x[i % 64] = 1;", "<<<70000, 32>>>(x, 32768);");
    EXPECT_EQ(std::ranges::count(all, '\n'), 1) << all;
    EXPECT_THAT(all, testing::HasSubstr("multiplies 32768 by 6"));
}

TEST_F(Overflow, OfOtherTypesAndOnTheHostIsNone) {
    EXPECT_EQ(findings("    unsigned wraps = (t + 40000u) * unsigned(n);\n"
                       "    size_t large = size_t(t + 40000) * n;\n"
                       "    int fits = (t + 40000) * 50000;\n"
                       "    x[t] = int(wraps % 7 + large % 7) + fits;",
                       "<<<1, 32>>>(x, 60000);\n    volatile int h = 60000; h = h * h;"),
              "");
}

}  // namespace
}  // namespace tilereel::program::overflow_test
