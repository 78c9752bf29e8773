// make_gpu_runner() in a build without the CUDA Toolkit.
#include "app/race/runners/gpu_runner.h"

namespace tilereel {

Result<std::unique_ptr<Runner>> make_gpu_runner(const GpuRunnerOptions&) {
    return failed(
        "this Tilereel was built without the GPU; install the CUDA Toolkit and build it again");
}

}  // namespace tilereel
