#pragma once
// Which multiply-adds keep the value of their sum: for each lane every `interval`-th one into each
// sum, besides the last of each epoch, which its caller knows.
#include <cstdint>
#include <vector>

#include "instrumentation/record/batch.h"

namespace tilereel {

class KeptSums {
  public:
    explicit KeptSums(std::uint32_t interval) : interval_(interval) {}
    void begin_block(std::uint32_t warps) {
        warps_ = warps;
        until_due_.clear();
    }
    // Counts one multiply-add of the lanes of `mask`; whether it is the interval-th for any of
    // them.
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
