#include "instrumentation/cuda/runtime/host_timing.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <mutex>
#include <span>

#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_block.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names for the program's code
extern char __executable_start;
extern char etext;
// NOLINTEND(bugprone-reserved-identifier)
}

namespace tilereel::runtime {
namespace {

std::atomic<std::uint64_t> waits{0};
std::atomic<bool> pending{false};    // a kernel was launched, and nothing has waited for it
std::atomic<bool> time_read{false};  // since the latest wait or launch
std::atomic<bool> begun{false};      // the time was read before the pending launch
std::atomic<bool> reported{false};   // one sentence is enough
std::mutex launch_mutex;
std::string pending_kernel;      // guarded by launch_mutex
std::uint32_t pending_line = 0;  // likewise

thread_local int quiet = 0;  // depth of QuietClock

bool is_in_program(const void* code) { return code >= &__executable_start && code < &etext; }

// The call in the user's code that led to the call whose return address is `caller`: that call may
// be a shared library's.
std::uint64_t calling_code(const void* caller) {
    std::array<void*, 16> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    const std::span calls(frames.data(), static_cast<std::size_t>(std::max(count, 0)));
    const auto from = std::ranges::find(calls, caller);
    const auto at = std::find_if(from, calls.end(), is_in_program);
    return at == calls.end() ? 0 : reinterpret_cast<std::uint64_t>(*at);
}

std::string pending_words() {
    const std::lock_guard lock(launch_mutex);
    return "Nothing waits for " + pending_kernel +
           (pending_line == 0 ? "" : " (launched on line " + std::to_string(pending_line) + ")");
}

void note_clock(const void* caller) {
    if (quiet != 0 || options().pipe < 0 || HostCall::is_running()) return;
    if (const RunningBlock* const block = RunningBlock::current();
        block != nullptr && block->in_thread())
        return;
    time_read = true;
    if (!pending || !begun || reported.exchange(true)) return;
    const QuietClock quiet_clock;
    send_finding(RecordedFindingKind::kOther, pending_words() + " before the time is read.",
                 "A launch returns before its kernel has run: call cudaDeviceSynchronize() first, "
                 "or use events.",
                 "", 0, calling_code(caller), false);
}

}  // namespace

void note_timed_launch(const std::string& kernel, std::uint32_t line) {
    if (!pending.exchange(true)) begun = time_read.load();
    time_read = false;
    const std::lock_guard lock(launch_mutex);
    pending_kernel = kernel;
    pending_line = line;
}

void note_wait() {
    ++waits;
    pending = begun = time_read = false;
}

std::uint64_t waits_so_far() { return waits; }
bool launch_is_pending() { return pending; }

QuietClock::QuietClock() { ++quiet; }
QuietClock::~QuietClock() { --quiet; }

void report_unfinished_event(const void* caller) {
    if (options().pipe < 0 || reported.exchange(true)) return;
    send_finding(RecordedFindingKind::kOther,
                 pending_words() + " before the time between two events is asked for.",
                 "While the kernel runs, cudaEventElapsedTime returns cudaErrorNotReady: call "
                 "cudaEventSynchronize() for the second event first.",
                 "", 0, reinterpret_cast<std::uint64_t>(caller), false);
}

}  // namespace tilereel::runtime

// The C library's functions, with a note. The program's calls and those of shared libraries, such
// as std::chrono's, come here first. Weak: a program may define its own. A program that is linked
// statically has no other function behind them: there the kernel is asked.
extern "C" {

[[gnu::weak]] int clock_gettime(clockid_t id, timespec* at) noexcept {
    using Function = int (*)(clockid_t, timespec*);
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
    tilereel::runtime::note_clock(__builtin_return_address(0));
    return real != nullptr ? real(id, at) : static_cast<int>(syscall(SYS_clock_gettime, id, at));
}

[[gnu::weak]] int gettimeofday(timeval* at, void* zone) noexcept {
    using Function = int (*)(timeval*, void*);
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "gettimeofday"));
    tilereel::runtime::note_clock(__builtin_return_address(0));
    return real != nullptr ? real(at, zone) : static_cast<int>(syscall(SYS_gettimeofday, at, zone));
}

}  // extern "C"
