#include "instrumentation/cuda/runtime/cluster/turns.h"

#include <algorithm>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

Turns::Turns(std::uint32_t count) : wake_(new std::condition_variable[count]), done_(count) {}

void Turns::wait(std::uint32_t who) {
    std::unique_lock lock(mutex_);
    wake_[who].wait(lock, [&] { return turn_ == who; });
    interrupt_at_end(pthread_self());
}

void Turns::pass(std::uint32_t who, bool done) {
    std::unique_lock lock(mutex_);
    const auto count = std::uint32_t(done_.size());
    done_[who] = done_[who] || done;
    if (std::ranges::find(done_, 0) == done_.end()) {
        std::ranges::fill(done_, 0);
        turn_ = 0;
    } else {
        do {
            who = (who + 1) % count;
        } while (done_[who]);
        turn_ = who;
    }
    const std::uint32_t next = turn_;
    lock.unlock();  // so that the thread that is woken need not wait for it
    wake_[next].notify_one();
}

void Turns::pass_and_wait(std::uint32_t who) {
    pass(who, false);
    wait(who);
    if (is_stopped()) end_launch(sticky_error());
}

}  // namespace tilereel::runtime
