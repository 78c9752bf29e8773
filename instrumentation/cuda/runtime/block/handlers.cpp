// Catches and reports what would end the process: invalid addresses, endless recursion, abort(),
// the time limit. Skips integer divisions that the CPU cannot do. At the end it reports memory that
// was not freed.
#include <execinfo.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "instrumentation/cuda/runtime/block/division.h"
#include "instrumentation/cuda/runtime/block/out_of_bounds.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/fault.h"
#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/running_kernel.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"
#include "instrumentation/cuda/runtime/source_line.h"

extern "C" char __executable_start, etext;

namespace tilereel::runtime {
namespace {

thread_local sigjmp_buf* guard = nullptr;  // end_launch() jumps here
bool allocations_forgotten = false;
std::atomic<pthread_t> interrupted{0};

// Where threads were when time was up. Signal handlers store it, and report_late_launch() turns it
// into a line: a handler must not allocate memory, because the code that it interrupted may hold
// the allocator's lock.
std::atomic<const Site*> late_site{nullptr};
std::atomic<const Site*> late_event{nullptr};  // the last known call of the runtime, or access
constexpr std::size_t kMostPlaces = 16;
std::atomic<std::uint64_t> late_code[kMostPlaces];  // instructions; 0: none
std::atomic<std::size_t> late_codes{0};

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
// at `code`.
std::uint32_t line_of(const RunningBlock& block, std::uint64_t code) {
    if (const Site* const site = block.last_site()) return site->line;
    return source_line(code).line;
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
    if (is_near && note_out_of_bounds({address, code, block.last_site(), is_store(context),
                                       block.block(), block.thread()}))
        return;
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
               "has a stack overflow: a function calls itself without end, or its arrays are too "
               "large",
               line);
    else
        report(RecordedFindingKind::kOutOfBounds,
               does + " an address where there is no memory" +
                   (nearest == nullptr
                        ? ""
                        : ", " + distance_text(*nearest, address) + " " + name_of(*nearest)),
               line);
    end_launch(cudaErrorIllegalAddress);
}

// In a thread of a kernel: abort(), an exception that nothing catches, or a check of a library.
void on_abort_in_thread(const RunningBlock& block, const void* context) {
    report(RecordedFindingKind::kOther,
           "ends the program with abort(), by itself or because of an exception: a kernel cannot "
           "call host code",
           line_of(block, code_of(context)));
    end_launch(cudaErrorLaunchFailure);
}

void on_fault(int signal_number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    const std::uint64_t code = code_of(context);
    const bool is_access = signal_number == SIGSEGV || signal_number == SIGBUS;
    if (is_access && is_store(context) && DeviceMemory::instance().note_store(address)) return;
    if (const RunningBlock* const block = running_thread(); block != nullptr && guard != nullptr) {
        if (signal_number == SIGABRT) on_abort_in_thread(*block, context);
        if (signal_number == SIGFPE) {
            const Site* const site = block->last_site();
            if (const BadDivision division = skip_division(context); division != BadDivision::kNone)
                return note_division(division, *block, code, site == nullptr ? 0 : site->line);
        }
        on_fault_of_thread(*block, *info, context);
        if (signal_number != SIGFPE) return;
    }
    // Host code.
    if (is_access && is_near_stack_pointer(address, context)) end_overflowing_probe();
    if (is_access && DeviceMemory::instance().contains(address))
        send_finding(RecordedFindingKind::kHostAccess,
                     "Host code accesses device memory through a pointer.",
                     "Copy it to the host first, with cudaMemcpy, or allocate it with "
                     "cudaMallocManaged.",
                     "", 0, code + 1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Whether the instruction belongs to the program itself, not to a shared library. There it does not
// hold the allocator's lock.
bool is_in_program(std::uint64_t code) {
    return code >= reinterpret_cast<std::uint64_t>(&__executable_start) &&
           code < reinterpret_cast<std::uint64_t>(&etext);
}

void note_code(std::uint64_t code) {
    if (const std::size_t at = late_codes++; at < kMostPlaces) late_code[at] = code;
}

// The functions that called the interrupted one: it may be the runtime's, which has no lines.
void note_callers() {
    void* frames[kMostPlaces];
    const int count = backtrace(frames, static_cast<int>(kMostPlaces));
    for (int i = 0; i < count; ++i)
        if (const auto code = reinterpret_cast<std::uint64_t>(frames[i]); is_in_program(code))
            note_code(code - 1);
}

void note_event() {
    if (const RunningBlock* const block = RunningBlock::current())
        late_event = block->call_is_last() ? block->call_site() : block->last_site();
}

// Called at each signal while a thread of the kernel runs. Returns if the thread should go on: it
// ends at its next hook, or at a later signal.
void stop_thread(RunningBlock& block, std::uint64_t code) {
    // The parent and Team::wait() send the signal again, about 50 times a second, until the launch
    // has ended.
    constexpr int kFewSignals = 5, kMostSignals = 50;
    const bool in_program = is_in_program(code), hooked = Worker::current() != nullptr;
    note_event();
    if (in_program) note_code(code);
    late = 1;
    if (hooked) running.idle = false;  // its next hook calls the worker, which knows the site
    if (++block.signals < (!in_program ? kMostSignals : hooked ? kFewSignals : 1)) return;
    note_callers();
    if (guard != nullptr) end_launch(cudaErrorLaunchTimeout);
    _exit(124);
}

void on_end_of_time(int, siginfo_t*, void* context) {
    if (const pthread_t to = interrupted.load();
        to != 0 && pthread_equal(to, pthread_self()) == 0) {
        pthread_kill(to, SIGTERM);
        return;
    }
    if (RunningBlock* const block = running_thread()) return stop_thread(*block, code_of(context));
    if (guard != nullptr) {
        note_event();
        late = 1;  // between two threads of a kernel: the worker checks time_is_up()
        return;
    }
    if (late != 0) return;  // the records of the launch that was stopped are being written
    constexpr int kMostSignals = 5;
    static int signals = 0;
    if (!is_in_program(code_of(context)) && ++signals < kMostSignals) return;
    send_finding(RecordedFindingKind::kEndlessLoop, "Host code did not end in time.",
                 "Check its loops, or raise the limit with --seconds.");
    _exit(124);
}

LatePlace place_of(const Site& site) {
    return {static_cast<std::uint32_t>(site.line), site.loop != nullptr};
}

// Reports memory that was allocated and not freed.
void report_leaks() {
    std::uint64_t bytes = 0, count = 0, first = 0;
    if (allocations_forgotten) return;
    for (const MemoryArray* array : DeviceMemory::instance().live()) {
        if (array->allocation == Allocation::kDeviceHeap) continue;
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
    void* frame;
    backtrace(&frame, 1);  // the first call allocates memory, which a signal handler must not
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) sigaction(number, &action, nullptr);
    struct sigaction end {};
    end.sa_sigaction = on_end_of_time;
    end.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTERM, &end, nullptr);
    std::atexit(report_leaks);
}

}  // namespace

volatile std::sig_atomic_t late = 0;

bool catches_faults() {
    struct sigaction action {};
    sigset_t blocked;
    return sigaction(SIGSEGV, nullptr, &action) == 0 && action.sa_sigaction == on_fault &&
           pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 &&
           sigismember(&blocked, SIGSEGV) == 0;
}

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

void forget_left_launch() {
    const RunningBlock* const block = running_thread();
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    if (block == nullptr || block->owns_stack(here)) return;
    RunningBlock::forget_current();
    running = {};
    guard = nullptr;
}

bool is_guarded() { return guard != nullptr; }

bool run_guarded(const std::function<void()>& work) {
    sigjmp_buf* const outer = guard;
    // A GPU rounds to the nearest, keeps tiny numbers and does not trap, whatever host code chose.
    fenv_t of_host;
    fegetenv(&of_host);
    fesetenv(FE_DFL_ENV);
    sigjmp_buf begin;
    guard = &begin;
    const bool complete = sigsetjmp(begin, 1) == 0;
    if (complete) work();
    // No thread of the kernel runs any more. Else a signal while its records are written would end
    // the process.
    if (!complete) RunningBlock::forget_current();
    guard = outer;
    fesetenv(&of_host);
    return complete;
}

void end_late_launch(const Site* site) {
    late_site = site;
    end_launch(cudaErrorLaunchTimeout);
}

LatePlace late_place(const Site* recorded) {
    if (const Site* const site = late_site) return place_of(*site);
    // Code without accesses takes time only in a loop.
    for (std::size_t i = 0; i < std::min(late_codes.load(), kMostPlaces); ++i)
        if (const std::uint32_t line = source_line(late_code[i]).line; line != 0)
            return {.line = line};
    if (const Site* const event = late_event) return place_of(*event);
    return recorded == nullptr ? LatePlace{} : place_of(*recorded);
}

bool was_late_in_hook() { return late_site != nullptr; }

void report_late_launch(const Site* recorded) {
    const std::uint32_t line = late_place(recorded).line;
    send_finding(
        RecordedFindingKind::kEndlessLoop,
        "A kernel did not end in time" +
            (line == 0 ? std::string(".") : "; a thread was on line " + std::to_string(line) + "."),
        "Check the condition of the loop there, and what its threads wait for; if it only needs "
        "longer, raise the limit with --seconds.",
        "", line);
}

void interrupt_at_end(pthread_t thread) { interrupted = thread; }

void forget_allocations() { allocations_forgotten = true; }

}  // namespace tilereel::runtime
