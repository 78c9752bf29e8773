// Subscripts that lie outside of their extent while the access lies inside the array, and those
// that only look so. What is expected follows from the extents that the program declares.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::subscripts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Subscripts : public Program {
  protected:
    // The findings about subscripts of a program whose kernel, from line 4 on, is `body`. It runs
    // with 32 threads and n = 8; out is an array of 1,024 ints.
    std::string findings(const std::string& body, const std::string& before = "") {
        const ProgramRun ran = run(
            "struct Row { int v[4], n; };\n" + before +
            "\n__global__ void k(int* out, Row* row, int n) { const int t = threadIdx.x;\n" + body +
            "\n}\nint main() {\n    int* out;\n    Row* row;\n    cudaMalloc(&out, 4096);\n"
            "    cudaMalloc(&row, 4096);\n    cudaMemset(out, 0, 4096);\n"
            "    cudaMemset(row, 0, 4096);\n    k<<<1, 32>>>(out, row, 8);\n"
            "    cudaDeviceSynchronize();\n    cudaFree(out);\n    cudaFree(row);\n}\n");
        EXPECT_TRUE(ran.compile_errors.empty()) << ran.compile_errors.front().message;
        std::string all;
        for (const LaunchSummary& each : ran.launches)
            for (const RecordedFinding& finding : each.findings)
                if (finding.kind == RecordedFindingKind::kSubscript) {
                    EXPECT_TRUE(finding.error);
                    all += finding.what + " " + finding.advice + "\n";
                }
        return all;
    }
};

TEST_F(Subscripts, BeyondTheRowOfASharedArray) {
    EXPECT_EQ(findings("    __shared__ int s[33][31];\n    s[t][n] = 1;\n    s[1][t] = t;\n"
                       "    out[t] = s[1][t];"),
              "Thread 31 of block 0 writes s[1][31] outside of its row: s has 31 columns, on line "
              "6. C++ leaves this undefined, and a GPU takes the element of another row: check the "
              "index, or make the rows longer.\n"
              "Thread 31 of block 0 reads s[1][31] outside of its row: s has 31 columns, on line "
              "7. C++ leaves this undefined, and a GPU takes the element of another row: check the "
              "index, or make the rows longer.\n");
}

TEST_F(Subscripts, BelowTheRow) {
    EXPECT_THAT(findings("    __shared__ int s[4][32];\n    s[2][t - 1] = 1;\n    out[t] = 0;"),
                StartsWith("Thread 0 of block 0 writes s[2][-1] outside of its row: s has 32 "
                           "columns, on line 5."));
}

TEST_F(Subscripts, BetweenTheRowsOfAPage) {
    EXPECT_THAT(
        findings("    __shared__ int s[32][3][4];\n    s[t % 16][n - 5][1] = 1;\n    out[t] = 0;"),
        StartsWith("Thread 0 of block 0 writes s[0][3][1] outside of s[0], which has 3 rows, on "
                   "line 5."));
}

TEST_F(Subscripts, OfOneColumnAreToldInTheSingular) {
    EXPECT_THAT(findings("    __shared__ int s[64][1];\n    s[t][n - 7] = 1;\n    out[t] = 0;"),
                HasSubstr("s has 1 column, on line 5."));
}

// No other check sees local arrays.
TEST_F(Subscripts, BeyondALocalArray) {
    EXPECT_THAT(findings("    int v[9], sum = 0;\n    for (int i = 0; i <= n; ++i) v[i] = i;\n"
                         "    for (int i = 0; i <= n + 1; ++i) sum += v[i];\n    out[t] = sum;"),
                StartsWith("Thread 0 of block 0 reads v[9] outside of v, which has 9 elements, on "
                           "line 6. C++ leaves this undefined: check the index, or make the array "
                           "larger.\n"));
}

TEST_F(Subscripts, BeyondAMemberAndAVariableOfDeviceMemory) {
    const std::string all = findings(
        "    __shared__ Row s[4];\n    s[1].v[n - 4] = 1;\n    row->v[n - 4] = 2;\n"
        "    table[1][n] = 3;\n    atomicAdd(&table[t % 2][n + 1], 1);\n    out[t] = 0;",
        "__device__ int table[4][8];");
    for (const char* const each :
         {"writes s[1].v[4] outside of s[1].v, which has 4 elements, on line 5",
          "writes row->v[4] outside of row->v, which has 4 elements, on line 6",
          "writes table[1][8] outside of its row: table has 8 columns, on line 7",
          "writes table[0][9] outside of its row: table has 8 columns, on line 8"})
        EXPECT_THAT(all, HasSubstr(each));
    EXPECT_EQ(std::ranges::count(all, '\n'), 4) << all;
}

TEST_F(Subscripts, OfAPointerToRows) {
    EXPECT_THAT(findings("    __shared__ int s[4][16];\n    set(s, 1, n + 8);\n    out[t] = 0;",
                         "__device__ void set(int (*rows)[16], int i, int j) { rows[i][j] = 1; }"),
                StartsWith("Thread 0 of block 0 writes rows[...][16] outside of its row: rows has "
                           "16 columns, on line 2."));
}

// An address one past the end is none, and neither is what programs do on purpose: one row that
// stands for all, and a last member that stands for more.
TEST_F(Subscripts, InsideAreNone) {
    EXPECT_EQ(findings("    __shared__ int s[8][32];\n    int v[4][4], sum = 0;\n"
                       "    for (int i = 0; i < 4; ++i)\n        for (int j = 0; j < 4; ++j)\n"
                       "            v[i][j] = i + j;\n    for (int i = 0; i < 16; ++i) sum += "
                       "v[0][i];\n    s[0][t + 32] = t;\n    s[t / 4][t] = 1;\n"
                       "    for (int* p = &s[1][0]; p != &s[1][n * 4]; ++p) sum += *p == 1;\n"
                       "    open->more[n] = 3;\n    out[t] = sum;",
                       "struct Open { int n; int more[1]; };\n#define open ((Open*)row)"),
              "");
}

}  // namespace
}  // namespace tilereel::program::subscripts_test
