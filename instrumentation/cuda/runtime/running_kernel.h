#pragma once
// The kernel of the running launch, and how it is found. The host knows only a function that calls
// the kernel, so it calls that function once before the launch: a probe. The kernel's first hooks
// are tilereel_shared() for its shared variables and tilereel_begin(), which ends the probe.
#include <cstdint>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

struct ProbedKernel {
    const Kernel* kernel = nullptr;  // null if `body` called no kernel
    std::uint32_t static_shared_bytes = 0;
    bool overflows = false;  // its local variables are larger than the stack of the host's thread
};
// Calls body(data) up to tilereel_begin() of the kernel that it calls, which becomes
// running_kernel().
ProbedKernel probe_kernel(void (*body)(void*), void* data);
// Probes a __global__ function and stores the size of its static shared memory in
// KernelState::static_shared_bytes. running_kernel() stays as it is.
void find_static_shared(const void* kernel);

// Called at a stack overflow: ends the probe that runs on this thread. Returns if there is none.
void end_overflowing_probe();
// During a probe: adds a shared variable to the kernel's static shared memory.
void note_static_shared(const Variable& variable);

// The kernel of the running launch, or of the last one; null before the first launch.
[[nodiscard]] const Kernel* running_kernel();

}  // namespace tilereel::runtime
