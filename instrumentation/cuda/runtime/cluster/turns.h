#pragma once
// CPU threads that take turns: each runs a block, and one of them runs at a time.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tilereel::runtime {

class Turns {
  public:
    explicit Turns(std::uint32_t count);
    // Waits until it is the turn of this CPU thread. The first turn is that of 0.
    void wait(std::uint32_t who);
    // The next that is not done takes its turn. When all are done, none is, and 0 takes it.
    void pass(std::uint32_t who, bool done);
    // pass() and wait(). Ends the launch on this CPU thread if another has stopped it.
    void pass_and_wait(std::uint32_t who);
    void stop() { stopped_ = true; }
    [[nodiscard]] bool is_stopped() const { return stopped_; }

  private:
    std::mutex mutex_;
    std::unique_ptr<std::condition_variable[]> wake_;  // signalled when its turn begins
    std::uint32_t turn_ = 0;
    std::vector<char> done_;
    std::atomic<bool> stopped_{false};
};

}  // namespace tilereel::runtime
