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

}  // namespace tilereel::plain
