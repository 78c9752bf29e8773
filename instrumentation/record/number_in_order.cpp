#include "instrumentation/record/number_in_order.h"

#include <algorithm>

namespace tilereel {

void number_in_order(Trace& trace, const std::vector<std::uint32_t>& sums,
                     const std::vector<std::uint32_t>& barriers) {
    if (std::ranges::is_sorted(sums) && std::ranges::is_sorted(barriers)) return;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Operation operation = site_at(trace, i).operation;
        std::uint32_t& base = trace.records.base[i];
        if (operation == Operation::kMultiplyAdd) {
            base = sums[base];
        } else if (is_mbarrier_operation(operation)) {
            const MBarrierPhase at = MBarrierPhase::of(base);
            base = MBarrierPhase{barriers[at.barrier], at.phase}.base();
        }
    }
}

}  // namespace tilereel
