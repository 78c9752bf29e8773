#pragma once
// Ctrl+C, SIGTERM and SIGHUP as a flag that long work can poll.
#include <array>
#include <atomic>
#include <csignal>

namespace tilereel {

// While it exists, the first SIGINT, SIGTERM or SIGHUP sets the flag. A second signal of the same
// kind ends the program. SIGHUP is not caught if it was ignored (nohup). Only one may exist at a
// time.
class InterruptFlag {
  public:
    InterruptFlag();
    ~InterruptFlag();
    InterruptFlag(const InterruptFlag&) = delete;
    InterruptFlag& operator=(const InterruptFlag&) = delete;
    [[nodiscard]] std::atomic<bool>& flag() const;

  private:
    std::array<struct sigaction, 3> former_{};  // previous action of each signal
};

}  // namespace tilereel
