#pragma once
// Compiles and runs PTX on the current GPU by the driver API. Needs CUDA's headers.
#include <memory>
#include <string>

#include "instrumentation/base/result.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

// As Gpu::load().
Result<std::unique_ptr<GpuModule>> load_module(const std::string& ptx, int registers);

}  // namespace tilereel
