#pragma once
// Ctrl+C, SIGTERM and SIGHUP as a flag that work in progress can look at.
#include <array>
#include <atomic>
#include <csignal>

namespace tilereel {

// While it lives, the first SIGINT, SIGTERM or SIGHUP sets the flag, and a second one ends the
// program as ever. One at a time.
class InterruptFlag {
  public:
    InterruptFlag();
    ~InterruptFlag();
    InterruptFlag(const InterruptFlag&) = delete;
    InterruptFlag& operator=(const InterruptFlag&) = delete;
    [[nodiscard]] std::atomic<bool>& flag() const;

  private:
    std::array<struct sigaction, 3> former_{};  // of each signal
};

}  // namespace tilereel
