// Programs of tensor_mistakes with one mistake each: a finding says what it is. With FIXED defined
// the mistake is not there, and nothing is found.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/program/cuda_programs.h"

namespace tilereel::program::tensor_mistakes_test {
namespace {

std::vector<NamedRequest> mistakes(bool fixed) {
    std::vector<NamedRequest> programs =
        programs_in(std::filesystem::path(TILEREEL_TESTS_FOLDER) / "tensor_mistakes");
    for (NamedRequest& program : programs)
        if (fixed) program.request.defines.emplace_back("FIXED");
    return programs;
}

// The line of the mistake: the first line of the branch that is not FIXED, or before which the
// missing statement belongs.
TEST(TensorMistakes, EachIsFound) {
    int count = 0;
    run_all(mistakes(false), [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ++count;
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        const std::string says = expectation(program.request.file, "says");
        const std::string words = reported_text(*run);
        EXPECT_FALSE(says.empty()) << program.name << ": " << words;
        EXPECT_NE(words.find(says), std::string::npos)
            << program.name << " does not say: " << says << "\nbut: " << words;
        EXPECT_NE(words.find("line "), std::string::npos) << program.name << ": " << words;
        EXPECT_EQ(expectation(program.request.file, "ends"), end_of(*run)) << program.name << "\n"
                                                                           << words;
    });
    EXPECT_GE(count, 20);
}

TEST(TensorMistakes, WithoutThemNothingIsFound) {
    run_all(mistakes(true), [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        EXPECT_EQ(end_of(*run), "exit 0") << program.name;
        std::string words = reported_text(*run);
        while (!words.empty() && words.back() == '\n') words.pop_back();
        EXPECT_EQ(words, "The program ended.") << program.name;
    });
}

}  // namespace
}  // namespace tilereel::program::tensor_mistakes_test
