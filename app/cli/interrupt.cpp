#include "app/cli/interrupt.h"

namespace tilereel {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // else no signal handler may set it

void interrupt(int /*signal*/) { interrupted = true; }

}  // namespace

InterruptFlag::InterruptFlag() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &former_interrupt_);
    ::sigaction(SIGTERM, &action, &former_terminate_);
}

InterruptFlag::~InterruptFlag() {
    ::sigaction(SIGINT, &former_interrupt_, nullptr);
    ::sigaction(SIGTERM, &former_terminate_, nullptr);
}

std::atomic<bool>& InterruptFlag::flag() const { return interrupted; }

}  // namespace tilereel
