#pragma once
// Cancels a block of a CPU kernel while it runs: cpu_naive is one block, which can take minutes.
#include <atomic>
#include <optional>

namespace tilereel {

// During its lifetime the thread that made it checks `cancel`, which may be null, every 50 ms.
// Without a timer of the system, blocks run to their end.
class CancelTimer {
  public:
    explicit CancelTimer(const std::atomic<bool>* cancel);
    ~CancelTimer();
    CancelTimer(const CancelTimer&) = delete;
    CancelTimer& operator=(const CancelTimer&) = delete;

    // Calls block(arguments, x, y). It must not allocate or lock, because siglongjmp() leaves it.
    // False if `cancel` was set before it had ended.
    bool run(void (*block)(const void*, int, int), const void* arguments, int x, int y);

  private:
    const std::atomic<bool>* cancel_;
    std::optional<void*> timer_;  // a running timer_t
};

}  // namespace tilereel
