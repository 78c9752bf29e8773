#pragma once
// How the global accesses of one request become memory transactions by a generation's rules.
#include "instrumentation/analysis/request_cost.h"

namespace tilereel {

struct GlobalTransactions {
    std::uint32_t transactions = 0, lines = 0, bytes = 0, bytes_used = 0;  // as in RequestCost
};
[[nodiscard]] GlobalTransactions global_transactions(const WarpAccess& access,
                                                     const GlobalRules& rules);

}  // namespace tilereel
