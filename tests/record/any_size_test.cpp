// 10_tiled_any_size at many M, N and K (programs/any_size.cu), in one process. The budget is for
// one block, so nearly all launches run without being recorded. The program compares each C with a
// product of whole numbers, whose sums are exact.
#include <gtest/gtest.h>

#include "instrumentation/program/program.h"

namespace tilereel::any_size_test {
namespace {

void expect_products(int every) {
    program::ProgramRequest request;
    request.file = TILEREEL_SOURCE_DIR "/tests/record/programs/any_size.cu";
    request.include_folders = {TILEREEL_SOURCE_DIR};
    request.defines = {"EVERY=" + std::to_string(every)};
    request.limits.accesses = request.limits.accesses_a_launch = 1;
    request.limits.seconds = 600;
    const Result<program::ProgramRun> run = program::run_program(request);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE(run->compile_errors.empty()) << run->compile_errors.front().message;
    EXPECT_EQ(run->end, program::ProgramEnd::kExit) << run->end_sentence;
    EXPECT_EQ(run->exit_code, 0) << run->output;
    // Every `every`-th triple of extents up to 40; and for TILE 2 and 4 all M and N up to TILE + 2
    // with all K up to 2 TILE + 1.
    const int triples = (40 * 40 * 40 + every - 1) / every + 4 * 4 * 5 + 6 * 6 * 9;
    EXPECT_EQ(run->output, std::to_string(triples) + " right\n");
}

TEST(AnySize, IsRightAtSampledExtents) { expect_products(37); }

// On request: ctest -C all -L oracle-all
TEST(AnySize, DISABLED_IsRightAtEveryExtentTo40) { expect_products(1); }

}  // namespace
}  // namespace tilereel::any_size_test
