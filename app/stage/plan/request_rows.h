#pragma once
// The picture of a global request: its transactions by the rules of a generation, in rows of 128
// bytes.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/global_transactions.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kRowBytes = 128, kRowWords = kRowBytes / 4;

struct RequestBox {           // one transaction
    std::uint32_t begin = 0;  // byte offset in the row
    std::uint32_t bytes = 0;
    std::uint32_t words = 0;  // mask of the row's words that its lanes access
};
struct RequestRow {
    std::uint64_t line = 0;        // offset in the array / 128
    std::uint32_t first_lane = 0;  // GlobalTransaction::first_lane
    std::vector<RequestBox> boxes;
};
// Sectors of one line share a row. Any other transaction has a row of its own.
[[nodiscard]] std::vector<RequestRow> request_rows(const WarpAccess& access,
                                                   const GlobalRules& rules);

// The number of distinct 4-byte words that the request accesses.
[[nodiscard]] std::uint32_t words_asked(const WarpAccess& access);

// The reason for these transactions: "coalesced: every byte moved is used".
[[nodiscard]] std::string why_transactions(const WarpAccess& access, const GlobalRules& rules);

}  // namespace tilereel::stage
