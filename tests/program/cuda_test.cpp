// The CUDA features that work: each row of instrumentation/cuda/CUDA.md has a program that checks
// itself.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/program/cuda_programs.h"

namespace tilereel::program::cuda_test {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(TILEREEL_TESTS_FOLDER) / "cuda";

TEST(Cuda, EachProgramPassesItsOwnCheckWithoutAFinding) {
    int programs = 0;
    run_all(programs_in(kFolder), [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ++programs;
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        EXPECT_TRUE(run->compile_errors.empty() && run->findings.empty() &&
                    run->end == ProgramEnd::kExit && run->exit_code == 0)
            << program.name << ":\n"
            << text_of(*run);
        for (const LaunchSummary& launch : run->launches) {
            EXPECT_TRUE(launch.findings.empty()) << program.name << ":\n" << text_of(*run);
            const Result<Trace> trace = read_trace(launch.trace);
            ASSERT_TRUE(trace) << program.name << ": " << launch.reason << trace.error().message;
            for (const Finding& finding : find_hazards(*trace))
                EXPECT_NE(finding.severity, Severity::kError)
                    << program.name << ": " << sentence_of(*trace, finding);
        }
    });
    EXPECT_GE(programs, 30);
}

TEST(Cuda, TheTableNamesEachProgramAndNoOther) {
    std::ifstream file(TILEREEL_CUDA_TABLE);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::set<std::string> named, there;
    const std::regex link(R"(\]\(\.\./\.\./tests/program/cuda/([\w/]+\.cu)\))");
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it)
        named.insert((*it)[1]);
    for (const NamedRequest& program : programs_in(kFolder, true)) there.insert(program.name);
    EXPECT_EQ(named, there);
}

}  // namespace
}  // namespace tilereel::program::cuda_test
