#include "kernels/cpu/cancelled_block.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <ctime>

namespace tilereel {
namespace {

struct RunningBlock {
    sigjmp_buf left;  // where to continue after a cancelled block
    const std::atomic<bool>* cancel;
};
constinit thread_local RunningBlock* running_block = nullptr;

int signal_number() { return SIGRTMIN + 4; }

void leave_if_cancelled(int) {
    RunningBlock* const block = running_block;
    if (block == nullptr || !block->cancel->load(std::memory_order_relaxed)) return;
    running_block = nullptr;
    siglongjmp(block->left, 1);
}

bool install_handler() {
    struct sigaction action {};
    action.sa_handler = leave_if_cancelled;
    action.sa_flags = SA_RESTART;
    return sigaction(signal_number(), &action, nullptr) == 0;
}

}  // namespace

CancelTimer::CancelTimer(const std::atomic<bool>* cancel) : cancel_(cancel) {
    static const bool installed = install_handler();
    if (cancel == nullptr || !installed) return;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal_number();
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    timer_t timer = nullptr;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
    constexpr timespec kEvery = {0, 50'000'000};
    const itimerspec times{kEvery, kEvery};
    if (timer_settime(timer, 0, &times, nullptr) == 0)
        timer_ = timer;
    else
        timer_delete(timer);
}

CancelTimer::~CancelTimer() {
    if (timer_) timer_delete(*timer_);
}

bool CancelTimer::run(void (*block)(const void*, int, int), const void* arguments, int x, int y) {
    if (!timer_) {
        block(arguments, x, y);
        return true;
    }
    RunningBlock here{};
    here.cancel = cancel_;
    if (sigsetjmp(here.left, 1) != 0) return false;
    running_block = &here;
    block(arguments, x, y);
    running_block = nullptr;
    return true;
}

}  // namespace tilereel
