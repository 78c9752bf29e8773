// Programs that close or replace descriptors which they did not open, and programs that end in
// unusual ways: every launch is listed, or a sentence says that launches can be missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::message_pipe_test {
namespace {

using testing::HasSubstr;

// Launches a kernel, does what its argument says, and launches the kernel again.
constexpr const char* kProgram = R"(#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
void launch() {
    int* a;
    cudaMalloc(&a, 128);
    put<<<1, 32>>>(a);
    cudaFree(a);
}
constexpr int kMost = 8192;
char path[] = "/proc/self/exe", again[] = "again";
char* words[] = {path, again, nullptr};
char* nothing[] = {nullptr};
void change_descriptors(const std::string& what) {
    const int other = open("other", O_RDWR | O_CREAT, 0600);
    if (what == "close") for (int i = 3; i < kMost; ++i) close(i);
    if (what == "close_range") close_range(3, ~0u, 0);
    if (what == "close on exec") close_range(3, ~0u, 4);
    if (what == "closefrom") closefrom(3);
    if (what == "dup2") for (int i = 3; i < kMost; ++i) if (i != other) dup2(other, i);
    if (what == "dup3") for (int i = 3; i < kMost; ++i) if (i != other) dup3(other, i, O_CLOEXEC);
    if (what == "without waiting") for (int i = 3; i < kMost; ++i) fcntl(i, F_SETFL, O_NONBLOCK);
    if (what == "close call") syscall(SYS_close_range, 3u, ~0u, 0);
    if (what == "dup call") for (int i = 3; i < kMost; ++i) if (i != other) syscall(SYS_dup3, other, i, 0);
    if (what == "all but nothing") {
        syscall(SYS_close_range, 0u, ~0u, 0);
        for (int i = 0; i < kMost; ++i) open("/dev/null", O_RDWR);
    }
}
void change_process(const std::string& what) {
    if (what == "exec itself") execv(path, words);
    if (what == "exec itself without variables") execve(path, words, nothing);
    if (what == "exec") execlp("true", "true", nullptr);
    if (what == "daemon" && daemon(1, 1) != 0) abort();
    if (what == "fork" && fork() == 0) for (;;) sleep(1);
}
void end(const std::string& what) {
    if (what == "_exit") _exit(0);
    if (what == "_exit at exit") atexit([] { _exit(0); });
    if (what == "quick_exit") quick_exit(0);
    if (what == "exit call") syscall(SYS_exit_group, 0);
    if (what == "kill") raise(SIGKILL);
    if (what == "launch at exit") atexit(launch);
}
int main(int, char** arguments) {
    const std::string what = arguments[1];
    if (what != "exec itself") launch();
    change_descriptors(what);
    change_process(what);
    launch();
    end(what);
}
)";

class MessagePipe : public Program {
  protected:
    MessagePipe() {
        request_.file = folder_ / "program.cu";
        std::ofstream(request_.file) << kProgram;
    }
    Result<ProgramRun> run_with(const std::string& argument) {
        if (!built_) built_ = build_program(request_);
        request_.arguments = {argument};
        return run_built(*built_, request_);
    }
    void expect_sentence(const std::string& argument, const std::string& words) {
        const Result<ProgramRun> run = run_with(argument);
        ASSERT_FALSE(run) << argument << ": " << run->launches.size() << " launches";
        EXPECT_THAT(run.error().message, HasSubstr(words)) << argument;
    }
    Result<BuiltProgram> built_ = failed("not built");
};

TEST_F(MessagePipe, OutlivesWhatTheProgramDoesToDescriptors) {
    for (const char* const what :
         {"close", "close_range", "close on exec", "closefrom", "dup2", "dup3", "without waiting",
          "exec itself", "_exit", "_exit at exit", "quick_exit"}) {
        const Result<ProgramRun> run = run_with(what);
        ASSERT_TRUE(run) << what << ": " << run.error().message;
        EXPECT_EQ(run->launches.size(), 2u) << what;
        EXPECT_EQ(run->exit_code, 0) << what;
        EXPECT_TRUE(run->findings.empty()) << what << ": " << run->findings[0].what;
    }
}

TEST_F(MessagePipe, ALaunchAfterMainIsRecorded) {
    const Result<ProgramRun> run = run_with("launch at exit");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->end_sentence, "The program ended.");
    EXPECT_EQ(run->launches.size(), 3u);
}

TEST_F(MessagePipe, LostMessagesAreAFailure) {
    for (const char* const what : {"close call", "dup call", "all but nothing"})
        expect_sentence(what, "its messages do not reach Tilereel");
    for (const char* const what : {"exec itself without variables", "exec", "daemon", "exit call"})
        expect_sentence(what, "launches can be missing");
}

TEST_F(MessagePipe, AProgramThatIsKilledKeepsItsLaunches) {
    const Result<ProgramRun> run = run_with("kill");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->launches.size(), 2u);
    EXPECT_EQ(run->end_sentence, "The program crashed: Killed.");
}

TEST_F(MessagePipe, AProcessThatStillRunsAtTheEndIsNamed) {
    const Result<ProgramRun> run = run_with("fork");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->findings.size(), 1u);
    EXPECT_THAT(run->findings[0].what, HasSubstr("started with fork() still ran"));
}

// What the program does to its own recording is told as that.
TEST_F(MessagePipe, AProgramThatPreventsItsRecordingIsToldSo) {
    request_.file = folder_ / "prevents.cu";
    std::ofstream(request_.file) << R"(#include <sys/mman.h>
#include <sys/resource.h>
#include <cstdlib>
#include <cstring>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    const rlimit few{HARD};
    rlimit now;
    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = 1;
    switch (HOW) {
        case 0: setrlimit(RLIMIT_FSIZE, &few); break;
        case 1: setrlimit(RLIMIT_NOFILE, &few); break;
        case 2: std::system("rm -rf \"$(dirname $(readlink /proc/$PPID/exe))\""); break;
        case 3: munmap(a, 4096); break;
        case 4: setrlimit(RLIMIT_FSIZE, &now); break;
    }
    put<<<1, 32>>>(a);
    rlimit after;
    getrlimit(RLIMIT_FSIZE, &after);
    return after.rlim_cur == 1 ? 7 : 0;
}
)";
    const auto run_as = [this](const char* how) {
        request_.defines = {"HARD=0,0", std::string("HOW=") + how};
        return run_program(request_);
    };
    const std::pair<const char*, const char*> cases[] = {
        {"0", "the program limits the size of its files to 0 bytes with setrlimit()"},
        {"1", "the program may open no more files"},
        {"2", "the program has removed the folder of its own recording"},
        {"3", "the program has removed memory of the GPU with munmap()"}};
    for (const auto& [how, sentence] : cases) {
        const Result<ProgramRun> run = run_as(how);
        ASSERT_FALSE(run) << sentence;
        EXPECT_TRUE(run.error().message.starts_with(sentence)) << run.error().message;
    }
    // A limit that the program may raise again holds for the program alone.
    const Result<ProgramRun> run = run_as("4");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->launches.size(), 1u);
    EXPECT_FALSE(run->launches[0].trace.empty());
    EXPECT_EQ(run->exit_code, 7);
}

}  // namespace
}  // namespace tilereel::program::message_pipe_test
