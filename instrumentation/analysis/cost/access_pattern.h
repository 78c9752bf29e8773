#pragma once
// The accesses of a warp whose threads index an array by an expression: the byte that each lane
// accesses, with padding or an XOR swizzle of the array's rows.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/source/index_expression.h"

namespace tilereel {

// The layout of the array's rows. Index i is element i % row of row i / row.
struct RowLayout {
    std::int64_t row = 32;  // elements of a row
    std::int64_t pad = 0;   // unused elements at the end of each row
    // XOR swizzle: element x of row y is stored at position x ^ (y % swizzle * swizzle_unit) of the
    // row. A power of two; 1: no swizzle. With a swizzle, `row` is a power of two and at least
    // swizzle * swizzle_unit.
    std::int64_t swizzle = 1;
    std::int64_t swizzle_unit = 1;  // elements that stay adjacent
    bool operator==(const RowLayout&) const = default;
};

struct AccessPattern {
    IndexExpression index;                           // in elements
    std::array<std::int64_t, 3> block = {32, 8, 1};  // threads
    Space space = Space::kShared;                    // kShared or kGlobal
    Operation operation = Operation::kLoad;          // kLoad or kStore
    std::uint32_t width_bytes = 4;                   // of an element: 1, 2, 4, 8 or 16
    RowLayout layout;
};

// kWrongCall, with what to use instead, unless the block has 1 to 1,024 threads, the row has at
// least 1 element, PAD is not negative, and the swizzle fits the row.
[[nodiscard]] Status check_pattern(const AccessPattern& pattern);

[[nodiscard]] std::uint32_t warps_of(const AccessPattern& pattern);

// The access of one warp of the block. Lanes with a negative index, and lanes beyond the block, are
// inactive. kWrongCall if an index cannot be computed or exceeds 4 GiB.
[[nodiscard]] Result<WarpAccess> access_of(const AccessPattern& pattern, std::uint32_t warp);

// Sums over all warps of the block.
struct PatternCost {
    std::uint64_t requests = 0, wavefronts = 0, bank_conflicts = 0, sectors = 0, lines = 0;
};
[[nodiscard]] Result<PatternCost> block_cost(const AccessPattern& pattern,
                                             const Generation& generation);

// The smallest PAD, less than the number of banks, with which no warp of the block has a bank
// conflict; nullopt if there is none. Errors as block_cost().
[[nodiscard]] Result<std::optional<std::int64_t>> least_pad(AccessPattern pattern,
                                                            const Generation& generation);

// The cost of one warp's access as a sentence: "Warp 0 reads 32 words in 17 banks; 15 banks serve 2
// words one after the other, so it takes 2 wavefronts where 1 would do: 1 conflict."
[[nodiscard]] std::string pattern_sentence(const AccessPattern& pattern, std::uint32_t warp,
                                           const WarpAccess& access, const Generation& generation);

// Common index expressions, with a block that shows their cost.
struct PatternPreset {
    const char* title;
    const char* index;
    std::array<std::int64_t, 3> block;
    Space space;
    std::int64_t row;
    std::uint32_t width_bytes;
};
[[nodiscard]] const std::vector<PatternPreset>& pattern_presets();

}  // namespace tilereel
