#include <cuda_runtime.h>

#include "plain_kernels.h"
#include "tests/hardware/plain_ladder.h"

namespace tilereel::hardware {

std::span<const PlainLaunch> plain_ladder() {
#define PLAIN_KERNEL(stem, tile, pad, kernel, launch) {stem, tile, pad, launch},
    static constexpr PlainLaunch kLaunches[] = {
#include "plain_kernel_rows.h"
    };
#undef PLAIN_KERNEL
    return kLaunches;
}

}  // namespace tilereel::hardware
