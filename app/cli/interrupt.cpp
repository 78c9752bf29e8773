#include "app/cli/interrupt.h"

#include "instrumentation/base/interruption.h"

namespace tilereel {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // otherwise a signal handler may not set it

void interrupt(int signal) {
    interrupted = true;
    interrupting_signal = signal;
}

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

InterruptFlag::InterruptFlag() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &former_[i]);
        const bool by_nohup = kSignals[i] == SIGHUP && former_[i].sa_handler == SIG_IGN;
        if (!by_nohup) ::sigaction(kSignals[i], &action, nullptr);
    }
}

InterruptFlag::~InterruptFlag() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals[i], &former_[i], nullptr);
}

std::atomic<bool>& InterruptFlag::flag() const { return interrupted; }

}  // namespace tilereel
