#include "instrumentation/plain/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

extern char** environ;

namespace tilereel::plain {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return number_; }
    void set(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

struct Pipe {
    Descriptor read, write;
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        read.set(ends[0]);
        write.set(ends[1]);
        return true;
    }
};

// Arguments for exec. They are made before fork, because the child may not allocate memory.
class Words {
  public:
    explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
        for (std::string& word : words_) pointers_.push_back(word.data());
        pointers_.push_back(nullptr);
    }
    [[nodiscard]] char* const* get() const { return pointers_.data(); }

  private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_;
};

std::vector<std::string> environment_of(const ProcessRequest& request) {
    std::vector<std::string> result;
    for (char** variable = environ; *variable != nullptr; ++variable)
        result.emplace_back(*variable);
    for (const auto& [name, value] : request.variables) result.push_back(name + "=" + value);
    return result;
}

void limit(int what, std::uint64_t value) {
    const rlimit set{value, value};
    static_cast<void>(setrlimit(static_cast<__rlimit_resource>(what), &set));
}

// Runs in the child between vfork and exec. The child still shares the memory of its parent, so
// this calls only what is safe there. `*exec_error` tells the parent why nothing was run.
[[noreturn]] void exec_child(const ProcessRequest& request, const Words& command,
                             const Words& environment, const char* folder, int output, int messages,
                             volatile int* exec_error) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    // Duplicated to a number above those that are assigned below.
    const int memory =
        request.memory_file < 0 ? -1 : fcntl(request.memory_file, F_DUPFD_CLOEXEC, kMemoryFile + 1);
    if (messages >= 0) {
        if (messages == kMessagePipe)
            fcntl(messages, F_SETFD, 0);
        else
            dup2(messages, kMessagePipe);
    }
    if (memory >= 0) dup2(memory, kMemoryFile);
    limit(RLIMIT_CORE, 0);
    if (request.address_bytes != 0) limit(RLIMIT_AS, request.address_bytes);
    if (request.file_bytes != 0) limit(RLIMIT_FSIZE, request.file_bytes);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (*folder == 0 || chdir(folder) == 0)
        execvpe(command.get()[0], command.get(), environment.get());
    *exec_error = errno;
    _exit(127);
}

class Reader {
  public:
    Reader(const ProcessRequest& request, ProcessResult& result)
        : request_(request), result_(result) {}
    // False at the end of the pipe.
    bool read_output(int from) {
        char buffer[65536];
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count <= 0) return count < 0 && errno == EINTR;
        const std::size_t room = request_.output_bytes > result_.output.size()
                                     ? request_.output_bytes - result_.output.size()
                                     : 0;
        result_.output.append(buffer, std::min(room, static_cast<std::size_t>(count)));
        if (room < static_cast<std::size_t>(count)) result_.output_cut = true;
        return true;
    }
    bool read_messages(int from) {
        char buffer[65536];
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count <= 0) return count < 0 && errno == EINTR;
        line_.append(buffer, static_cast<std::size_t>(count));
        std::size_t begin = 0;
        for (std::size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1)
            request_.on_message(line_.substr(begin, end - begin));
        line_.erase(0, begin);
        return true;
    }

  private:
    const ProcessRequest& request_;
    ProcessResult& result_;
    std::string line_;
};

// Kills all processes that have the mark in their environment. Processes that left the process
// group still have it.
void end_marked(const std::string& mark) {
    const std::string delimited = '\0' + mark + '\0';
    for (int attempt = 0; attempt < 10; ++attempt) {
        bool any = false;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
            const pid_t process = std::atoi(entry.path().filename().c_str());
            if (process <= 1 || process == getpid()) continue;
            std::ifstream file(entry.path() / "environ", std::ios::binary);
            const std::string variables{std::istreambuf_iterator<char>(file), {}};
            if (('\0' + variables).find(delimited) == std::string::npos) continue;
            any = kill(process, SIGKILL) == 0;
        }
        if (!any) return;
    }
}

