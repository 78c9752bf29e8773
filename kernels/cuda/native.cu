// The plain CUDA files that need one compute capability, as they are. CMake compiles this once for
// each (CMakeLists.txt), with
//   PLAIN_KERNELS, PLAIN_KERNEL_ROWS   the headers that it has written of the files
//   NATIVE_KERNELS                     the name of the function
#include <cuda.h>
#include <cuda_runtime.h>

#include <vector>

#include PLAIN_KERNELS
#include "kernels/cuda/device_kernels.h"

namespace tilereel {

std::vector<DeviceKernel> NATIVE_KERNELS() {
#define PLAIN_KERNEL(stem, tile, pad, kernel, launch) \
    {stem, tile, pad, reinterpret_cast<const void*>(&kernel), launch},
    return {
#include PLAIN_KERNEL_ROWS
    };
#undef PLAIN_KERNEL
}

}  // namespace tilereel
