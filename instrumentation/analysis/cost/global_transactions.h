#pragma once
// The memory transactions of a global request by a generation's rules.
#include <vector>

#include "instrumentation/analysis/cost/warp_access.h"
#include "instrumentation/analysis/generations/generation.h"

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
    std::uint32_t lanes = 0;       // mask of the lanes that it serves, completely or partly
    std::uint32_t first_lane = 0;  // of its group of lanes: 0, or 16 for the second half-warp
};
// The transactions that global_transactions() counts, by groups of lanes served together. Within a
// group they are sorted by address, or by lane if every lane has a transaction of its own.
[[nodiscard]] std::vector<GlobalTransaction> list_transactions(const WarpAccess& access,
                                                               const GlobalRules& rules);

}  // namespace tilereel
