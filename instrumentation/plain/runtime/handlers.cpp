// What would end the process is caught and told: a wild pointer, endless recursion, a limit of
// time. And what is left at the end: memory that was not freed.
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "instrumentation/plain/runtime/launch.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/program.h"

namespace tilereel::plain {
namespace {

sigjmp_buf launch_begin;
bool guarding = false, forgotten = false;
volatile sig_atomic_t late = 0;

Worker* running_worker() {
    Worker* const worker = Worker::current();
    return worker != nullptr && worker->in_thread() ? worker : nullptr;
}

void on_fault(int signal_number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (const Worker* const worker = running_worker(); worker != nullptr && guarding) {
        const bool arithmetic = signal_number == SIGFPE;
        if (arithmetic)
            tell(RecordedFindingKind::kOther, "divides an integer by 0");
        else if (worker->owns_stack(address))
            tell(RecordedFindingKind::kOther,
                 "runs out of its stack: a function calls itself without end, or its arrays are "
                 "too large");
        else
            tell(RecordedFindingKind::kOutOfBounds, "uses an address where nothing is");
        end_launch(arithmetic ? cudaErrorLaunchFailure : cudaErrorIllegalAddress);
    }
    // Host code.
    std::uint64_t place = 0;
#if defined(__x86_64__)
    place = static_cast<std::uint64_t>(
        static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
    static_cast<void>(context);
#endif
    if (DeviceMemory::instance().contains(address))
        send_finding("host_access", "Host code uses the device's memory through a pointer.",
                     "Copy it to the host first, with cudaMemcpy, or allocate it with "
                     "cudaMallocManaged.",
                     "", 0, place);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void on_end_of_time(int) {
    if (const Worker* const worker = running_worker()) {
        const Site* const site = worker->last_site();
        send_finding(
            "endless_loop",
            "A kernel did not end in time" +
                (site == nullptr ? std::string(".")
                                 : "; a thread was on line " + std::to_string(site->line) + "."),
            "Check the condition of the loop there, and what its threads wait for.", "",
            site == nullptr ? 0 : site->line);
        late = 1;
        if (guarding) end_launch(cudaErrorLaunchTimeout);
    } else if (guarding) {  // between two threads: the worker sees it
        late = 1;
        return;
    } else {
        send_finding("endless_loop", "The host's code did not end in time.",
                     "Check its loops, or raise the limit.");
    }
    _exit(124);
}

// What was allocated and not freed.
void tell_leaks() {
    std::uint64_t bytes = 0, count = 0, first = 0;
    if (forgotten) return;
    for (const MemoryArray* array : DeviceMemory::instance().live()) {
        if (array->space == ArraySpace::kDeviceHeap) continue;
        bytes += array->bytes;
        ++count;
        if (first == 0) first = array->allocated_by;
    }
    if (count == 0) return;
    send_finding("not_freed",
                 std::to_string(count) + (count == 1 ? " allocation is" : " allocations are") +
                     " not freed: " + std::to_string(bytes) + " bytes.",
                 "Call cudaFree for each.", "", 0, first);
}

[[gnu::constructor]] void install() {
    if (options().pipe < 0) return;
    static char stack[64 << 10];
    stack_t alternative{};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(number, &action, nullptr);
    struct sigaction end {};
    end.sa_handler = on_end_of_time;
    end.sa_flags = SA_ONSTACK;
    sigaction(SIGTERM, &end, nullptr);
    std::atexit(tell_leaks);
}

}  // namespace

void end_launch(cudaError_t error) {
    set_sticky_error(error);
    siglongjmp(launch_begin, 1);
}

bool run_guarded(const std::function<void()>& work) {
    guarding = true;
    const bool whole = sigsetjmp(launch_begin, 1) == 0;
    if (whole) work();
    guarding = false;
    return whole;
}

bool time_is_up() { return late != 0; }

void forget_allocations() { forgotten = true; }

}  // namespace tilereel::plain
