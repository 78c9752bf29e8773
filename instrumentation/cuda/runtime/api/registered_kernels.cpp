// Kernels that a program launches through a const void*, as cudaLaunchKernel() takes it.
#include <map>
#include <mutex>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/include/tilereel/launch_types.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

void register_kernel(const KernelSignature& signature);
cudaError_t launch_registered(const void* kernel, const LaunchShape& shape, void** arguments,
                              bool cooperative);

namespace {

std::mutex registered_mutex;
std::map<const void*, KernelSignature>& registered_kernels() {
    static auto& kernels = *new std::map<const void*, KernelSignature>;
    return kernels;
}

}  // namespace

void register_kernel(const KernelSignature& signature) {
    const std::lock_guard guard(registered_mutex);
    registered_kernels()[signature.kernel] = signature;
}
const KernelSignature* registered_kernel(const void* kernel) {
    const std::lock_guard guard(registered_mutex);
    const auto found = registered_kernels().find(kernel);
    return found == registered_kernels().end() ? nullptr : &found->second;
}

cudaError_t launch_registered(const void* kernel, const LaunchShape& shape, void** arguments,
                              bool cooperative) {
    const KernelSignature* const signature = registered_kernel(kernel);
    if (signature == nullptr) {
        send_finding(
            RecordedFindingKind::kOther,
            "cudaLaunchKernel is called with a pointer that is not a kernel of the program.",
            "Pass the kernel's name, cast to void* where needed.");
        return set_error(cudaErrorInvalidDeviceFunction);
    }
    if (is_captured(shape.stream))
        return capture_launch({"", "", 0}, shape, cooperative, *signature, arguments);
    struct Thread {
        const KernelSignature& signature;
        void** arguments;
    } thread{*signature, arguments};
    return launch(
        {"", "", 0}, shape,
        [](void* data) {
            const Thread& self = *static_cast<Thread*>(data);
            self.signature.call(self.signature.kernel, self.arguments);
        },
        &thread, cooperative);
}

}  // namespace tilereel::runtime
