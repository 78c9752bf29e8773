#pragma once
// The analysis of an index expression or a layout, as the Pattern lab and `explain --expression`
// show it.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/analysis/cost/access_pattern.h"

namespace tilereel {

struct PatternAnswer {
    AccessPattern pattern;
    std::uint32_t warp = 0;      // the request that is shown; of a tile the matrix load
    std::uint32_t requests = 1;  // of all warps, or of the tile
    const Generation* generation = &default_generation();
    WarpAccess access;                           // of that request
    RequestCost cost;                            // of that request
    std::optional<RequestCost> plain = {};       // without PAD and swizzle; nullopt: it has neither
    BankService banks;                           // of that request; shared memory only
    PatternCost block;                           // of all requests
    std::optional<std::int64_t> least_pad = {};  // see least_pad(); shared memory only
    std::optional<CuteSwizzle> least_swizzle = {};  // see least_swizzle(); shared memory only
    std::string sentence;
};
// Errors as check_pattern() and access_of(); kWrongCall for a request that the pattern does not
// have, and for a matrix load on a GPU that has none.
[[nodiscard]] Result<PatternAnswer> answer_pattern(const AccessPattern& pattern, std::uint32_t warp,
                                                   const Generation& generation);

// "load", "store", "ldmatrix", "stmatrix"
[[nodiscard]] const char* pattern_operation_name(Operation operation);
// "16x16", "32x8x2"; nullopt for anything else.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> parse_block(std::string_view text);
// "16 x 16"; with a third extent if it is not 1.
[[nodiscard]] std::string block_text(const std::array<std::int64_t, 3>& block);

}  // namespace tilereel
