// How programs are started.
#include "instrumentation/program/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "instrumentation/program/occupied_bytes.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::program::process_test {
namespace {

int fork_handler_calls = 0;

// OpenBLAS ends its threads in a fork handler. With fork(), a recording that began during a product
// would wait for it, and two recordings would deadlock.
TEST(RunProcess, RunsNoForkHandlerOfALibrary) {
    ASSERT_EQ(pthread_atfork([] { ++fork_handler_calls; }, nullptr, nullptr), 0);
    const pid_t child = fork();  // shows that the handler is there
    if (child == 0) _exit(0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    ASSERT_EQ(fork_handler_calls, 1);

    ProcessRequest request;
    request.command = {"echo", "done"};
    const Result<ProcessResult> run = run_process(request);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "done\n");
    EXPECT_EQ(fork_handler_calls, 1);
}

Result<ProcessResult> run_confined(const std::string& script) {
    ProcessRequest request;
    request.command = {"sh", "-c", script};
    request.seconds = 20;
    request.confined = true;
    return run_process(request);
}

TEST(RunProcess, AConfinedProgramCannotSignalItsParentOrAnOlderProcess) {
    const pid_t older = fork();
    if (older == 0)
        for (;;) pause();
    const std::string parent = std::to_string(getpid()), other = std::to_string(older);
    const Result<ProcessResult> run = run_confined(
        "for p in " + parent + " " + other +
        "; do for s in STOP TERM KILL; do kill -$s $p 2>/dev/null && echo $p $s; done; done\n"
        "sleep 100 & kill $! && echo own");
    kill(older, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(older, &status, 0), older);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "own\n");
}

// Not as a privileged user, either.
TEST(RunProcess, AConfinedProgramCannotReachItsParent) {
    const int priority = getpriority(PRIO_PROCESS, 0);  // the tests may run under `nice`
    const Result<ProcessResult> run = run_confined(
        "for f in mem environ fd/2; do (exec 3<>/proc/$PPID/$f) 2>/dev/null && echo $f; done\n"
        "renice -n 19 -p $PPID >/dev/null 2>&1 && echo slower\n"
        "renice -n 19 -p 0 >/dev/null 2>&1 && echo itself");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "itself\n");
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), priority);
}

// setsid leaves the group, env -i removes the environment, and the shell between ends at once.
TEST(RunProcess, NoDescendantOutlivesAConfinedProgram) {
    const Result<ProcessResult> run =
        run_confined("(env -i setsid sh -c 'echo $$; exec sleep 100' &) ; sleep 0.3");
    ASSERT_TRUE(run);
    const pid_t left = std::atoi(run->output.c_str());
    ASSERT_GT(left, 0);
    EXPECT_EQ(kill(left, 0), -1);
}

// The limits in `together` of a confined shell with this script, and what it exceeded.
std::string exceeded_limit(const std::string& script, GroupLimits together) {
    ProcessRequest request;
    request.command = {"sh", "-c", "echo $$; " + script};
    request.folder = testing::TempDir();
    request.confined = true;
    request.together = std::move(together);
    const Result<ProcessResult> run = run_process(request);
    if (!run) return run.error().message;
    EXPECT_EQ(run->end, ProcessEnd::kLimit);
    EXPECT_EQ(kill(-std::atoi(run->output.c_str()), 0), -1) << "a process is left";
    return run->limit;
}
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kPlenty = std::uint64_t{1} << 40;

// Each process starts two others, 9 deep; each asks for a session of its own.
TEST(RunProcess, TooManyProcessesEndTheProgram) {
    EXPECT_EQ(exceeded_limit("f() { [ $1 -gt 0 ] && { f $(($1 - 1)) & f $(($1 - 1)) & }\n"
                             "setsid sleep 100; }; f 9; sleep 100",
                             {40, kPlenty, kPlenty, {}}),
              "it had more than 40 processes at once; let it start fewer");
}

