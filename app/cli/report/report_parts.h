#pragma once
// What the text and the JSON of a report have in common.
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

// The group of counters that applies to a site.
[[nodiscard]] CounterPlace counter_place_of(const Trace& trace, const Site& site);
// Whether the recorder can record multiply-adds, or has recorded some.
[[nodiscard]] bool has_sums(const Trace& trace, const KernelCounts& counts);

}  // namespace tilereel
