// Kernels that a program launches through a const void*, as cudaLaunchKernel() takes it.
#include <map>
#include <mutex>

#include "cuda_runtime_api.h"
#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/include/tilereel/launch_types.h"
#include "instrumentation/plain/runtime/program.h"

namespace tilereel::plain {

using KernelCall = void (*)(const void* kernel, void** arguments);
void register_kernel(const void* kernel, KernelCall call);
cudaError_t launch_registered(const void* kernel, const LaunchShape& shape, void** arguments,
                              bool cooperative);

namespace {

std::mutex registered_mutex;
std::map<const void*, KernelCall>& registered_calls() {
    static auto& calls = *new std::map<const void*, KernelCall>;
    return calls;
}

}  // namespace

void register_kernel(const void* kernel, KernelCall call) {
    const std::lock_guard guard(registered_mutex);
    registered_calls()[kernel] = call;
}

cudaError_t launch_registered(const void* kernel, const LaunchShape& shape, void** arguments,
                              bool cooperative) {
    KernelCall call = nullptr;
    {
        const std::lock_guard guard(registered_mutex);
        const auto found = registered_calls().find(kernel);
        if (found != registered_calls().end()) call = found->second;
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