// Each of them has 10 MiB. The memory that all have from the first one counts once.
TEST(RunProcess, ProcessesThatUseTooMuchMemoryTogetherEndTheProgram) {
    const std::string take = "x=$(head -c 10485760 /dev/zero | tr '\\0' x); ";
    EXPECT_EQ(exceeded_limit("for i in 1 2 3 4 5 6; do (" + take + "sleep 100; :) & done; wait",
                             {100, 50 * kMiB, kPlenty, {}}),
              "it used more than 50 MiB of memory; give it less to do");
    ProcessRequest request;
    request.command = {"sh", "-c",
                       take +
                           "for i in 1 2 3 4 5 6; do sleep 0.5 & done; "
                           "(sleep 1; :) & (sleep 1; :) & (sleep 1; :) & "
                           "(sleep 1; :) & (sleep 1; :) & wait; echo done"};
    request.confined = true;
    request.together = {100, 50 * kMiB, kPlenty, {}};
    const Result<ProcessResult> run = run_process(request);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "done\n") << run->limit;
}

TEST(RunProcess, ManyFilesThatAreTooMuchTogetherEndTheProgram) {
    EXPECT_EQ(exceeded_limit("while :; do head -c 1048576 /dev/zero > written; done",
                             {100, kPlenty, 20 * kMiB, {}}),
              "it wrote more than 20 MiB; let it write less");
    std::filesystem::remove(std::filesystem::path(testing::TempDir()) / "written");
}

// A file takes what it occupies, however it came to that.
TEST(OccupiedBytes, CountFilesThatNobodyHasWritten) {
    const tests::ScratchFolder folder;
    std::filesystem::create_directory(folder / "below");
    const int reserved = open((folder / "below/reserved").c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_EQ(posix_fallocate(reserved, 0, 3 * kMiB), 0);
    close(reserved);
    std::ofstream(folder / "holes").put('x');
    std::filesystem::resize_file(folder / "holes", kPlenty);
    for (int i = 0; i < 100; ++i) std::ofstream(folder / std::to_string(i));
    OccupiedBytes occupied;
    occupied.add_folder(folder.path());
    constexpr std::uint64_t kPage = 4096;
    EXPECT_GE(occupied.total(), 3 * kMiB + 101 * kPage);
    EXPECT_LT(occupied.total(), 4 * kMiB);
}

TEST(OccupiedBytes, CountAFileWithoutANameOnce) {
    const int file = memfd_create("x", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, 5 * kMiB), 0);
    void* const bytes = mmap(nullptr, 5 * kMiB, PROT_WRITE, MAP_SHARED, file, 0);
    ASSERT_NE(bytes, MAP_FAILED);
    std::memset(bytes, 1, 5 * kMiB);
    munmap(bytes, 5 * kMiB);
    const int processes = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    OccupiedBytes occupied;
    for (int i = 0; i < 2; ++i) occupied.add_unnamed_files(processes, std::to_string(getpid()));
    EXPECT_GE(occupied.total(), 5 * kMiB);
    EXPECT_LT(occupied.total(), 9 * kMiB);
    close(processes);
    close(file);
}

TEST(RunProcess, WhatLiesInTheFolderEndsTheProgram) {
    const tests::ScratchFolder folder;
    std::ofstream(folder / "large") << std::string(3 * kMiB, 'x');
    EXPECT_EQ(exceeded_limit("sleep 100", {100, kPlenty, 2 * kMiB, {}, folder.path()}),
              "it wrote more than 2 MiB; let it write less");
}

// A reservation would fill a disk before anyone sees it.
TEST(RunProcess, AConfinedProgramReservesNoRoom) {
    ProcessRequest request;
    request.command = {"sh", "-c", "fallocate -l 1000000 reserved 2>&1; rm -f reserved"};
    request.folder = testing::TempDir();
    request.confined = true;
    const Result<ProcessResult> run = run_process(request);
    ASSERT_TRUE(run);
    EXPECT_NE(run->output.find("not supported"), std::string::npos) << run->output;
}

