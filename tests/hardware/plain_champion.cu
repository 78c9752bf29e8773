#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "kernels/ladder.h"
#include "tests/hardware/plain_ladder.h"

namespace plain_20_champion {
#include "kernels/plain/20_champion.cu"
}

namespace tilereel::hardware {

std::span<const PlainLaunch> plain_champion() {
#define VARIANT(kernel, tile, pad) \
    {"20_champion", tile, pad, plain_20_champion::launch_champion<tile>},
    static constexpr PlainLaunch kLaunches[] = {TILEREEL_BOX_TILES};
#undef VARIANT
    return kLaunches;
}

}  // namespace tilereel::hardware
