// A program that is opened on the command line runs in a sandbox, unless it is trusted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/program/stranger.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::sandboxed_program_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A home with a key, and a program that reads it, a file beside itself, and writes one.
class SandboxedProgram : public ::testing::Test {
  protected:
    void SetUp() override {
        if (const std::string& why = program::why_no_sandbox(); !why.empty()) GTEST_SKIP() << why;
        std::filesystem::create_directory(home_ / "work");
        write_bytes(home_ / "key", "the-secret-word");
        write_bytes(home_ / "work" / "data.txt", "its own data");
        write_bytes(home_ / "work" / "own.h", "constexpr int kThreads = 32;\n");
        write_bytes(home_ / "work" / "program.cu", R"(#include "own.h"
#include <cstdio>
__global__ void k(int* x) { x[threadIdx.x] = 1; }
void show(const char* name) {
    char text[32] = "nothing";
    if (FILE* file = fopen(name, "r")) fgets(text, sizeof text, file);
    printf("%s\n", text);
}
int main(int, char** words) {
    int* x;
    cudaMalloc(&x, kThreads * sizeof *x);
    k<<<1, kThreads>>>(x);
    cudaFree(x);
    show("data.txt");
    show(")" + (home_ / "key").string() + R"(");
    FILE* written = fopen("written.txt", "w");
    return written ? 0 : 3;
}
)");
    }
    // `before`: for the shell, such as a variable. What is compiled once for all programs lies
    // where the other tests have it, because compiling it takes seconds.
    Ended in_home(const std::string& call, const std::string& before = "") {
        return shell("export XDG_CACHE_HOME=\"${XDG_CACHE_HOME:-$HOME/.cache}\" HOME='" +
                         home_.path().string() + "' XDG_STATE_HOME='" + (home_ / "state").string() +
                         "'\n" + before + "tilereel " + call,
                     home_ / "work");
    }
    [[nodiscard]] bool has_written() const {
        return std::filesystem::exists(home_ / "work" / "written.txt");
    }

    ScratchFolder home_;
};

// Process 1 of a sandbox is bubblewrap: its variables can be read in it, and so it has none of the
// user's. What the kernel is told under /proc/sys cannot be changed, by root either.
TEST_F(SandboxedProgram, SeesNoVariablesAndChangesNothingOfTheKernel) {
    write_bytes(home_ / "work" / "program.cu", R"(#include <cstdio>
int main() {
    char text[4096] = "";
    FILE* file = fopen("/proc/1/environ", "r");
    const size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    for (size_t i = 0; i < size; ++i) putchar(text[i] ? text[i] : '\n');
    printf("kernel %s\n", fopen("/proc/sys/vm/swappiness", "w") ? "open" : "closed");
}
)");
    const Ended ran = in_home("run program.cu", "export A_TOKEN=the-secret-word\n");
    EXPECT_THAT(ran.out, HasSubstr("PATH="));
    EXPECT_THAT(ran.out, HasSubstr("kernel closed"));
    EXPECT_THAT(ran.out, Not(HasSubstr("secret")));
    EXPECT_THAT(ran.out, Not(HasSubstr(home_.path().string())));
}

TEST_F(SandboxedProgram, OpensByALinkToo) {
    std::filesystem::create_directory(home_ / "elsewhere");
    write_bytes(home_ / "elsewhere" / "real.cu", "int main() { __builtin_puts(\"it ran\"); }\n");
    std::filesystem::create_symlink("../elsewhere/real.cu", home_ / "work" / "near.cu");
    std::filesystem::create_symlink(home_ / "elsewhere" / "real.cu", home_ / "work" / "far.cu");
    EXPECT_THAT(in_home("run near.cu").out, HasSubstr("it ran"));
    EXPECT_THAT(in_home("run far.cu").out, HasSubstr("it ran"));
}

TEST_F(SandboxedProgram, ReadsItsFolderAloneAndWritesNothing) {
    // The cache is in the home, as a user's is.
    const Ended ran = in_home("run program.cu", "unset XDG_CACHE_HOME\n");
    EXPECT_THAT(ran.out, HasSubstr("its own data"));
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("secret")));
    EXPECT_THAT(ran.err, HasSubstr("exit code 3"));
    EXPECT_THAT(ran.err, HasSubstr("in a sandbox"));
    EXPECT_THAT(ran.err, HasSubstr("--trust"));
    EXPECT_FALSE(has_written());
    const Ended reported = in_home("report program.cu");
    EXPECT_THAT(reported.out, HasSubstr("exit code 3"));
    EXPECT_THAT(reported.err, HasSubstr("--trust"));
    EXPECT_FALSE(has_written());
}

TEST_F(SandboxedProgram, WithTrustItHasItsUsersRights) {
    const Ended ran = in_home("run program.cu --trust");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("the-secret-word"));
    EXPECT_THAT(ran.err, Not(HasSubstr("sandbox")));
    EXPECT_TRUE(has_written());
    // The call is not remembered.
    EXPECT_THAT(in_home("run program.cu").err, HasSubstr("exit code 3"));
}

TEST_F(SandboxedProgram, ARememberedFolderIsTrusted) {
    std::filesystem::create_directories(home_ / "state" / "tilereel");
    write_bytes(home_ / "state" / "tilereel" / "trusted.json",
                "{\"folders\": [\"" + (home_ / "work").string() + "\"]}");
    const Ended ran = in_home("run program.cu");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("the-secret-word"));
}

// A header outside of the folder is refused with its line and what to do.
TEST_F(SandboxedProgram, AHeaderOfTheHomeIsRefused) {
    write_bytes(home_ / "work" / "program.cu", "\n#include \"../key\"\nint main() {}\n");
    const Ended ran = in_home("report program.cu");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("program.cu:2"));
    EXPECT_THAT(ran.err, HasSubstr("with --trust, of all folders"));
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("secret")));
}

// Without bubblewrap it runs as before, and a sentence says so: once for a user.
TEST_F(SandboxedProgram, WithoutBubblewrapItRunsAndSaysSoOnce) {
    const std::string before =
        "mkdir tools && ln -s /usr/bin/* tools 2>/dev/null\nrm -f tools/bwrap\n"
        "export PATH=\"$PWD/tools\"\n";
    const Ended first = in_home("run program.cu", before);
    EXPECT_EQ(first.exit_code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("the-secret-word"));
    EXPECT_THAT(first.err, HasSubstr("programs run with your rights"));
    EXPECT_THAT(first.err, HasSubstr("apt-get install bubblewrap"));
    const Ended second = in_home("run program.cu", "export PATH=\"$PWD/tools\"\n");
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_EQ(second.err, "");
}

// A race runs outside a sandbox, so a stranger's program does not race.
TEST_F(SandboxedProgram, ARaceWantsTrust) {
    const Ended refused = in_home("race program.cu");
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("program.cu would race with your rights"));
    EXPECT_FALSE(has_written());
    const Ended trusted = in_home("race --trust program.cu --library own.so");
    EXPECT_THAT(trusted.err, Not(HasSubstr("your rights")));
}

}  // namespace
}  // namespace tilereel::tests::sandboxed_program_test
