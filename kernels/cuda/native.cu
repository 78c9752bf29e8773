// The ladder as it races: the plain CUDA files, as they are.
#include <cuda_runtime.h>

#include <vector>

#include "kernels/cuda/box_kernels.cuh"
#include "plain_kernels.h"

namespace tilereel {

std::span<const DeviceKernel> native_kernels() {
#define PLAIN_KERNEL(stem, tile, pad, kernel, launch) \
    {stem, tile, pad, reinterpret_cast<const void*>(&kernel), launch},
    static const std::vector<DeviceKernel> table = [] {
        std::vector<DeviceKernel> kernels = {
#include "plain_kernel_rows.h"
        };
        const std::span<const DeviceKernel> boxes = native_box_kernels();
        kernels.insert(kernels.end(), boxes.begin(), boxes.end());
        return kernels;
    }();
#undef PLAIN_KERNEL
    return table;
}

}  // namespace tilereel