// Waits for the process and reads what it writes.
void read_until_end(const ProcessRequest& request, pid_t process, int output, int messages,
                    ProcessResult& result) {
    Reader reader(request, result);
    // Becomes readable when the process ends. If the system has no such descriptor, poll() times
    // out.
    const Descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    const auto begin = Clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    bool asked = false;
    double asked_at = 0, heard_at = 0;
    int status = 0;
    for (;;) {
        pollfd ready[3] = {{output, POLLIN, 0}, {messages, POLLIN, 0}, {ended.get(), POLLIN, 0}};
        poll(ready, 3, 20);
        if ((ready[0].revents & (POLLIN | POLLHUP)) != 0 && !reader.read_output(output))
            output = -1;
        if (messages >= 0 && (ready[1].revents & (POLLIN | POLLHUP)) != 0) {
            heard_at = elapsed();
            if (!reader.read_messages(messages)) messages = -1;
        }
        if (waitpid(process, &status, WNOHANG) == process) break;
        const bool cancelled = request.cancel != nullptr && request.cancel->load();
        const bool late = request.seconds > 0 && (elapsed() - heard_at > request.seconds ||
                                                  elapsed() > request.seconds * kWholeRunFactor);
        if ((cancelled || late) && !asked) {
            asked = true;
            asked_at = result.stopped_after = elapsed();
            result.end = cancelled ? ProcessEnd::kCancelled : ProcessEnd::kTimeLimit;
            kill(-process, SIGTERM);  // the program reports where it is
        }
        if (asked && elapsed() - asked_at > (cancelled ? 0.2 : 5)) kill(-process, SIGKILL);
    }
    kill(-process, SIGKILL);  // the processes that it started
    if (!request.mark.empty()) end_marked(request.mark);
    // Reads what is still in the pipes, but not to their end: processes that left the group may
    // keep them open.
    const auto rest = [&](int from, auto&& read_some) {
        for (pollfd ready{from, POLLIN, 0};
             from >= 0 && poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0 && read_some();) {
            if (elapsed() > request.seconds + 2 && request.seconds > 0) break;
        }
    };
    rest(output, [&] { return reader.read_output(output); });
    rest(messages, [&] { return reader.read_messages(messages); });
    if (result.end != ProcessEnd::kExit) return;
    if (WIFSIGNALED(status)) result.end = ProcessEnd::kSignal;
    result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<ProcessResult> run_process(const ProcessRequest& request) {
    Pipe output, messages;
    if (!output.open() || (request.on_message && !messages.open()))
        return failed("cannot create a pipe: " + std::string(std::strerror(errno)) +
                      "; close some programs and try again");
    const Words command(request.command), environment(environment_of(request));
    const std::string folder = request.folder.string();
    const auto begin = Clock::now();
    // Not fork(), for two reasons. It copies the page tables, which takes milliseconds if the
    // caller holds large traces. And it runs the handlers that libraries registered with
    // pthread_atfork(): that of OpenBLAS ends its threads, so a recording would wait for the
    // product that a race computes, and two recordings at once would wait for ever.
    volatile int exec_error = 0;
    const pid_t process = vfork();
    if (process < 0)
        return failed("cannot start a process: " + std::string(std::strerror(errno)) +
                      "; close some programs and try again");
    if (process == 0)
        exec_child(request, command, environment, folder.c_str(), output.write.get(),
                   messages.write.get(), &exec_error);
    setpgid(process, process);
    output.write.close();
    messages.write.close();
    ProcessResult result;
    read_until_end(request, process, output.read.get(), messages.read.get(), result);
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (exec_error != 0)
        return failed("cannot run " + request.command[0] + ": " +
                      std::strerror(static_cast<int>(exec_error)) +
                      (exec_error == EACCES ? "; if its folder is mounted noexec, set TMPDIR to "
                                              "another"
                                            : ""));
    return result;
}

}  // namespace tilereel::plain
