// What a program in a sandbox sees and can do, and that it is recorded as outside. Each test that
// says "not" tries the same outside, too, where it works.
#include "instrumentation/program/sandbox.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "instrumentation/program/process.h"
#include "instrumentation/program/stranger.h"
#include "tests/program/program_fixture.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::program::sandbox_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Sandboxed : public Program {
  protected:
    void SetUp() override {
        if (const std::string& why = why_no_sandbox(); !why.empty()) GTEST_SKIP() << why;
        std::ofstream(secrets_ / "key") << "the-secret-word\n";
        request_.in_sandbox = true;
    }
    std::string run_script(const std::string& script, std::optional<Sandbox> sandbox) {
        ProcessRequest request;
        request.command = {"bash", "-c", script};
        request.folder = folder_;
        request.seconds = 60;
        request.confined = true;
        request.sandbox = std::move(sandbox);
        const Result<ProcessResult> run = run_process(request);
        EXPECT_TRUE(run);
        return run ? run->output : "";
    }
    [[nodiscard]] std::string key() const { return (secrets_ / "key").string(); }

    tests::ScratchFolder secrets_;
};

TEST_F(Sandboxed, FilesOfTheUserAreNotThere) {
    const std::string script =
        "cat " + key() + " /etc/shadow /root/.bashrc 2>/dev/null; ls -A /home /root /tmp";
    EXPECT_THAT(run_script(script, std::nullopt), HasSubstr("the-secret-word"));
    const std::string seen = run_script(script + " /run /var 2>&1", Sandbox{});
    EXPECT_THAT(seen, Not(HasSubstr("secret")));
    EXPECT_THAT(seen, Not(HasSubstr("root:")));
    for (const char* const folder : {"/home", "/root", "/run", "/var"})
        EXPECT_THAT(seen, HasSubstr("'" + std::string(folder) + "': No such file")) << folder;
}

TEST_F(Sandboxed, NothingCanBeWrittenButInTheFolderThatIsNamed) {
    const std::filesystem::path mine = folder_ / "mine";
    std::filesystem::create_directory(mine);
    const std::string script = "for f in /usr/x /etc/x /x /dev/x " + (folder_ / "x").string() +
                               " " + (mine / "x").string() +
                               "; do (echo 1 > $f) 2>/dev/null && echo wrote $f; done";
    const std::string wrote =
        run_script(script, Sandbox{.readable = {folder_}, .writable = {mine}});
    EXPECT_THAT(wrote, HasSubstr("wrote " + (mine / "x").string()));
    for (const char* const other : {"/usr", "/etc", " /x", "/dev"})
        EXPECT_THAT(wrote, Not(HasSubstr(other)));
    EXPECT_TRUE(std::filesystem::exists(mine / "x"));
    for (const char* const other : {"/usr/x", "/etc/x", "/x"})
        EXPECT_FALSE(std::filesystem::exists(other)) << other;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
}

TEST_F(Sandboxed, NoOtherProcessAndNoVariableIsSeen) {
    setenv("TILEREEL_TEST_TOKEN", "the-secret-word", 1);
    const std::string script =
        "env; for p in /proc/[0-9]*; do echo process ${p#/proc/}; done; kill -9 1; echo still";
    EXPECT_THAT(run_script("env", std::nullopt), HasSubstr("the-secret-word"));
    const std::string seen = run_script(script, Sandbox{});
    unsetenv("TILEREEL_TEST_TOKEN");
    EXPECT_THAT(seen, Not(HasSubstr("secret")));
    EXPECT_THAT(seen, HasSubstr("process 1\n"));
    EXPECT_THAT(seen, HasSubstr("process " + std::to_string(kFirstInSandbox) + "\n"));
    EXPECT_THAT(seen, Not(HasSubstr("process " + std::to_string(kFirstInSandbox + 1))));
    EXPECT_THAT(seen, HasSubstr("still"));
}

TEST_F(Sandboxed, ThereIsNoNetwork) {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    ASSERT_EQ(listen(listening, 4), 0);
    ASSERT_EQ(getsockname(listening, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
    const std::string script = "(exec 3<>/dev/tcp/127.0.0.1/" +
                               std::to_string(ntohs(address.sin_port)) +
                               ") 2>/dev/null && echo connected";
    EXPECT_EQ(run_script(script, std::nullopt), "connected\n");
    EXPECT_EQ(run_script(script, Sandbox{}), "");
    close(listening);
}

TEST_F(Sandboxed, NoProcessIsLeft) {
    const std::string seen =
        run_script("(setsid sleep 4321 &); sleep 0.2; echo started", Sandbox{});
    EXPECT_EQ(seen, "started\n");
    EXPECT_EQ(run_script("pgrep -fx 'sleep 4321' || echo none", std::nullopt), "none\n");
}

// When a program has ended, what it left is killed. A compiler in another sandbox is not.
TEST_F(Sandboxed, OthersInTheirSandboxesGoOn) {
    ProcessRequest compiler;
    compiler.command = {"sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 0.2; done; echo done"};
    compiler.folder = folder_;
    compiler.sandbox = Sandbox{};
    std::string output;
    std::jthread other([&] {
        const Result<ProcessResult> run = run_process(compiler);
        output = run ? run->output : run.error().message;
    });
    for (int i = 0; i < 4; ++i) EXPECT_EQ(run_script("echo ended", Sandbox{}), "ended\n");
    other.join();
    EXPECT_EQ(output, "done\n");
}

constexpr const char* kDouble = R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main(int count, char** words) {
    float *x, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[31]);
    fflush(stdout);
    if (count > 1 && *words[1] == 'a') abort();
    if (count > 1 && *words[1] == 's') *(volatile int*)8 = 1;
    return count > 1 ? atoi(words[1]) : 0;
}
)";

