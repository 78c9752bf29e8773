#pragma once
// Selects the multiply-adds whose accumulator value is recorded: for each lane and accumulator
// every `interval`-th one. The caller also records the last one of each epoch.
#include <cstdint>
#include <vector>

#include "instrumentation/record/batch.h"

namespace tilereel {

class AccumulatorSampler {
  public:
    explicit AccumulatorSampler(std::uint32_t interval) : interval_(interval) {}
    void begin_block(std::uint32_t warps) {
        warps_ = warps;
        until_due_.clear();
    }
    // Counts one multiply-add of the lanes of `mask`. Returns whether it is the interval-th one for
    // any of them.
    [[nodiscard]] bool is_due(std::uint32_t warp, std::uint32_t sum, std::uint32_t mask);
    [[nodiscard]] std::uint32_t interval() const { return interval_; }

  private:
    std::uint32_t interval_;
    std::uint32_t warps_ = 0;
    std::vector<LaneWords> until_due_;  // by sum x warp: multiply-adds to go, by lane
    std::uint32_t active_mask_ = 0;
    LaneWords active_{};  // 1 for the lanes of active_mask_
};

}  // namespace tilereel
