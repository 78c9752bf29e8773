// Programs with mistakes, and programs that misbehave: each is reported with the right message, and
// leaves neither a process nor a file. A program's first lines say what is expected:
//   // says: words that a finding, an error or the program's own output has
//   // ends: exit 3 | signal 11 | time | limit | not compiled
//   // kind: the kind of the finding that says it (optional)
//   // test: options of the run, such as --seconds 0.5 (optional; see add_options() in
//   //       cuda_programs.cpp)
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/program/cuda_programs.h"

namespace tilereel::program::broken_test {
namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The kinds of the findings whose text has `says`.
std::set<std::string_view> kinds_of(const ProgramRun& run, const std::string& says) {
    std::set<std::string_view> kinds;
    const auto add = [&](const std::vector<RecordedFinding>& findings) {
        for (const RecordedFinding& finding : findings)
            if ((finding.what + " " + finding.advice).find(says) != std::string::npos)
                kinds.insert(finding_name(finding.kind));
    };
    add(run.findings);
    for (const LaunchSummary& launch : run.launches) add(launch.findings);
    return kinds;
}

// Processes that have `folder` in their environment.
std::set<std::string> processes_of(const fs::path& folder) {
    std::set<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (name == std::to_string(getpid())) continue;
        if (file_text(entry.path() / "environ").find(folder.string()) != std::string::npos)
            found.insert(name + " " + file_text(entry.path() / "cmdline").c_str());
    }
    return found;
}

class Broken : public testing::Test {
  protected:
    Broken() {
        std::string name = (fs::temp_directory_path() / "broken-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        // The cache stays where it is.
        if (const char* const home = std::getenv("HOME"); home == nullptr || *home == 0)
            setenv("XDG_CACHE_HOME", (fs::temp_directory_path() / "tilereel").c_str(), 0);
        setenv("TMPDIR", folder_.c_str(), 1);
    }
    ~Broken() override {
        unsetenv("TMPDIR");
        fs::remove_all(folder_);
    }
    fs::path folder_;
};

TEST_F(Broken, EachProgramGetsItsMessageAndLeavesNoFilesOrProcesses) {
    const fs::path programs = fs::path(TILEREEL_TESTS_FOLDER) / "broken";
    int count = 0;
    run_all(programs_in(programs), [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ++count;
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        const std::string says = expectation(program.request.file, "says");
        const std::string words = reported_text(*run);
        EXPECT_NE(words.find(says), std::string::npos)
            << program.name << " does not say: " << says << "\nbut: " << words;
        const std::string kind = expectation(program.request.file, "kind");
        if (!kind.empty()) {
            EXPECT_EQ(kinds_of(*run, says), std::set<std::string_view>{kind}) << program.name;
        }
        EXPECT_NE(expectation(program.request.file, "ends").find(end_of(*run)), std::string::npos)
            << program.name << " ends with " << end_of(*run) << "\n"
            << words;
        for (const char* const ours : {"TILEREEL", "tilereel::"})
            EXPECT_EQ(words.find(ours), std::string::npos)
                << program.name << " shows our rewriting: " << words;
        EXPECT_LE(run->output.size(), program.request.limits.output_bytes);
    });
    EXPECT_GE(count, 40);
    EXPECT_TRUE(fs::is_empty(folder_)) << *fs::directory_iterator(folder_);
    for (const std::string& process : processes_of(folder_)) ADD_FAILURE() << process;
}

TEST_F(Broken, TheMessageForAnEmptyFileSaysWhatIsMissing) {
    ProgramRequest request;
    request.file = folder_ / "empty.cu";
    std::ofstream(request.file).flush();
    const Result<ProgramRun> run = run_program(request);
    ASSERT_TRUE(run);
    ASSERT_EQ(run->compile_errors.size(), 1u);
    EXPECT_EQ(run->compile_errors[0].message,
              "the file has no main() and no kernel: there is nothing to run");
}

// The library is supported; the mistake is in the call.
TEST_F(Broken, ALibraryThatIsFoundIsNotBlamed) {
    ProgramRequest request;
    request.file = folder_ / "call.cu";
    std::ofstream(request.file) << "#include <cub/util_debug.cuh>\n"
                                   "int main() { return cub::CurrentDebt(); }\n";
    const Result<ProgramRun> run = run_program(request);
    ASSERT_TRUE(run);
    ASSERT_EQ(run->compile_errors.size(), 1u);
    EXPECT_EQ(run->compile_errors[0].line, 2u);
}

}  // namespace
}  // namespace tilereel::program::broken_test
