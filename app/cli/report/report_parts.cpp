#include "app/cli/report/report_parts.h"

namespace tilereel {

CounterPlace counter_place_of(const Trace& trace, const Site& site) {
    if (!is_access(site.operation)) return kOfOthers;
    return trace.arrays[site.array].space == Space::kGlobal ? kOfGlobal : kOfShared;
}

bool has_sums(const Trace& trace, const KernelCounts& counts) {
    return !trace.recorded_by.accesses_only || counts.multiply_adds > 0;
}

}  // namespace tilereel
