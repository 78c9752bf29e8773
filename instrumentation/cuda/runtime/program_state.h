#pragma once
// State of the whole program: the options that the parent process passes, messages to the parent,
// and CUDA errors.
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "instrumentation/contract/message_line.h"
#include "instrumentation/contract/record_options.h"
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/include/driver_types.h"
#include "instrumentation/cuda/runtime/message_pipe.h"
#include "instrumentation/trace/recorded_finding.h"

namespace tilereel::runtime {

using Options = contract::Options;
// The parent's options; see ProgramRequest in program_run.h.
[[nodiscard]] const Options& options();

void send_line(const std::string& line);
// `message`: a struct of instrumentation/contract/messages.h.
template <class Message>
void send_message(const Message& message) {
    if (options().pipe >= 0) send_line(contract::line_of(message));
}

// Locks a mutex for its lifetime: one host thread at a time launches a kernel or changes device
// memory.
class HostCall {
  public:
    HostCall() {
        ++depth;  // first: to make the mutex takes memory
        lock().lock();
    }
    ~HostCall() {
        lock().unlock();
        --depth;
    }
    HostCall(const HostCall&) = delete;
    HostCall& operator=(const HostCall&) = delete;
    // Whether any thread is in such a call. Memory that runs out is then the recorder's.
    [[nodiscard]] static bool is_running() { return depth != 0; }

  private:
    static inline std::atomic<int> depth{0};
    static std::recursive_mutex& lock();
};

// The error that cudaGetLastError() returns. A fault of a kernel is a sticky error: every later
// call returns it, except those that need no context, such as cudaGetDevice().
cudaError_t set_error(cudaError_t error);
void set_sticky_error(cudaError_t error);
[[nodiscard]] cudaError_t sticky_error();
[[nodiscard]] cudaError_t last_error(bool clear);
// As cudaGetErrorString() and cudaGetErrorName() return them.
[[nodiscard]] const char* error_message(cudaError_t error);
[[nodiscard]] const char* error_name(cudaError_t error);

// Sends a finding that belongs to the program, not to a launch. `address`: the return address of
// the host's call, which has file and line; 0: they are given. `error` false: it is a warning.
void send_finding(RecordedFindingKind kind, std::string_view what, std::string_view advice,
                  const char* file = "", std::uint32_t line = 0, std::uint64_t address = 0,
                  bool error = true);

// Ends the process because the recorder cannot go on, for example without memory. The parent then
// reports `why` as an error of Tilereel's, not of the program's. Allocates no memory.
[[noreturn]] void fail_recorder(const char* why);

// What the runtime knows about a kernel.
struct KernelState {
    const Kernel* kernel = nullptr;
    // cudaFuncAttributeMaxDynamicSharedMemorySize, and whether the program set it
    std::uint32_t most_dynamic_bytes = 48 * 1024;
    bool sets_most_dynamic_bytes = false;
    std::uint32_t static_shared_bytes = 0;  // 0 until a launch or find_static_shared() sets it
};
[[nodiscard]] KernelState& state_of_kernel(const void* entry);

// Ends the running launch from one of its threads, and sets the sticky error.
[[noreturn]] void end_launch(cudaError_t error);
// Forgets a launch that the program has left by longjmp(), as from a signal handler.
void forget_left_launch();
// Runs `work`; returns false if end_launch() on this CPU thread cut it short. Calls may be nested.
[[nodiscard]] bool run_guarded(const std::function<void()>& work);
// Whether this CPU thread is in such work.
[[nodiscard]] bool is_guarded();
extern volatile std::sig_atomic_t late;  // set by a signal handler
// Whether the parent has asked the program to end. The launch is then cut short, its records so far
// are written, and the process ends.
[[nodiscard]] inline bool time_is_up() { return late != 0; }
// The same, called by a hook of the running thread: notes `site` as the place that was reached.
[[noreturn]] void end_late_launch(const Site* site);
// The line that a thread had reached when time was up, 0: not known; and whether it is in a loop.
// `recorded`: the last site that was recorded; null: not known.
struct LatePlace {
    std::uint32_t line = 0;
    bool in_loop = true;
};
[[nodiscard]] LatePlace late_place(const Site* recorded);
[[nodiscard]] bool was_late_in_hook();  // end_late_launch() has ended a launch
// Reports that the launch did not end in time, with the line that one of its threads had reached.
// `recorded`: the last site that was recorded; null: not known.
void report_late_launch(const Site* recorded);
// Gives the signal handlers of this CPU thread a stack of their own, because a fiber's may be full.
void use_signal_stack();
// Whether a fault on this CPU thread comes to the recorder's handler.
[[nodiscard]] bool catches_faults();
// Sets the CPU thread that is interrupted when time is up; 0: whichever the system chooses.
void interrupt_at_end(pthread_t thread);
// Live allocations are not reported at the end of the program: cudaDeviceReset() has freed them.
void forget_allocations();

}  // namespace tilereel::runtime
