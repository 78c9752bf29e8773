// A build without the CUDA Toolkit has no GPU to race on.
#include "app/race/other_kernels/work_device.h"
#include "app/race/runners/gpu_runner.h"

namespace tilereel {
namespace {

Error built_without() {
    return failed(
        "this Tilereel was built without the GPU; install the CUDA Toolkit and build it again");
}

}  // namespace

Result<std::unique_ptr<Runner>> make_gpu_runner(const GpuRunnerOptions&) { return built_without(); }

Result<std::unique_ptr<WorkDevice>> make_gpu_work_device() { return built_without(); }

}  // namespace tilereel
