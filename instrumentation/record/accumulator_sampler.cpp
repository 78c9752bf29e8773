#include "instrumentation/record/accumulator_sampler.h"

namespace tilereel {

bool AccumulatorSampler::is_due(std::uint32_t warp, std::uint32_t sum, std::uint32_t mask) {
    if (interval_ == 1) return true;
    const std::size_t at = std::size_t{sum} * warps_ + warp;
    if (at >= until_due_.size()) {
        LaneWords all;
        all.fill(interval_);
        until_due_.resize(std::size_t{sum + 1} * warps_, all);
    }
    if (mask != active_mask_) {
        active_mask_ = mask;
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) active_[lane] = mask >> lane & 1u;
    }
    LaneWords& until = until_due_[at];
    std::uint32_t reached = 0;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        until[lane] -= active_[lane];
        const std::uint32_t zero = until[lane] == 0 ? 0xffffffff : 0;
        reached |= zero;
        until[lane] += zero & interval_;
    }
    return reached != 0;
}

}  // namespace tilereel
