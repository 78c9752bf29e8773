#pragma once
// Counters request by request, for what walks a trace in time.
#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/request_cost.h"

namespace tilereel {

// Adds one request to the counts of its kind, by the rules of count_kernel().
void count_request(KernelCounts& counts, Space space, Operation operation, const RequestCost& cost);

}  // namespace tilereel
