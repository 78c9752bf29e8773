// `grade` as an autograder calls it: exit codes, the files that it writes, the same grade for the
// same seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "instrumentation/program/stranger.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::grade_command_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// What is handed out: only the first block writes. `begin`: text that comes first.
std::string first_kernel(const std::string& begin = "") {
    return begin + R"(#include <cuda_runtime.h>
__global__ void k(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
void scale(const float* in, float* out, int n) { k<<<(n + 127) / 128, 128>>>(in, out, n); }
)";
}

// Where there is no bubblewrap, without its sandbox.
Ended grade(const std::string& call, const std::filesystem::path& folder) {
    const bool has_sandbox = program::why_no_sandbox().empty();
    return shell("tilereel grade " + call + (has_sandbox ? "" : " --trust"), folder);
}

TEST(GradeCommand, WithoutASandboxAStrangersFileIsRefused) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", first_kernel());
    const Ended refused =
        shell("PATH=/nowhere tilereel grade work.cu --exercise first_kernel", folder.path());
    EXPECT_EQ(refused.exit_code, 3) << "no grade";
    EXPECT_THAT(refused.err, HasSubstr("apt-get install bubblewrap; with --trust"));
    EXPECT_EQ(refused.out, "");
    const Ended trusted =
        shell("tilereel grade work.cu --exercise first_kernel --trust", folder.path());
    EXPECT_EQ(trusted.exit_code, 1);
    EXPECT_THAT(trusted.out, HasSubstr("is never stored"));
}

// Without /proc, or with that of other processes, nobody sees how much memory a submission uses.
TEST(GradeCommand, WithoutProcThereIsNoGrade) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", first_kernel());
    const std::string apart = "unshare --user --map-root-user --mount ";
    if (shell(apart + "mount -t tmpfs none /proc").exit_code != 0)
        GTEST_SKIP() << "no user namespaces here";
    const std::string call =
        "\"" TILEREEL_PROGRAM "\" grade work.cu --exercise first_kernel --trust";
    for (const std::string& command :
         {apart + "sh -c 'mount -t tmpfs none /proc; exec " + call + "'",
          "unshare --user --map-root-user --pid --fork " + call}) {
        const Ended ended = shell(command, folder.path());
        EXPECT_EQ(ended.exit_code, 3) << command << ended.out << ended.err;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, HasSubstr("/proc does not show the processes of this computer"));
    }
}

// A reference that leads out of its arrays is the lecturer's mistake: nobody's grade.
TEST(GradeCommand, AReferenceThatCrashesIsTheExercisesFault) {
    const ScratchFolder folder;
    write_bytes(folder / "mine.toml",
                "title = \"Mine\"\ntask = \"Write it.\"\n"
                "function = \"void scale(const float* in, float* out, int n)\"\n"
                "sizes = {n = \"300\"}\narrays = {in = \"n\", out = \"n\"}\n"
                "reference = \"for (int i = 0; i < n; ++i) out[i + 400000000000l] = in[i];\"\n"
                "checks = [\"out is right\"]\n");
    write_bytes(folder / "mine.cu", first_kernel());
    write_bytes(folder / "work.cu", first_kernel());
    const Ended ended = grade("work.cu --exercise mine.toml", folder.path());
    EXPECT_EQ(ended.exit_code, 3) << ended.out;
    EXPECT_THAT(ended.err, HasSubstr("mine.toml, line 6: the reference cannot be computed"));
}

// The compiler's messages quote a file: a link could lead to any file of the grader's.
TEST(GradeCommand, ALinkIsRefused) {
    const ScratchFolder folder;
    write_bytes(folder / "key", "the-secret-word\n");
    std::filesystem::create_symlink(folder / "key", folder / "work.cu");
    const std::string call = "tilereel grade work.cu --exercise first_kernel";
    if (program::why_no_sandbox().empty()) {
        const Ended refused = shell(call, folder.path());
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_THAT(refused.err, HasSubstr("work.cu is a link"));
        EXPECT_EQ(refused.err.find("secret"), std::string::npos);
    }
    EXPECT_EQ(shell(call + " --trust", folder.path()).exit_code, 1);
}

