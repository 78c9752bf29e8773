#include "tests/window/watched_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

extern "C" char** environ;

namespace tilereel {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
    std::vector<std::string> all = added;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view name =
            std::string_view(*entry).substr(0, std::string_view(*entry).find('=') + 1);
        bool replaced = false;
        for (const std::string& other : added) replaced |= other.starts_with(name);
        if (!replaced) all.emplace_back(*entry);
    }
    std::erase_if(all, [](const std::string& entry) { return entry.ends_with("=<unset>"); });
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

}  // namespace

Process::Process(const std::vector<std::string>& command, const Options& options) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], options.extra_pipe ? 3 : STDOUT_FILENO);
    if (options.with_errors) posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    if (options.extra_pipe)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words = command;
    std::vector<std::string> environment = merged_environment(options.environment);
    pid_t process = -1;
    if (posix_spawnp(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                     pointers(environment).data()) == 0)
        process_ = process;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
}

Process::~Process() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    if (output_ >= 0) ::close(output_);
}

void Process::end() {
    if (process_ > 0) ::kill(process_, SIGTERM);
}

std::optional<std::string> Process::read_line(Seconds patience) {
    const auto deadline = Clock::now() + patience;
    for (;;) {
        if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
            std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return std::nullopt;
        pollfd waiting{output_, POLLIN, 0};
        if (::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
        std::array<char, 65536> part{};
        const ssize_t got = ::read(output_, part.data(), part.size());
        if (got <= 0) return std::nullopt;
        unread_.append(part.data(), static_cast<std::size_t>(got));
    }
}

std::optional<int> Process::wait(Seconds patience) {
    const auto deadline = Clock::now() + patience;
    while (process_ > 0 && Clock::now() < deadline) {
        int status = 0;
        if (::waitpid(process_, &status, WNOHANG) == process_) {
            process_ = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
}

std::optional<std::string> output_of(const std::vector<std::string>& command,
                                     const std::vector<std::string>& environment) {
    Process process(command, {.environment = environment});
    std::string all;
    while (const auto line = process.read_line()) all += *line + '\n';
    const std::optional<int> code = process.wait();
    if (!code || *code != 0) return std::nullopt;
    return all;
}

bool is_installed(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace tilereel
