#pragma once
// Starts every child process of Tilereel: compilers, the programs that it opens, ffmpeg.
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tilereel {

struct ChildRequest {
    std::vector<std::string> command;  // program, which is searched in PATH, and arguments
    std::filesystem::path folder;      // working directory; empty: that of this process
    std::vector<std::pair<std::string, std::string>> variables;  // set in its environment
    // A descriptor of this process, and its number in the child. The child gets no others but
    // standard output and error; standard input is empty if it is not named.
    std::vector<std::pair<int, int>> descriptors;
    std::uint64_t address_bytes = 0;  // limit of the address space; 0: no limit
    std::uint64_t file_bytes = 0;     // limit of each file that it writes; 0: no limit
    // Runs in the child before the program. The child still shares the memory of this process, so
    // this may neither allocate memory nor lock anything.
    std::function<void()> prepare;
};

// A child in a process group of its own. The group ends with this object. It ends, too, when this
// process dies in any way, kill -9 included: the kernel sends SIGKILL to the whole group as soon as
// the ends of a pipe, which only this process has open, are closed.
class ChildProcess {
  public:
    ChildProcess() = default;
    // Check error_number(): the program is missing, or the system has no more processes or files.
    [[nodiscard]] static ChildProcess start(const ChildRequest& request);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess() { static_cast<void>(end()); }

    [[nodiscard]] pid_t id() const { return id_; }  // also of its group; -1: none
    [[nodiscard]] int error_number() const { return error_number_; }
    // To all processes of the group at once: none can start another meanwhile.
    void signal_group(int signal) const;
    // Whether the child itself has ended. Other processes of its group may still run.
    [[nodiscard]] bool has_ended() const;
    // Waits until the child has ended by itself.
    void wait() const;
    // Kills the group, waits for the child and returns its status as waitpid() does; 0: none.
    int end();

  private:
    pid_t id_ = -1;
    int error_number_ = 0;
    int guard_[2] = {-1, -1};
};

}  // namespace tilereel