// A submission in a sandbox does not find the file that it names.
// A slip of the grader's: the learner's work stays.
TEST(GradeCommand, WritesNoFileThatItReads) {
    const ScratchFolder folder;
    const std::string work = "void f() {}\n";
    write_bytes(folder / "work.cu", work);
    for (const char* const option : {"--junit", "--gradescope"}) {
        const Ended ended = shell(
            std::string("tilereel grade work.cu --exercise coalescing ") + option + " ./work.cu",
            folder.path());
        EXPECT_EQ(ended.exit_code, 2);
        EXPECT_THAT(ended.err, HasSubstr("would replace './work.cu', which is read here"));
    }
    EXPECT_EQ(shell("tilereel grade work.cu --exercise coalescing --junit x --gradescope x",
                    folder.path())
                  .exit_code,
              2);
    EXPECT_EQ(read_bytes(folder / "work.cu"), work);
}

TEST(GradeCommand, ASubmissionReadsNothingOfTheUser) {
    if (const std::string& why = program::why_no_sandbox(); !why.empty()) GTEST_SKIP() << why;
    const ScratchFolder folder, home;
    write_bytes(home / "key", "the-secret-word");
    write_bytes(folder / "program.cu",
                "#include <cstdio>\n__global__ void k() {}\nint main() {\n    k<<<1, 1>>>();\n    "
                "return fopen(\"" +
                    (home / "key").string() + "\", \"r\") ? 7 : 0;\n}\n");
    const std::string call = "program.cu --require 'launches == 1'";
    EXPECT_EQ(grade(call, folder.path()).exit_code, 0);
    EXPECT_THAT(grade(call + " --trust", folder.path()).out, HasSubstr("exit code 7"));
}

TEST(GradeCommand, ARefusedSubmissionHasItsLineInEachFormat) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", first_kernel("#line 7 \"<other> & 'more'\"\n"));
    const Ended ended = grade(
        "work.cu --exercise first_kernel --json --junit j.xml --gradescope g.json", folder.path());
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.err, HasSubstr("4 checks did not pass"));
    const Json json = Json::parse(ended.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << ended.out;
    EXPECT_EQ(json["passed"], 0);
    EXPECT_EQ(json["of"], 4);
    // What is handed out is wrong, so each of the four checks can be earned.
    EXPECT_EQ(json["points"], 0);
    EXPECT_EQ(json["most_points"], 4);
    EXPECT_EQ(json["refusals"][0]["line"], 1);
    EXPECT_EQ(json["refusals"][0]["message"], "#line is not accepted");
    EXPECT_EQ(json["checks"][0]["state"], "not_judged");
    EXPECT_EQ(json["runs"].size(), 3u);

    const std::string junit = read_bytes(folder / "j.xml");
    EXPECT_THAT(junit, HasSubstr("tests=\"4\" failures=\"4\" skipped=\"0\""));
    EXPECT_THAT(junit, HasSubstr("<property name=\"most_points\" value=\"4\"/>"));
    EXPECT_THAT(junit, HasSubstr("name=\"global_load.sectors &lt;= n / 8 + 1\""));
    EXPECT_THAT(junit, HasSubstr("<failure message=\"line 1: #line is not accepted\"/>"));

    const Json gradescope = Json::parse(read_bytes(folder / "g.json"), nullptr, false);
    ASSERT_TRUE(gradescope.is_object());
    EXPECT_EQ(gradescope["tests"].size(), 4u);
    EXPECT_EQ(gradescope["tests"][0]["score"], 0);
    EXPECT_EQ(gradescope["tests"][0]["max_score"], 1);
    EXPECT_THAT(gradescope["output"], HasSubstr("line 1: #line is not accepted"));
}

