#pragma once
// What the picture of a global request shows: its transactions, row by row, by the rules of a
// generation. A row is 128 bytes wide.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/analysis/global_transactions.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kRowBytes = 128, kRowWords = kRowBytes / 4;

struct RequestBox {           // one transaction
    std::uint32_t begin = 0;  // bytes from the row's first
    std::uint32_t bytes = 0;
    std::uint32_t words = 0;  // those asked for, by its own lanes: one bit a word of the row
};
struct RequestRow {
    std::uint64_t line = 0;        // which 128 bytes of the array
    std::uint32_t first_lane = 0;  // of the lanes served together
    std::vector<RequestBox> boxes;
};
// Sectors of one line share its row; any other transaction has a row of its own.
[[nodiscard]] std::vector<RequestRow> request_rows(const WarpAccess& access,
                                                   const GlobalRules& rules);

// Distinct 4-byte words that the request asks for.
[[nodiscard]] std::uint32_t words_asked(const WarpAccess& access);

// Why it takes these transactions: "coalesced: every byte moved is used".
[[nodiscard]] std::string why_transactions(const WarpAccess& access, const GlobalRules& rules);

}  // namespace tilereel::stage
