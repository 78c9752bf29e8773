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
    [[nodiscard]] bool is_due(std::uint32_t warp, std::uint32_t sum, std::uint32_t mask) {
        if (interval_ == 1) return true;
        const std::size_t at = std::size_t{sum} * warps_ + warp;
        if (at >= until_due_.size()) [[unlikely]]
            until_due_.resize(std::size_t{sum + 1} * warps_, {.together = interval_});
        UntilDue& until = until_due_[at];
        if (until.mask == 0) until.mask = mask;
        if (until.together == 0 || until.mask != mask) return is_due_by_lane(until, mask);
        if (--until.together > 0) return false;
        until.together = interval_;
        return true;
    }
    [[nodiscard]] std::uint32_t interval() const { return interval_; }

  private:
    // How many multiply-adds each lane of a warp still makes until one is recorded. As long as
    // always the same lanes make them, one number serves for all.
    struct UntilDue {
        std::uint32_t together = 0;  // of each lane of `mask`; 0: `by_lane` counts
        std::uint32_t mask = 0;      // these lanes; 0: none has made one
        LaneWords by_lane{};
    };
    [[nodiscard]] bool is_due_by_lane(UntilDue& until, std::uint32_t mask) const;

    std::uint32_t interval_;
    std::uint32_t warps_ = 0;
    std::vector<UntilDue> until_due_;  // by sum x warp
};

}  // namespace tilereel
