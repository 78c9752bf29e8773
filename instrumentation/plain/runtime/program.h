#pragma once
// The program as a whole: what the parent asked for, what it is told, and errors that stay.
#include <pthread.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/plain/include/driver_types.h"
#include "instrumentation/plain/runtime/worker.h"

namespace tilereel::plain {

// What the parent asked for, by environment variables.
struct Options {
    int pipe = -1;         // messages go there; -1: nowhere
    int memory_file = -1;  // the trace goes there; -1: into a file of `folder`
    std::string folder;    // for traces
    std::string generation = "9.0";
    std::int64_t launch = -1;  // only this one is recorded
    std::vector<std::uint32_t> blocks;
    // Recorded besides, whatever the budget: launch and block.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> more_blocks;
    std::uint64_t accesses_a_launch = std::uint64_t{16} << 20;
    std::uint64_t accesses = std::uint64_t{64} << 20;
    std::string compiler;             // of the program: "g++ 12.2.0"
    bool accesses_only = false;       // the compiler's own hooks record
    bool independent_blocks = false;  // those of a launch may be recorded at the same time
    bool assignments = true;          // of values to named locals are recorded
    std::uint32_t interval = 0;       // between the kept values of a sum; 0: all, up to a budget
    double seconds = 60;
    unsigned workers = 0;  // CPU threads; 0: one for each core
};
[[nodiscard]] const Options& options();

// One line of JSON, made field by field.
class Message {
  public:
    explicit Message(std::string_view kind);
    Message& add(std::string_view name, std::string_view text);
    Message& add(std::string_view name, const char* text) {
        return add(name, std::string_view(text == nullptr ? "" : text));
    }
    Message& add(std::string_view name, std::uint64_t number);
    Message& add_list(std::string_view name, const std::vector<std::uint32_t>& numbers);
    void send();

  private:
    std::string text_;
};

// Held by a call that changes device memory or launches: threads of the host take turns.
class HostCall {
  public:
    HostCall() { lock().lock(); }
    ~HostCall() { lock().unlock(); }
    HostCall(const HostCall&) = delete;
    HostCall& operator=(const HostCall&) = delete;

  private:
    static std::recursive_mutex& lock();
};

// The error that cudaGetLastError() gives. A fault of a kernel stays: every later call gives it.
cudaError_t set_error(cudaError_t error);
void set_sticky_error(cudaError_t error);
[[nodiscard]] cudaError_t sticky_error();
[[nodiscard]] cudaError_t last_error(bool clear);
// The kernel that the sticky error comes from.
[[nodiscard]] const char* error_words(cudaError_t error);
[[nodiscard]] const char* error_name(cudaError_t error);

// A finding of the program, outside of a launch.
void send_finding(std::string_view kind, std::string_view what, std::string_view advice,
                  const char* file = "", std::uint32_t line = 0, std::uint64_t address = 0);

// What one attribute of a kernel allows.
struct KernelState {
    const Kernel* kernel = nullptr;
    std::uint32_t most_dynamic_bytes = 48 * 1024;
    std::uint32_t static_shared_bytes = 0;  // as its launches have shown
};
[[nodiscard]] KernelState& state_of_kernel(const void* entry);

// Ends the launch that runs, from one of its threads: the error stays.
[[noreturn]] void end_launch(cudaError_t error);
// Runs `work`; false if end_launch() on this CPU thread cut it short. Calls nest.
[[nodiscard]] bool run_guarded(const std::function<void()>& work);
// Whether the parent has asked the program to end. The launch is cut short, what was recorded of it
// is written, and the process ends.
[[nodiscard]] bool time_is_up();
// Signals of this CPU thread get a stack of their own, as a fiber's may be full.
void use_signal_stack();
// The CPU thread that is to be interrupted then; 0: whichever the system chooses.
void interrupt_at_end(pthread_t thread);
// Allocations that are still there are not told at the end: cudaDeviceReset() has freed them.
void forget_allocations();

}  // namespace tilereel::plain
