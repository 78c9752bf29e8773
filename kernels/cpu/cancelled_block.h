#pragma once
// Ends a block of a CPU kernel in its midst: cpu_naive is one block, which can take minutes.
#include <atomic>
#include <optional>

namespace tilereel {

// While it lives, the thread that made it looks at `cancel`, which may be null, every 50 ms. Needs
// a timer of the system; where there is none, blocks are not ended before they are done.
class CancelTimer {
  public:
    explicit CancelTimer(const std::atomic<bool>* cancel);
    ~CancelTimer();
    CancelTimer(const CancelTimer&) = delete;
    CancelTimer& operator=(const CancelTimer&) = delete;

    // Calls block(arguments, x, y), which only computes: it allocates nothing and holds no lock,
    // since it is left by siglongjmp(). False if `cancel` was set before it had ended.
    bool run(void (*block)(const void*, int, int), const void* arguments, int x, int y);

  private:
    const std::atomic<bool>* cancel_;
    std::optional<void*> timer_;  // a timer_t that runs
};

}  // namespace tilereel
