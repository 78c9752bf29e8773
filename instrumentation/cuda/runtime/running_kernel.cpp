#include "instrumentation/cuda/runtime/running_kernel.h"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdlib>
#include <string>

#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {
namespace {

const Kernel* kernel_now = nullptr;
std::jmp_buf end_of_probe;
thread_local bool probing = false;
constexpr int kBegun = 1, kOverflow = 2;  // how a probe ends
std::uint32_t static_shared_bytes = 0;    // of the kernel that is probed

// The address to which the running kernel returns; 0: unknown.
std::uint64_t caller_of(const Kernel& kernel) {
    std::array<void*, 16> frames{};
    const int found = backtrace(frames.data(), static_cast<int>(frames.size()));
    const auto entry = reinterpret_cast<std::uint64_t>(kernel.entry);
    const auto from_entry = [&](int frame) {
        return reinterpret_cast<std::uint64_t>(frames[static_cast<std::size_t>(frame)]) - entry;
    };
    int nearest = 0;  // the kernel's own frame
    for (int i = 0; i < found; ++i)
        if (from_entry(i) < from_entry(nearest)) nearest = i;
    return nearest + 1 < found ? from_entry(nearest + 1) + entry : 0;
}

}  // namespace

ProbedKernel probe_kernel(void (*body)(void*), void* data) {
    kernel_now = nullptr;
    static_shared_bytes = 0;
    probing = true;
    const int end = setjmp(end_of_probe);
    if (end == 0) body(data);
    probing = false;
    return {kernel_now, static_shared_bytes, end == kOverflow};
}

void find_static_shared(const void* kernel) {
    const Kernel* const before = kernel_now;
    const ProbedKernel probed = probe_kernel(
        [](void* entry) { reinterpret_cast<void (*)()>(entry)(); }, const_cast<void*>(kernel));
    state_of_kernel(kernel).static_shared_bytes = probed.static_shared_bytes;
    kernel_now = before;
}

void end_overflowing_probe() {
    if (probing) std::longjmp(end_of_probe, kOverflow);
}

void note_static_shared(const Variable& variable) {
    if (!probing || is_dynamic_shared(variable)) return;
    const std::uint32_t align = std::max(variable.align_bytes, 4u);
    static_shared_bytes = (static_shared_bytes + align - 1) / align * align +
                          static_cast<std::uint32_t>(variable.bytes);
}

const Kernel* running_kernel() { return kernel_now; }

extern "C" void* tilereel_kernel(Kernel* kernel) { return tilereel_entry(kernel->entry); }

extern "C" void* tilereel_entry(void* function) {
    const bool other = running.unhooked && kernel_now != nullptr && function == kernel_now->entry &&
                       kernel_now->unhooked != nullptr;
    return other ? kernel_now->unhooked : function;
}

extern "C" void tilereel_begin(Kernel* kernel) {
    if (!probing) {
        if (RunningBlock::current() != nullptr) return;
        send_finding(
            RecordedFindingKind::kOther,
            std::string("A kernel is called without <<<grid, block>>>: ") + kernel->name + ".",
            "Launch it: kernel<<<blocks, threads>>>(arguments).", "", 0, caller_of(*kernel));
        std::exit(1);
    }
    kernel_now = kernel;
    std::longjmp(end_of_probe, kBegun);
}

}  // namespace tilereel::runtime
