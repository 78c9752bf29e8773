// Catches and reports what would end the process: invalid addresses, endless recursion, the time
// limit. Skips integer divisions that the CPU cannot do. At the end it reports memory that was not
// freed.
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "instrumentation/plain/runtime/division.h"
#include "instrumentation/plain/runtime/fault.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/out_of_bounds.h"
#include "instrumentation/plain/runtime/program.h"
#include "instrumentation/plain/runtime/running_block.h"
#include "instrumentation/plain/runtime/source_line.h"
#include "instrumentation/plain/runtime/thread_findings.h"

namespace tilereel::plain {
namespace {

thread_local sigjmp_buf* guard = nullptr;  // end_launch() jumps here
bool allocations_forgotten = false;
volatile sig_atomic_t late = 0;  // the time limit is over
std::atomic<bool> loop_reported{false};
std::atomic<pthread_t> interrupted{0};

RunningBlock* running_thread() {
    RunningBlock* const block = RunningBlock::current();
    return block != nullptr && block->in_thread() ? block : nullptr;
}

// The instruction that was interrupted; 0: not known.
std::uint64_t code_of(const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(
        static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
    static_cast<void>(context);
    return 0;
#endif
}

bool is_store(const void* context) {
#if defined(__x86_64__)
    constexpr long long kWrite = 2;  // of a page fault's error code
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
    static_cast<void>(context);
    return false;
#endif
}

// Whether the address is near the stack pointer. A function with a large frame touches each page of
// it, so an overflow of the stack faults there.
bool is_near_stack_pointer(std::uint64_t address, const void* context) {
#if defined(__x86_64__)
    const auto top = static_cast<std::uint64_t>(
        static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
    return top - address < (std::uint64_t{1} << 16) || address - top < (std::uint64_t{1} << 16);
#else
    static_cast<void>(address), static_cast<void>(context);
    return false;
#endif
}

// The line of the running thread: of its last recorded event; if there is none, of its instruction
// at `code`; if that has no line, of its last hook call of -fsanitize=thread.
std::uint32_t line_of(const RunningBlock& block, std::uint64_t code) {
    if (const Site* const site = block.last_site()) return site->line;
    const std::uint32_t line = source_line(code).line;
    return line == 0 && last_hook_call != 0 ? source_line(last_hook_call - 1).line : line;
}

// Returns if the thread continues after the access.
void on_fault_of_thread(const RunningBlock& block, const siginfo_t& info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
    const std::uint64_t code = code_of(context);
    // For a misaligned or non-canonical address the system gives no address.
    const bool misaligned = info.si_signo == SIGSEGV && info.si_code == SI_KERNEL;
    const bool on_device = !misaligned && DeviceMemory::instance().contains(address);
    const MemoryArray* const nearest =
        on_device ? DeviceMemory::instance().nearest(address) : nullptr;
    const bool is_near = nearest != nullptr && distance_to(*nearest, address) <= kFarBytes;
    if ((is_near || (on_device && is_reported(address))) &&
        note_out_of_bounds(
            {address, code, block.last_site(), is_store(context), block.block(), block.thread()}))
        return;
    // The hooks of -fsanitize=thread have reported this access, but cannot prevent it.
    if (misaligned ? reported_address.has_value() : is_reported(address))
        end_launch(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
    const std::uint32_t line = line_of(block, code);
    const std::string does = is_store(context) ? "writes" : "reads";
    if (misaligned) {
        report(RecordedFindingKind::kMisaligned,
               "accesses an address that is not a multiple of the access's width", line);
        end_launch(cudaErrorMisalignedAddress);
    }
    if (is_null_pointer(address))
        report(RecordedFindingKind::kOutOfBounds, does + " through a null pointer", line);
    else if (!on_device && (block.owns_stack(address) || is_near_stack_pointer(address, context)))
        report(RecordedFindingKind::kOther,
               "runs out of its stack: a function calls itself without end, or its arrays are too "
               "large",
               line);
    else
        report(RecordedFindingKind::kOutOfBounds, does + " an address where there is no memory",
               line);
    end_launch(cudaErrorIllegalAddress);
}

void on_fault(int signal_number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    const std::uint64_t code = code_of(context);
    if (const RunningBlock* const block = running_thread(); block != nullptr && guard != nullptr) {
        if (signal_number == SIGFPE) {
            const Site* const site = block->last_site();
            if (const BadDivision division = skip_division(context); division != BadDivision::kNone)
                return note_division(division, *block, code, site == nullptr ? 0 : site->line);
        }
        on_fault_of_thread(*block, *info, context);
        if (signal_number != SIGFPE) return;
    }
    // Host code.
    if (DeviceMemory::instance().contains(address))
        send_finding(RecordedFindingKind::kHostAccess,
                     "Host code accesses device memory through a pointer.",
                     "Copy it to the host first, with cudaMemcpy, or allocate it with "
                     "cudaMallocManaged.",
                     "", 0, code + 1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void report_endless_loop(const RunningBlock& block, std::uint64_t code) {
    if (loop_reported.exchange(true)) return;  // a thread of another block has reported it
    const std::uint32_t line = line_of(block, code);
    send_finding(
        RecordedFindingKind::kEndlessLoop,
        "A kernel did not end in time" +
            (line == 0 ? std::string(".") : "; a thread was on line " + std::to_string(line) + "."),
        "Check the condition of the loop there, and what its threads wait for; if it only needs "
        "longer, raise the limit with --seconds.",
        "", line);
}

void on_end_of_time(int, siginfo_t*, void* context) {
    if (const pthread_t to = interrupted.load();
        to != 0 && pthread_equal(to, pthread_self()) == 0) {
        pthread_kill(to, SIGTERM);
        return;
    }
    if (const RunningBlock* const block = running_thread()) {
        report_endless_loop(*block, code_of(context));
        late = 1;
        if (guard != nullptr) end_launch(cudaErrorLaunchTimeout);
    } else if (guard != nullptr) {
        late = 1;  // between two threads of a kernel: the worker checks time_is_up()
        return;
    } else {
        send_finding(RecordedFindingKind::kEndlessLoop, "Host code did not end in time.",
                     "Check its loops, or raise the limit with --seconds.");
    }
    _exit(124);
}

// Reports memory that was allocated and not freed.
void report_leaks() {
    std::uint64_t bytes = 0, count = 0, first = 0;
    if (allocations_forgotten) return;
    for (const MemoryArray* array : DeviceMemory::instance().live()) {
        if (array->space == ArraySpace::kDeviceHeap) continue;
        bytes += array->bytes;
        ++count;
        if (first == 0) first = array->allocated_by;
    }
    if (count == 0) return;
    const SourceLine place = source_line(first - 1);
    const std::string line =
        place.line == 0 ? std::string()
                        : std::string(count == 1 ? ", allocated" : ", the first allocated") +
                              " on line " + std::to_string(place.line);
    send_finding(RecordedFindingKind::kNotFreed,
                 std::to_string(count) + (count == 1 ? " allocation is" : " allocations are") +
                     " not freed: " + std::to_string(bytes) + " bytes" + line + ".",
                 "Call cudaFree for each.", place.file.c_str(), place.line);
}

[[gnu::constructor]] void install_handlers() {
    if (options().pipe < 0) return;
    use_signal_stack();
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(number, &action, nullptr);
    struct sigaction end {};
    end.sa_sigaction = on_end_of_time;
    end.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTERM, &end, nullptr);
    std::atexit(report_leaks);
}

}  // namespace

void use_signal_stack() {
    static thread_local char stack[64 << 10];
    stack_t alternative{};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, nullptr);
}

void end_launch(cudaError_t error) {
    set_sticky_error(error);
    siglongjmp(*guard, 1);
}

bool run_guarded(const std::function<void()>& work) {
    sigjmp_buf* const outer = guard;
    sigjmp_buf begin;
    guard = &begin;
    const bool complete = sigsetjmp(begin, 1) == 0;
    if (complete) work();
    guard = outer;
    return complete;
}

bool time_is_up() { return late != 0; }

void interrupt_at_end(pthread_t thread) { interrupted = thread; }

void forget_allocations() { allocations_forgotten = true; }

}  // namespace tilereel::plain
