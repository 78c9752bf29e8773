#pragma once
// Runs tasks one after another, on a thread of its own or synchronously.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tilereel {

class TaskThread {
  public:
    // If the system cannot start a thread, tasks run synchronously, too.
    explicit TaskThread(bool on_thread);
    ~TaskThread();  // waits for the current task; drops tasks that have not begun
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    enum class Priority : std::uint8_t {
        kNormal = 0,
        kIdle = 1,  // runs only while no kNormal task waits
    };
    void submit(std::function<void()> task, Priority priority = Priority::kNormal);
    // Whether the system could not start the thread.
    [[nodiscard]] bool lacks_thread() const { return lacks_thread_; }

  private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> waiting_, idle_;  // guarded by mutex_
    bool lacks_thread_ = false;
    std::optional<std::jthread> thread_;  // last: it uses the members above
};

}  // namespace tilereel
