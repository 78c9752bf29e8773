#pragma once
// Races on the GPU: the ladder's native build and cuBLAS.
#include <memory>

#include "app/race/race.h"

namespace tilereel {

struct GpuRunnerOptions {
    bool reference = true;  // cuBLAS, where it is
    bool measure_roofs = true;
};
// kFailed where there is no GPU: not in this build, not in this machine, or a driver too old.
Result<std::unique_ptr<Runner>> make_gpu_runner(const GpuRunnerOptions& options = {});

}  // namespace tilereel
