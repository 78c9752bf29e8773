#pragma once
// The analysis of an index expression, as the Pattern lab and `explain --expression` show it.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/analysis/cost/access_pattern.h"

namespace tilereel {

struct PatternAnswer {
    AccessPattern pattern;
    std::uint32_t warp = 0;
    const Generation* generation = &default_generation();
    WarpAccess access;                      // of that warp
    RequestCost cost;                       // of that warp
    BankService banks;                      // of that warp; shared memory only
    PatternCost block;                      // of all warps
    std::optional<std::int64_t> least_pad;  // see least_pad(); shared memory only
    std::string sentence;
};
// Errors as check_pattern() and access_of(); kWrongCall for a warp that the block does not have.
[[nodiscard]] Result<PatternAnswer> answer_pattern(const AccessPattern& pattern, std::uint32_t warp,
                                                   const Generation& generation);

// "16x16", "32x8x2"; nullopt for anything else.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> parse_block(std::string_view text);
// "16 x 16"; with a third extent if it is not 1.
[[nodiscard]] std::string block_text(const std::array<std::int64_t, 3>& block);

}  // namespace tilereel
