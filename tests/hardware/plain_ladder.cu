// The launches of the plain CUDA files that need the same compute capability. CMake compiles this
// file once for each such capability, as kernels/cuda/native.cu.
#include <cuda.h>
#include <cuda_runtime.h>

#include PLAIN_KERNELS
#include "tests/hardware/plain_ladder.h"

namespace tilereel::hardware {

std::span<const PlainLaunch> PLAIN_LADDER() {
#define PLAIN_KERNEL(stem, tile, pad, kernel, launch) {stem, tile, pad, launch},
    static constexpr PlainLaunch kLaunches[] = {
#include PLAIN_KERNEL_ROWS
    };
#undef PLAIN_KERNEL
    return kLaunches;
}

}  // namespace tilereel::hardware
