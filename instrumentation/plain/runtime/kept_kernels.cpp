// Kernels that a program names by a pointer without a type.
#include <map>
#include <mutex>

#include "cuda_runtime_api.h"
#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/include/tilereel/launch_types.h"
#include "instrumentation/plain/runtime/program.h"

namespace tilereel::plain {

using KernelCall = void (*)(const void* kernel, void** arguments);
void keep_kernel(const void* kernel, KernelCall call);
cudaError_t launch_kept(const void* kernel, const LaunchShape& shape, void** arguments,
                        bool cooperative);

namespace {

std::mutex kept_mutex;
std::map<const void*, KernelCall>& calls_kept() {
    static auto& calls = *new std::map<const void*, KernelCall>;
    return calls;
}

}  // namespace

void keep_kernel(const void* kernel, KernelCall call) {
    const std::lock_guard guard(kept_mutex);
    calls_kept()[kernel] = call;
}

cudaError_t launch_kept(const void* kernel, const LaunchShape& shape, void** arguments,
                        bool cooperative) {
    KernelCall call = nullptr;
    {
        const std::lock_guard guard(kept_mutex);
        const auto found = calls_kept().find(kernel);
        if (found != calls_kept().end()) call = found->second;
    }
    if (call == nullptr) {
        send_finding(
            RecordedFindingKind::kOther,
            "cudaLaunchKernel is called with a pointer that is not a kernel of the program.",
            "Pass the kernel's name, cast to void* where needed.");
        return set_error(cudaErrorInvalidDeviceFunction);
    }
    struct Thread {
        KernelCall call;
        const void* kernel;
        void** arguments;
    } thread{call, kernel, arguments};
    return launch(
        {"", "", 0}, shape,
        [](void* data) {
            const Thread& self = *static_cast<Thread*>(data);
            self.call(self.kernel, self.arguments);
        },
        &thread, cooperative);
}

}  // namespace tilereel::plain
