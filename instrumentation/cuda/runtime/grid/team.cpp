#include "instrumentation/cuda/runtime/grid/team.h"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

struct Team::Members {
    std::mutex mutex;
    std::condition_variable begin, end;
    const std::function<void()>* work = nullptr;
    unsigned long task = 0;
    unsigned busy = 0;
    std::vector<pthread_t> threads;

    void help() {
        use_signal_stack();
        std::unique_lock lock(mutex);
        for (unsigned long seen = 0;;) {
            begin.wait(lock, [&] { return task != seen; });
            seen = task;
            const std::function<void()>* const mine = work;
            lock.unlock();
            (*mine)();
            lock.lock();
            if (--busy == 0) end.notify_all();
        }
    }
};

Team& Team::instance() {
    static Team team;
    return team;
}

Team::Team() : members_(new Members) {
    const unsigned cores =
        options().workers != 0 ? options().workers : std::thread::hardware_concurrency();
    helpers_ = cores > 1 ? cores - 1 : 0;
}

void Team::start(const std::function<void()>& work) {
    Members& members = *members_;
    try {
        while (members.threads.size() < helpers_) {
            std::thread helper([&members] { members.help(); });
            members.threads.push_back(helper.native_handle());
            helper.detach();
        }
    } catch (const std::system_error&) {  // the system starts no more threads
        helpers_ = static_cast<unsigned>(members.threads.size());
    }
    const std::lock_guard lock(members.mutex);
    members.work = &work;
    members.busy = helpers_;
    ++members.task;
    members.begin.notify_all();
}

void Team::wait() {
    Members& members = *members_;
    std::unique_lock lock(members.mutex);
    while (!members.end.wait_for(lock, std::chrono::milliseconds(20),
                                 [&] { return members.busy == 0; }))
        if (time_is_up())
            for (const pthread_t thread : members.threads) pthread_kill(thread, SIGTERM);
}

}  // namespace tilereel::runtime
