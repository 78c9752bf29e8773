// The CUDA files that need the same compute capability, unchanged. CMake compiles this file
// once for each such capability (CMakeLists.txt), with
//   LADDER_KERNELS, LADDER_KERNEL_ROWS   the headers that CMake generates from the files
//   NATIVE_KERNELS                     the name of the function below
#include <cuda.h>
#include <cuda_runtime.h>

#include <vector>

#include LADDER_KERNELS
#include "kernels/cuda/device_kernels.h"

namespace tilereel {

std::vector<DeviceKernel> NATIVE_KERNELS() {
#define LADDER_KERNEL(stem, tile, pad, kernel, launch) \
    {stem, tile, pad, reinterpret_cast<const void*>(&kernel),                            \
     [](const void* a, const void* b, float* c, int m, int n, int k) {                   \
         launch_untyped(launch, a, b, c, m, n, k);                                       \
     }},
    return {
#include LADDER_KERNEL_ROWS
    };
#undef LADDER_KERNEL
}

}  // namespace tilereel
