// How programs are started.
#include "instrumentation/plain/process.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

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
