#pragma once
// Finds host code that times a kernel without waiting for it. A launch returns before its kernel
// has run (CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"):
//
//     auto begin = now();      time is read
//     kernel<<<...>>>(...);    launch
//     auto end = now();        time is read: the kernel may still run
//
// A call in between that waits, such as cudaDeviceSynchronize() or a copy, makes it right.
#include <cstdint>
#include <string>

namespace tilereel::runtime {

// A kernel was launched. `line`: of the launch, 0 if unknown.
void note_timed_launch(const std::string& kernel, std::uint32_t line);
// The host waits until all earlier work is done.
void note_wait();
// How often the host has waited, and whether a kernel has been launched since then: for events.
[[nodiscard]] std::uint64_t waits_so_far();
[[nodiscard]] bool launch_is_pending();
// While it exists, this thread's clock is read by the runtime, not by the program.
struct QuietClock {
    QuietClock();
    ~QuietClock();
    QuietClock(const QuietClock&) = delete;
    QuietClock& operator=(const QuietClock&) = delete;
};
// The time between two events is asked for, and nothing has waited for the second one.
// `caller`: the return address of the host's call.
void report_unfinished_event(const void* caller);

}  // namespace tilereel::runtime
