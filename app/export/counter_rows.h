#pragma once
// The counters that an export lists, with their names.
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

struct CounterRow {
    std::string label;  // "global load sectors"
    std::uint64_t value = 0;
    bool conflict = false;  // counts bank conflicts
};
// The rows and their order are always the same for a generation. The generation determines the unit
// of global memory.
[[nodiscard]] std::vector<CounterRow> counter_rows(const KernelCounts& counts,
                                                   const Generation& generation);

}  // namespace tilereel
