#include "instrumentation/record/accumulator_sampler.h"

namespace tilereel {

bool AccumulatorSampler::is_due_by_lane(UntilDue& until, std::uint32_t mask) const {
    if (until.together > 0) {
        for (std::size_t lane = 0; lane < kWarpSize; ++lane)
            until.by_lane[lane] = (until.mask >> lane & 1u) != 0 ? until.together : interval_;
        until.together = 0;
    }
    std::uint32_t reached = 0;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        until.by_lane[lane] -= mask >> lane & 1u;
        const std::uint32_t zero = until.by_lane[lane] == 0 ? 0xffffffff : 0;
        reached |= zero;
        until.by_lane[lane] += zero & interval_;
    }
    return reached != 0;
}

}  // namespace tilereel
