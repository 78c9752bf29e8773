#pragma once
// Races on the GPU: the ladder's native build and cuBLAS.
#include <memory>
#include <vector>

#include "app/race/runners/own_kernel.h"

namespace tilereel {

struct GpuRunnerOptions {
    bool reference = true;  // with cuBLAS, if it is installed
    bool measure_roofs = true;
    std::vector<OwnKernel> own{};
};
// kFailed if this build or this machine has no GPU, or if the driver is too old.
Result<std::unique_ptr<Runner>> make_gpu_runner(const GpuRunnerOptions& options = {});

}  // namespace tilereel
