// How programs are started.
#include "instrumentation/plain/process.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tilereel::plain::process_test {
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

// setsid leaves the group, env -i removes the environment, and the shell between ends at once.
TEST(RunProcess, NoDescendantOutlivesAConfinedProgram) {
    const Result<ProcessResult> run =
        run_confined("(env -i setsid sh -c 'echo $$; exec sleep 100' &) ; sleep 0.3");
    ASSERT_TRUE(run);
    const pid_t left = std::atoi(run->output.c_str());
    ASSERT_GT(left, 0);
    EXPECT_EQ(kill(left, 0), -1);
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
}  // namespace tilereel::plain::process_test
