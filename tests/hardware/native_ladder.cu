// The launches of the CUDA files that need the same compute capability. CMake compiles this
// file once for each such capability, as kernels/cuda/native.cu.
#include <cuda.h>
#include <cuda_runtime.h>

#include LADDER_KERNELS
#include "tests/hardware/native_ladder.h"

namespace tilereel::hardware {

std::span<const LadderLaunch> LADDER_LAUNCHES() {
#define LADDER_KERNEL(stem, tile, pad, kernel, launch)                                  \
    {stem, tile, pad, [](const void* a, const void* b, float* c, int m, int n, int k) { \
         launch_untyped(launch, a, b, c, m, n, k);                                      \
     }},
    static constexpr LadderLaunch kLaunches[] = {
#include LADDER_KERNEL_ROWS
    };
#undef LADDER_KERNEL
    return kLaunches;
}

}  // namespace tilereel::hardware
