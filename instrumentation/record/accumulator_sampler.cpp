#include "instrumentation/record/accumulator_sampler.h"

namespace tilereel {

bool AccumulatorSampler::is_due(std::uint32_t warp, std::uint32_t sum, std::uint32_t mask) {
    if (interval_ == 1) return true;
    const std::size_t at = std::size_t{sum} * warps_ + warp;
    if (at >= until_due_.size())
        until_due_.resize(std::size_t{sum + 1} * warps_, {.together = interval_});
    UntilDue& until = until_due_[at];
    if (until.mask == 0) until.mask = mask;
    if (until.together == 0 || until.mask != mask) return is_due_by_lane(until, mask);
    if (--until.together > 0) return false;
    until.together = interval_;
    return true;
}

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
