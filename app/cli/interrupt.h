#pragma once
// Ctrl+C and SIGTERM as a flag that work in progress can look at.
#include <atomic>
#include <csignal>

namespace tilereel {

// While it lives, the first SIGINT or SIGTERM sets the flag, and a second one ends the program as
// ever. One at a time.
class InterruptFlag {
  public:
    InterruptFlag();
    ~InterruptFlag();
    InterruptFlag(const InterruptFlag&) = delete;
    InterruptFlag& operator=(const InterruptFlag&) = delete;
    [[nodiscard]] std::atomic<bool>& flag() const;

  private:
    struct sigaction former_interrupt_ {
    }, former_terminate_{};
};

}  // namespace tilereel