// The kernel ends the program and all that it has started, whatever becomes of the process that
// opened it.
TEST(RunProcess, NoDescendantOutlivesAKilledParent) {
    int numbers[2];
    ASSERT_EQ(pipe(numbers), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        close(numbers[0]);
        ProcessRequest request;
        request.command = {"sh", "-c",
                           "(env -i setsid sh -c 'echo $$ >&3; exec sleep 100' &); "
                           "echo $$ >&3; exec sleep 100"};
        request.on_message = [&](const std::string& line) {
            static_cast<void>(!write(numbers[1], (line + "\n").c_str(), line.size() + 1));
        };
        request.confined = true;
        static_cast<void>(run_process(request));
        _exit(0);
    }
    close(numbers[1]);
    std::vector<pid_t> processes;
    for (std::string line; processes.size() < 2;) {
        char c = 0;
        ASSERT_EQ(read(numbers[0], &c, 1), 1);
        if (c != '\n')
            line += c;
        else
            processes.push_back(std::atoi(std::exchange(line, {}).c_str()));
    }
    close(numbers[0]);
    kill(parent, SIGKILL);
    ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
    for (const pid_t process : processes) {
        std::string state;
        for (int i = 0; i < 500 && state.find("\nState:\tZ") == std::string::npos; ++i) {
            std::ifstream status("/proc/" + std::to_string(process) + "/status");
            if (!status) break;
            state.assign(std::istreambuf_iterator<char>(status), {});
            usleep(10'000);
        }
        EXPECT_TRUE(kill(process, 0) != 0 || state.find("\nState:\tZ") != std::string::npos)
            << state;
    }
}

TEST(RunProcess, AProgramGetsNoDescriptorsOfItsParent) {
    const int own = dup(STDERR_FILENO);
    ProcessRequest request;
    request.command = {"sh", "-c",
                       "test -e /proc/self/fd/" + std::to_string(own) + " || echo closed"};
    const Result<ProcessResult> run = run_process(request);
    close(own);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "closed\n");
}

// A shell takes the first of two variables with one name.
TEST(RunProcess, AVariableReplacesThatOfTheParent) {
    setenv("TILEREEL_TESTED", "of the parent", 1);
    ProcessRequest request;
    request.command = {"sh", "-c", "echo $TILEREEL_TESTED; env | grep -c TILEREEL_TESTED"};
    request.variables = {{"TILEREEL_TESTED", "of the request"}};
    const Result<ProcessResult> run = run_process(request);
    unsetenv("TILEREEL_TESTED");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "of the request\n1\n");
}

TEST(RunProcess, EndlessMessagesEndTheProgram) {
    ProcessRequest request;
    request.command = {"sh", "-c", "exec cat /dev/zero >&3"};
    std::size_t longest = 0;
    request.on_message = [&](const std::string& line) { longest = std::max(longest, line.size()); };
    const Result<ProcessResult> run = run_process(request);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kMessages);
    EXPECT_LE(longest, kMostLineBytes);
}

TEST(RunProcess, AnExitCodeOf127IsTheProgramsOwn) {
    ProcessRequest request;
    request.command = {"sh", "-c", "echo done; exit 127"};
    const Result<ProcessResult> run = run_process(request);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->code, 127);
    EXPECT_EQ(run->output, "done\n");
}

TEST(RunProcess, AProgramThatCannotBeRunIsNamedWithTheReason) {
    ProcessRequest request;
    request.command = {"/missing/program"};
    EXPECT_EQ(run_process(request).error().message,
              "cannot run /missing/program: No such file or directory");
    request.command = {"/etc/passwd"};
    EXPECT_NE(run_process(request).error().message.find("Permission denied; if its folder is"),
              std::string::npos);
}

}  // namespace
}  // namespace tilereel::program::process_test
