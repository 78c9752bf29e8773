#pragma once
// Limits for a program and all processes that it starts together. The system limits single
// processes, or all of a user's; so the parent looks at the process group now and then.
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tilereel::program {

struct GroupLimits {
    unsigned processes = 0;                       // 0: the group is not watched
    std::uint64_t memory_bytes = 0;               // resident, without files
    std::uint64_t written_bytes = 0;              // to files and pipes
    std::vector<std::filesystem::path> on_disks;  // folders on disks that must not become full
    std::filesystem::path folder = {};  // what lies in it counts as written, whoever wrote it
};

// Whether a process of the group runs this program. One that has ended does not.
[[nodiscard]] bool has_copy(pid_t group, const std::filesystem::path& program);

class ProcessWatch {
  public:
    // The group must not be able to lose members: process_filter() in confine.h.
    ProcessWatch(pid_t group, GroupLimits limits);
    ~ProcessWatch();
    ProcessWatch(const ProcessWatch&) = delete;
    ProcessWatch& operator=(const ProcessWatch&) = delete;
    // Which limit the group exceeds and what to do, in words; empty: none. Often called; looks
    // rarely, so that it costs at most a hundredth of a core.
    [[nodiscard]] std::string exceeded();

  private:
    using Clock = std::chrono::steady_clock;
    struct Disk {
        std::filesystem::path folder;
        std::uint64_t least_free_bytes;
    };
    [[nodiscard]] std::string look();
    [[nodiscard]] std::string look_at_computer() const;
    [[nodiscard]] std::uint64_t threads_of_computer() const;
    [[nodiscard]] std::uint64_t written_by_all(const std::string& number, std::uint64_t now);

    pid_t group_;
    GroupLimits limits_;
    std::vector<Disk> disks_;
    std::map<std::string, std::uint64_t> last_written_;  // by process
    std::uint64_t written_before_ = 0;                   // by processes that have ended
    int load_ = -1;                                      // /proc/loadavg
    std::uint64_t threads_ = 0, least_memory_bytes_ = 0;
    Clock::time_point next_look_{};
};

}  // namespace tilereel::program
