#pragma once
// The numbers of the sums in a trace. Elements of a thread's own arrays come first, by their place,
// as the source numbers them; sums in registers behind them, as the PTX numbers them.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

struct GpuConversion;

class GpuSums {
  public:
    // Of all records.
    static Result<GpuSums> of(const GpuConversion& conversion);
    // `sum`: as a record says, which was among them.
    [[nodiscard]] std::uint32_t number_of(std::uint32_t sum) const {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(sums_, sum) - sums_.begin());
    }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(sums_.size()); }

  private:
    std::vector<std::uint32_t> sums_;  // ascending: those in registers have the highest bit
};

// Of the multiply-adds of an epoch, from its end on: whether one is the last into its sum for any
// of its lanes.
class LastSums {
  public:
    explicit LastSums(const GpuSums& sums) : sums_(sums) {}
    void begin_epoch() { later_.assign(sums_.count(), 0); }
    [[nodiscard]] bool is_last(std::uint32_t sum, std::uint32_t mask) {
        std::uint32_t& later = later_[sums_.number_of(sum)];
        const bool last = (mask & ~later) != 0;
        later |= mask;
        return last;
    }

  private:
    const GpuSums& sums_;
    std::vector<std::uint32_t> later_;  // by sum: the lanes that add to it later
};

}  // namespace tilereel::plain
