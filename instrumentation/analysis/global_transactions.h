#pragma once
// How a global request becomes memory transactions by a generation's rules.
#include <vector>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/analysis/warp_access.h"

namespace tilereel {

struct GlobalTransactions {
    std::uint32_t transactions = 0, lines = 0, bytes = 0, bytes_used = 0;  // as in RequestCost
};
[[nodiscard]] GlobalTransactions global_transactions(const WarpAccess& access,
                                                     const GlobalRules& rules);

// One transaction of a request: aligned bytes [begin, begin + bytes) of the array.
struct GlobalTransaction {
    std::uint64_t begin = 0;
    std::uint32_t bytes = 0;
    std::uint32_t lanes = 0;       // mask of those that it serves, in whole or in part
    std::uint32_t first_lane = 0;  // of the lanes served together: 0, 16 for the second half-warp
};
// Those that global_transactions() counts: group by group of lanes served together, and within a
// group by place or, where every lane has one of its own, by lane.
[[nodiscard]] std::vector<GlobalTransaction> list_transactions(const WarpAccess& access,
                                                               const GlobalRules& rules);

}  // namespace tilereel