TEST_F(Sandboxed, AProgramIsRecordedAndEndsAsOutside) {
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << kDouble;
    std::vector<BuiltProgram> built;
    for (const bool in_sandbox : {false, true}) {
        request_.in_sandbox = in_sandbox;
        const Result<BuiltProgram> made = build_program(request_);
        ASSERT_TRUE(made) << made.error().message;
        ASSERT_FALSE(made->program.empty()) << made->compiler_output;
        built.push_back(*made);
    }
    for (const char* const word : {"", "7", "139", "a", "s"}) {
        request_.arguments = {};
        if (*word != '\0') request_.arguments = {word};
        std::vector<ProgramRun> runs;
        for (const bool in_sandbox : {false, true}) {
            request_.in_sandbox = in_sandbox;
            const Result<ProgramRun> run = run_built(built[in_sandbox ? 1 : 0], request_);
            ASSERT_TRUE(run) << word << run.error().message;
            runs.push_back(*run);
        }
        EXPECT_EQ(runs[1].output, runs[0].output) << word;
        EXPECT_EQ(runs[1].end_sentence, runs[0].end_sentence) << word;
        EXPECT_EQ(runs[1].exit_code, runs[0].exit_code) << word;
        ASSERT_EQ(runs[0].launches.size(), 1u);
        ASSERT_EQ(runs[1].launches.size(), 1u) << word;
        const Trace outside = trace_of(runs[0].launches[0]), inside = trace_of(runs[1].launches[0]);
        EXPECT_EQ(inside.records.base, outside.records.base);
        EXPECT_EQ(inside.words, outside.words);
    }
}

TEST_F(Sandboxed, AnEndlessLoopIsStoppedAndWhatItRecordedIsKept) {
    request_.limits.seconds = 3;
    const ProgramRun ran = run(kEndlessLoop);
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_FALSE(ran.launches[0].trace.empty()) << ran.launches[0].reason;
}

TEST_F(Sandboxed, TheCompilerReadsNothingOfTheUser) {
    for (const std::string& name :
         {"\"" + key() + "\"", "<" + key() + ">", std::string("\"link\"")}) {
        std::filesystem::remove(folder_ / "link");
        std::filesystem::create_symlink(key(), folder_ / "link");
        const ProgramRun ran = run("#include " + name + "\nint main() {}\n");
        ASSERT_FALSE(ran.compile_errors.empty()) << name;
        EXPECT_EQ(ran.compile_errors[0].line, 1u);
        std::string said = ran.output;
        for (const CompileError& error : ran.compile_errors) said += error.message;
        EXPECT_THAT(said, Not(HasSubstr("secret"))) << name;
    }
    // What g++ reads by itself: no file of the text pass names it.
    const ProgramRun ran = run("asm(\".incbin \\\"" + key() + "\\\"\");\nint main() {}\n");
    EXPECT_FALSE(ran.compile_errors.empty());
    // Its own files are there.
    std::ofstream(folder_ / "own.h") << "constexpr int kOwn = 3;\n";
    EXPECT_EQ(run("#include \"own.h\"\nint main() { return kOwn; }\n").exit_code, 3);
}

// In the home folder, a program has its own file alone.
TEST_F(Sandboxed, TheHomeIsNotReadable) {
    const char* const before = std::getenv("HOME");
    const std::string home = before != nullptr ? before : "";
    setenv("HOME", folder_.c_str(), 1);
    std::ofstream(folder_ / "secret.h") << "constexpr int kSecret = 3;\n";
    const ProgramRun refused = run("#include \"secret.h\"\nint main() {}\n");
    const ProgramRun alone = run("#include <cstdio>\nint main() { return fopen(\"" +
                                 (folder_ / "secret.h").string() + "\", \"r\") ? 1 : fopen(\"" +
                                 (folder_ / "program.cu").string() + "\", \"r\") ? 0 : 2; }\n");
    setenv("HOME", home.c_str(), 1);
    ASSERT_FALSE(refused.compile_errors.empty());
    EXPECT_THAT(refused.compile_errors[0].message, HasSubstr("home folder"));
    EXPECT_EQ(alone.exit_code, 0) << alone.output;
}

}  // namespace
}  // namespace tilereel::program::sandbox_test
