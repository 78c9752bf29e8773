#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "tests/hardware/plain_ladder.h"

namespace plain_20_champion {
#include "kernels/plain/20_champion.cu"
}

namespace tilereel::hardware {

std::span<const PlainLaunch> plain_champion() {
#define PLAIN_KERNEL(stem, tile, pad, kernel, launch) {stem, tile, pad, launch},
    static constexpr PlainLaunch kLaunches[] = {
#include "plain_champion_rows.h"
    };
#undef PLAIN_KERNEL
    return kLaunches;
}

}  // namespace tilereel::hardware
