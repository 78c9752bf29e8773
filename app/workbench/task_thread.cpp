#include "app/workbench/task_thread.h"

#include <system_error>
#include <utility>

namespace tilereel {

TaskThread::TaskThread(bool on_thread) {
    if (!on_thread) return;
    try {
        thread_.emplace([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::system_error&) {
        lacks_thread_ = true;  // tasks are done at once
    }
}

TaskThread::~TaskThread() {
    if (thread_) thread_->request_stop();  // and ~jthread joins
}

void TaskThread::submit(std::function<void()> task, Priority priority) {
    if (!thread_) {
        task();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        (priority == Priority::kIdle ? idle_ : waiting_).push_back(std::move(task));
    }
    wake_.notify_one();
}

void TaskThread::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto any = [this] { return !waiting_.empty() || !idle_.empty(); };
    while (wake_.wait(lock, stop, any) && !stop.stop_requested()) {
        auto& next = waiting_.empty() ? idle_ : waiting_;
        std::function<void()> task = std::move(next.front());
        next.pop_front();
        lock.unlock();
        task();
        task = nullptr;  // destroys its captures before the lock is taken
        lock.lock();
    }
}

}  // namespace tilereel
