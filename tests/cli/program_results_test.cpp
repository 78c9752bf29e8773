// What commands say and which exit code they give when a program fails, launches nothing, launches
// very often, or changes its recordings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/shell_command.h"

namespace tilereel::program_results_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::shell;

tests::Ended run(const std::string& program, const std::string& command) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", program);
    return shell(command, folder.path());
}

constexpr const char* kTwoLaunches =
    "__global__ void put(int* a) { a[threadIdx.x] = 1; }\n"
    "int main() { int* a; cudaMalloc(&a, 128); put<<<1, 32>>>(a); put<<<2, 16>>>(a); "
    "return cudaFree(a); }\n";

TEST(ProgramResults, TheOutputOfAFailingProgramIsPrintedAsItWasWritten) {
    const tests::Ended ended =
        run("#include <cstdio>\nint main() { printf(\"one\\n  two\\n\"); return 3; }\n",
            "tilereel run p.cu");
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_EQ(ended.out, "one\n  two\n");
    EXPECT_THAT(ended.err, HasSubstr("tilereel run: The program ended with exit code 3."));
    EXPECT_THAT(ended.err, Not(HasSubstr("  two")));
}

TEST(ProgramResults, AReportWithoutALaunchFails) {
    const char* const program = "#include <cstdio>\nint main() { puts(\"nothing to do\"); }\n";
    const tests::Ended report = run(program, "tilereel report p.cu");
    EXPECT_EQ(report.exit_code, 1);
    EXPECT_THAT(report.out, HasSubstr("nothing to do"));
    EXPECT_THAT(report.err, HasSubstr("tilereel report: the program launched no kernel"));
    const tests::Ended json = run(program, "tilereel report p.cu --json");
    EXPECT_EQ(json.exit_code, 1);
    EXPECT_THAT(json.out, HasSubstr("\"launches\": []"));
    EXPECT_EQ(run(program, "tilereel run p.cu").exit_code, 0);
}

TEST(ProgramResults, AReportOfLaunchesThatNeverRanFails) {
    const tests::Ended ended =
        run("__global__ void k() {}\nint main() { k<<<1, 2000>>>(); }\n", "tilereel report p.cu");
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 0: k"));
    EXPECT_THAT(ended.err, HasSubstr("no launch of the program was recorded"));
}

// The program finds its recordings by the descriptors and folders that it sees.
TEST(ProgramResults, AChangedRecordingIsToldAndTheOthersAreKept) {
    const std::string program =
        "#include <cstdlib>\n#include <string>\n#include <unistd.h>\n"
        "__global__ void put(int* a) { a[threadIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 128); put<<<1, 32>>>(a);\n"
        "std::string r = getenv(\"TILEREEL_RECORD\"); r = r.substr(7, r.find(';') - 7);\n"
        "if (truncate((r + \"/launch_0.npz\").c_str(), 100)) return 9;\n"
        "put<<<2, 16>>>(a); cudaFree(a); sleep(1); }\n";
    // A report reads a recording as soon as it is there, perhaps before the program changes it.
    const tests::Ended report = run(program, "tilereel report p.cu --trust");
    EXPECT_THAT(report.out, HasSubstr("LAUNCH 1: put"));
    EXPECT_THAT(report.out + report.err, Not(HasSubstr(".npz")));
    if (report.exit_code != 0) {
        EXPECT_THAT(report.out, HasSubstr("Not recorded: the program has changed the file"));
        EXPECT_THAT(report.err, HasSubstr("the program has changed the recordings of 1 launch"));
    }
    const tests::Ended trace = run(program, "tilereel trace p.cu --trust -o t.npz; ls");
    EXPECT_THAT(trace.out, HasSubstr("t_1.npz: put"));
    EXPECT_THAT(trace.out, Not(HasSubstr("t_0.npz")));
    EXPECT_THAT(trace.err, HasSubstr("the program has changed the recordings of 1 launch"));
    EXPECT_THAT(trace.err, Not(HasSubstr("/launch_0")));
}

TEST(ProgramResults, TracesOfSeveralLaunchesAreNumbered) {
    const tests::Ended ended = run(kTwoLaunches, "tilereel trace p.cu -o run.npz; ls");
    EXPECT_THAT(ended.out, HasSubstr("run_0.npz\nrun_1.npz\n")) << ended.err;
    const tests::Ended one = run(kTwoLaunches, "tilereel trace p.cu --launch 1 -o run.npz; ls");
    EXPECT_THAT(one.out, HasSubstr("\nrun.npz\n")) << one.err;
    for (const char* const name : {"/dev/full", "/dev/null", "/tmp", "/tmp/"}) {
        const tests::Ended refused =
            run(kTwoLaunches, std::string("tilereel trace p.cu -o ") + name);
        EXPECT_EQ(refused.exit_code, 1) << name;
        EXPECT_THAT(refused.err, HasSubstr(std::string("cannot write '") + name + "': it is "));
    }
}

// Each launch costs a millisecond or two, and an interrupt need not wait for the traces of all.
TEST(ProgramResults, AnInterruptEndsTheWritingOfManyTraces) {
    const tests::Ended ended =
        run("__global__ void put(int* a, int i) { a[i] = i; }\n"
            "int main() { int* a; cudaMalloc(&a, 32768); for (int i = 0; i < 3000; ++i) "
            "put<<<1, 1>>>(a, i); return cudaFree(a); }\n",
            "mkdir t; \"" TILEREEL_PROGRAM
            "\" trace p.cu -o t/t.npz > out 2>&1 & id=$!\n"
            "for i in $(seq 6000); do [ -e t/t_9.npz ] && break; sleep 0.01; done\n"
            "begin=$(date +%s%N); kill -TERM $id; wait $id; echo code $?; cat out\n"
            "echo took $(( ($(date +%s%N) - begin) / 1000000000 )) s");
    EXPECT_THAT(ended.out, HasSubstr("code 143"));
    EXPECT_THAT(ended.out, HasSubstr("t/t_9.npz: put"));
    EXPECT_THAT(ended.out, HasSubstr("interrupted; the traces of "));
    EXPECT_THAT(ended.out, testing::ContainsRegex("took [0-9] s"));
}

}  // namespace
}  // namespace tilereel::program_results_test
