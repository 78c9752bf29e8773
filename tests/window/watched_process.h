#pragma once
// A child process whose output a test reads line by line, with a deadline.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tilereel {

using Seconds = std::chrono::duration<double>;
// Long enough for a busy machine with a software renderer. A normal run takes a fraction of it.
inline constexpr Seconds kPatience{60};

class Process {
  public:
    // `environment` ("NAME=value") is added to the environment of this process. Standard output is
    // a pipe; so is standard error, to the same place, if `with_errors`. `extra_pipe`: the child
    // writes to descriptor 3 instead of standard output.
    struct Options {
        std::vector<std::string> environment = {};
        bool with_errors = false;
        bool extra_pipe = false;
    };
    Process(const std::vector<std::string>& command, const Options& options);
    ~Process();  // ends it
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] bool started() const { return process_ > 0; }
    [[nodiscard]] int id() const { return process_; }
    // The next line; nullopt at the end of the output, or after `patience`.
    std::optional<std::string> read_line(Seconds patience = kPatience);
    // Waits for its end and returns the exit code; nullopt after `patience`.
    std::optional<int> wait(Seconds patience = kPatience);
    void end();  // by SIGTERM

  private:
    int process_ = -1;
    int output_ = -1;
    std::string unread_;
};

// Runs a command to its end and returns its output; nullopt if it failed.
std::optional<std::string> output_of(const std::vector<std::string>& command,
                                     const std::vector<std::string>& environment = {});
bool is_installed(const std::string& program);

}  // namespace tilereel