// The cell for nbgrader in the document: what it prints, and its last value, as a notebook has it.
TEST(GradeCommand, TheCellForNbgraderGivesPoints) {
    const ScratchFolder folder;
    const std::string text = read_bytes(TILEREEL_SOURCE_DIR "/assets/exercises/README.md");
    const std::string begin = "```python\n";
    const std::size_t at = text.find(begin) + begin.size();
    write_bytes(folder / "cell.py", text.substr(at, text.find("```", at) - at));
    write_bytes(folder / "notebook.py",
                "import ast\ncell = ast.parse(open('cell.py').read())\nlast = cell.body.pop()\n"
                "names = {}\nexec(compile(cell, 'cell', 'exec'), names)\n"
                "print('points', eval(compile(ast.Expression(last.value), 'cell', 'eval'), "
                "names))\n");
    std::filesystem::create_symlink(TILEREEL_PROGRAM, folder / "tilereel");
    const std::string run = "PATH=\"$PWD:$PATH\" /usr/bin/python3 notebook.py";
    const Ended missing = shell(run, folder.path());
    EXPECT_THAT(missing.out, HasSubstr("points 0"));
    EXPECT_THAT(missing.out, HasSubstr("homework.cu"));
    write_bytes(folder / "homework.cu",
                read_bytes(TILEREEL_SOURCE_DIR "/assets/exercises/coalescing.cu"));
    const Ended graded = shell(run, folder.path());
    EXPECT_THAT(graded.out, HasSubstr("passed: out is right: "));
    EXPECT_THAT(graded.out, HasSubstr("failed: global_load.sectors <= rows * columns / 8: "));
    EXPECT_THAT(graded.out, HasSubstr("points 0"));
    write_bytes(folder / "homework.cu", "void scale( {\n");
    const Ended broken = shell(run, folder.path());
    EXPECT_THAT(broken.out, HasSubstr("compiler: 1: "));
    EXPECT_THAT(broken.out, HasSubstr("points 0"));
}

// The scripts for Gradescope, with its folders below one of ours.
TEST(GradeCommand, GradescopeGetsAResultOrAnExitCode) {
    const ScratchFolder folder;
    const auto folder_of = [&](const char* name) {
        std::filesystem::create_directories(folder / name);
        return std::string(name) + "/";
    };
    const std::string source = folder_of("source"), submission = folder_of("submission");
    folder_of("results");
    const std::string exercises = TILEREEL_SOURCE_DIR "/assets/exercises/";
    std::string script = read_bytes(exercises + "gradescope/run_autograder");
    const std::string root = "/autograder/";
    for (std::size_t at; (at = script.find(root)) != std::string::npos;)
        script.replace(at, root.size(), folder.path().string() + "/");
    if (!program::why_no_sandbox().empty())
        script.insert(script.find("tilereel grade ") + 15, "--trust ");
    write_bytes(folder / "run_autograder", script);
    write_bytes(folder / (source + "exercise.toml"), read_bytes(exercises + "coalescing.toml"));
    write_bytes(folder / (source + "exercise.cu"), read_bytes(exercises + "coalescing.cu"));
    std::filesystem::create_symlink(TILEREEL_PROGRAM, folder / "tilereel");
    const auto result = [&](int code) {
        const Ended ended = shell("PATH=\"$PWD:$PATH\" bash run_autograder", folder.path());
        EXPECT_EQ(ended.exit_code, code) << ended.out << ended.err;
        const std::filesystem::path file = folder / "results/results.json";
        return std::filesystem::exists(file) ? Json::parse(read_bytes(file), nullptr, false)
                                             : Json();
    };
    EXPECT_EQ(result(0)["output"], "hand in one CUDA file (.cu); there are 0");
    write_bytes(folder / (submission + "HOMEWORK.CU"), read_bytes(exercises + "coalescing.cu"));
    const Json graded = result(0);
    ASSERT_TRUE(graded.is_object());
    EXPECT_EQ(graded["tests"][0]["status"], "passed");
    // A mistake of the exercise's is nobody's grade.
    write_bytes(folder / (source + "exercise.toml"), "title = \"Mine\"\n");
    EXPECT_TRUE(result(3).is_null());
}

