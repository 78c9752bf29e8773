#include "app/cli/interrupt.h"

#include <time.h>
#include <unistd.h>

#include <string_view>

#include "instrumentation/base/interruption.h"

namespace tilereel {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> interrupted = false;
std::atomic<std::int64_t> interrupted_at_ns = 0;
// Otherwise a signal handler may not set them.
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Its children end with this process, and its files are removed by the next one.
void end_at_once(int signal) {
    constexpr std::string_view kSentence = "tilereel: interrupted\n";
    constexpr int kSignalCode = 128;  // as a shell reports a program that a signal has ended
    static_cast<void>(!::write(STDERR_FILENO, kSentence.data(), kSentence.size()));
    ::_exit(kSignalCode + signal);
}

void set_flag(int signal) {
    constexpr std::int64_t kGraceNs = 2'000'000'000;
    if (was_interrupted()) {
        if (now_ns() - interrupted_at_ns > kGraceNs) end_at_once(signal);
        return;
    }
    interrupted_at_ns = now_ns();
    interrupted = true;
    interrupting_signal = signal;
}

}  // namespace

SignalActions::SignalActions(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &former_[i]);
        const bool by_nohup = kSignals[i] == SIGHUP && former_[i].sa_handler == SIG_IGN;
        if (!by_nohup) ::sigaction(kSignals[i], &action, nullptr);
    }
}

SignalActions::~SignalActions() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals[i], &former_[i], nullptr);
}

InterruptSentence::InterruptSentence() : actions_(end_at_once) {}

InterruptFlag::InterruptFlag() : actions_(set_flag) { interrupted = false; }

std::atomic<bool>& InterruptFlag::flag() const { return interrupted; }

}  // namespace tilereel
