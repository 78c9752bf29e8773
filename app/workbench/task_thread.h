#pragma once
// Runs tasks one after another, on a thread of its own or at once.
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
    // Where the system starts no thread, tasks are done at once, too.
    explicit TaskThread(bool on_thread);
    ~TaskThread();  // tasks that have not begun are dropped; waits for the one that has
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    enum class Turn : std::uint8_t {
        kInOrder = 0,
        kIdle = 1,  // only while nothing that was submitted in order waits
    };
    void submit(std::function<void()> task, Turn turn = Turn::kInOrder);
    // It was to have a thread and got none.
    [[nodiscard]] bool lacks_thread() const { return lacks_thread_; }

  private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> waiting_, idle_;  // guarded by mutex_
    bool lacks_thread_ = false;
    std::optional<std::jthread> thread_;  // last: it uses what stands above
};

}  // namespace tilereel