// On a GPU the sum would begin with whatever lies in its register.
TEST(GradeCommand, ASumThatIsNotSetIsNotLucky) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu",
                "#include <cuda_runtime.h>\n"
                "__global__ void twice(const float* in, float* out, int n) {\n"
                "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    if (i >= n) return;\n"
                "    float sum;\n"
                "    for (int k = 0; k < 2; ++k) sum += in[i];\n"
                "    out[i] = sum;\n"
                "}\n"
                "void scale(const float* in, float* out, int n) {\n"
                "    twice<<<(n + 255) / 256, 256>>>(in, out, n);\n"
                "}\n");
    const Ended ended = grade("work.cu --exercise first_kernel", folder.path());
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.out, HasSubstr("as a variable that never got a value, stored on line 7"));
}

TEST(GradeCommand, TheSameSeedGivesTheSameGrade) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", first_kernel());
    const auto graded = [&](const std::string& seed) {
        return grade("work.cu --exercise first_kernel --json --seed " + seed, folder.path());
    };
    const Ended first = graded("5"), second = graded("5");
    EXPECT_EQ(first.exit_code, 1);
    EXPECT_EQ(first.out, second.out);
    const Json json = Json::parse(first.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << first.out << first.err;
    EXPECT_EQ(json["seed"], 5);
    EXPECT_EQ(json["checks"][0]["state"], "failed");
    EXPECT_THAT(json["checks"][0]["message"], HasSubstr("out[128] is never stored"));
    EXPECT_EQ(json["checks"][2]["message"], "not judged, because out is not right");
}

TEST(GradeCommand, AMissingFunctionIsNamed) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", "#include <cuda_runtime.h>\n__global__ void k() {}\n");
    const Ended ended = grade("work.cu --exercise first_kernel", folder.path());
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.out, HasSubstr("REFUSED: there is no function void scale(const float* in, "
                                     "float* out, int n)"));
}

// 32 lanes store to 32 words of one bank: 31 conflicts in one request.
TEST(GradeCommand, ARequirementIsCheckedOfAnyProgram) {
    const ScratchFolder folder;
    write_bytes(folder / "program.cu", R"(__global__ void k() {
    __shared__ float s[32][32];
    s[threadIdx.x][0] = 1;
}
int main() {
    k<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
)");
    const Ended passed = grade(
        "program.cu --require 'launches == 1' "
        "--require 'shared_store.requests == 1'",
        folder.path());
    EXPECT_EQ(passed.exit_code, 0) << passed.out << passed.err;
    const Ended fails = grade("program.cu --require 'shared.bank_conflicts == 0'", folder.path());
    EXPECT_EQ(fails.exit_code, 1);
    EXPECT_THAT(fails.out,
                HasSubstr("shared.bank_conflicts is 31 and should be 0; line 3 has all of them"));
}

TEST(GradeCommand, AWrongCallSaysWhatToDo) {
    const ScratchFolder folder;
    write_bytes(folder / "work.cu", first_kernel());
    write_bytes(folder / "mine.cu", first_kernel());
    write_bytes(folder / "mine.toml", "title = \"Mine\"\n");
    const auto refused = [&](const std::string& options, int code, const std::string& says) {
        const Ended ended = grade(options, folder.path());
        EXPECT_EQ(ended.exit_code, code) << options;
        EXPECT_THAT(ended.err, HasSubstr(says)) << options;
    };
    refused("work.cu", 2, "--exercise NAME");
    refused("none.cu --exercise first_kernel", 2, "there is no file");
    refused("work.cu --exercise none", 2, "there is no exercise 'none'");
    refused("work.cu --require 'fast'", 2, "is no check");
    refused("work.cu --require 'out is right'", 2, "only an exercise");
    refused("work.cu --require 'barriers == 0' --seed 3", 2, "leave them out");
    refused("--exercise first_kernel", 2, "name the file");
    refused("work.cu --exercise mine.toml", 3, "mine.toml, line 1: the exercise has no task");
}

TEST(GradeCommand, WithoutAFileTheExercisesAreListed) {
    const Ended ended = shell("tilereel grade");
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_THAT(ended.out, HasSubstr("first_kernel: "));
    EXPECT_THAT(ended.out, HasSubstr("swizzle: "));
}

}  // namespace
}  // namespace tilereel::tests::grade_command_test
