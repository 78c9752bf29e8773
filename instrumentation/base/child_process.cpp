#include "instrumentation/base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

extern char** environ;

namespace tilereel {
namespace {

// Words for exec. They are made before vfork, because the child may not allocate memory.
class ExecWords {
  public:
    explicit ExecWords(std::vector<std::string> words) : words_(std::move(words)) {
        for (std::string& word : words_) pointers_.push_back(word.data());
        pointers_.push_back(nullptr);
    }
    [[nodiscard]] char* const* get() const { return pointers_.data(); }

  private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_;
};

// The variables of the request replace those of this process: of two with one name, the first would
// hold.
std::vector<std::string> environment_of(const ChildRequest& request) {
    std::vector<std::string> result;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view own = *variable;
        const auto is_replaced = [&](const auto& each) {
            return own.substr(0, own.find('=')) == each.first;
        };
        if (std::ranges::none_of(request.variables, is_replaced)) result.emplace_back(own);
    }
    for (const auto& [name, value] : request.variables) result.push_back(name + "=" + value);
    return result;
}

void limit(int what, std::uint64_t value) {
    const auto resource = static_cast<__rlimit_resource>(what);
    rlimit set{value, value};
    rlimit now{};  // a lower limit, such as a cluster's, stays
    if (getrlimit(resource, &now) == 0)
        set = {std::min<rlim_t>(value, now.rlim_cur), std::min<rlim_t>(value, now.rlim_max)};
    static_cast<void>(setrlimit(resource, &set));
}

// When one end of the pipe is closed, the system signals the owner of the other end: the group of
// this process. Both ends have an owner, because either can be closed first.
void guard_own_group(const int* guard) {
    setpgid(0, 0);
    for (int i = 0; i < 2; ++i) {
        fcntl(guard[i], F_SETOWN, -getpid());
        fcntl(guard[i], F_SETSIG, SIGKILL);
        fcntl(guard[i], F_SETFL, O_ASYNC);
    }
}

// `copies`: room for a number for each descriptor. False, with errno, if a descriptor cannot be
// copied: the child would get another one in its place.
bool connect(const ChildRequest& request, std::vector<int>& copies) {
#ifdef SYS_close_range
    constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC
    syscall(SYS_close_range, 3u, ~0u, kCloseOnExec);
#endif
    int above = STDERR_FILENO;
    for (const auto& [own, number] : request.descriptors) above = std::max(above, number);
    for (std::size_t i = 0; i < copies.size(); ++i) {
        copies[i] = fcntl(request.descriptors[i].first, F_DUPFD_CLOEXEC, above + 1);
        if (copies[i] < 0) return false;
    }
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) return false;
    for (std::size_t i = 0; i < copies.size(); ++i)
        if (dup2(copies[i], request.descriptors[i].second) < 0) return false;
    return true;
}

// All that the child needs.
struct Start {
    const ChildRequest& request;
    const char* folder;
    const ExecWords& command;
    const ExecWords& environment;
    const int* guard;
    std::vector<int>& copies;
    volatile int error = 0;  // of exec
};

[[noreturn]] void exec_child(Start& start) {
    const ChildRequest& request = start.request;
    guard_own_group(start.guard);
    const bool connected = connect(request, start.copies);
    if (!connected) {
        start.error = errno;
        _exit(127);
    }
    limit(RLIMIT_CORE, 0);
    if (request.address_bytes != 0) limit(RLIMIT_AS, request.address_bytes);
    if (request.file_bytes != 0) limit(RLIMIT_FSIZE, request.file_bytes);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (request.prepare) request.prepare();
    if (*start.folder == 0 || chdir(start.folder) == 0)
        execvpe(start.command.get()[0], start.command.get(), start.environment.get());
    start.error = errno;
    _exit(127);
}

// Not fork(), for two reasons. It copies the page tables, which takes milliseconds if the caller
// holds large traces. And it runs the handlers that libraries registered with pthread_atfork():
// that of OpenBLAS ends its threads, so a recording would wait for the product that a race
// computes, and two recordings at once would wait for ever.
[[gnu::noinline]] pid_t vfork_and_exec(Start& start) {
    const pid_t child = vfork();
    if (child == 0) exec_child(start);
    if (child < 0) start.error = errno;
    return child;
}

}  // namespace

ChildProcess ChildProcess::start(const ChildRequest& request) {
    const ExecWords command(request.command), environment(environment_of(request));
    const std::string folder = request.folder.string();
    std::vector<int> copies(request.descriptors.size());
    ChildProcess child;
    if (pipe2(child.guard_, O_CLOEXEC) != 0) {
        child.error_number_ = errno;
        return child;
    }
    Start start{request, folder.c_str(), command, environment, child.guard_, copies};
    child.id_ = vfork_and_exec(start);
    child.error_number_ = start.error;
    if (child.error_number_ != 0) static_cast<void>(child.end());
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    static_cast<void>(end());
    id_ = std::exchange(other.id_, -1);
    error_number_ = other.error_number_;
    for (int i = 0; i < 2; ++i) guard_[i] = std::exchange(other.guard_[i], -1);
    return *this;
}

void ChildProcess::signal_group(int signal) const {
    if (id_ > 0) ::kill(-id_, signal);
}

bool ChildProcess::has_ended() const {
    siginfo_t ended{};
    if (id_ <= 0) return true;
    // The number of the child stays its own until end() takes its status. Where this process
    // ignores SIGCHLD, the system takes it.
    if (::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD;
    return ended.si_pid == id_;
}

void ChildProcess::wait() const {
    siginfo_t ended{};
    while (id_ > 0 && ::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
}

int ChildProcess::end() {
    int status = 0;
    signal_group(SIGKILL);
    while (id_ > 0 && ::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    for (int& end : guard_)
        if (end >= 0) ::close(std::exchange(end, -1));
    return status;
}

}  // namespace tilereel
