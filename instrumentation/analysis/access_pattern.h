#pragma once
// What a warp does where its threads access an array at an index that an expression gives: which
// byte each lane wants, and how padding or an XOR swizzle of the array's rows changes that.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/index_expression.h"
#include "instrumentation/analysis/request_cost.h"

namespace tilereel {

// How the array's rows lie. An index i is element i % row of row i / row.
struct RowLayout {
    std::int64_t row = 32;  // elements of a row
    std::int64_t pad = 0;   // unused elements at the end of each row
    // XOR swizzle: element x of row y lies where x ^ (y % swizzle * swizzle_unit) lay. A power of
    // two; 1: none. swizzle * swizzle_unit is at most the row, which is a power of two then.
    std::int64_t swizzle = 1;
    std::int64_t swizzle_unit = 1;  // elements that stay together
    bool operator==(const RowLayout&) const = default;
};

struct AccessPattern {
    IndexExpression index;                           // in elements
    std::array<std::int64_t, 3> block = {32, 8, 1};  // threads
    Space space = Space::kShared;                    // or kGlobal
    Operation operation = Operation::kLoad;          // or kStore
    std::uint32_t width_bytes = 4;                   // of an element: 1, 2, 4, 8 or 16
    RowLayout layout;
};

// kWrongCall, with what to use: a block of 1 to 1,024 threads, a row of 1 element or more, a PAD of
// 0 or more, a swizzle that fits the row.
[[nodiscard]] Status check_pattern(const AccessPattern& pattern);

[[nodiscard]] std::uint32_t warps_of(const AccessPattern& pattern);

// What warp number `warp` of the block asks for. A lane with a negative index, and one beyond the
// block, takes no part. kWrongCall where an index cannot be worked out or lies beyond 4 GiB.
[[nodiscard]] Result<WarpAccess> access_of(const AccessPattern& pattern, std::uint32_t warp);

// Sums over all warps of the block.
struct PatternCost {
    std::uint64_t requests = 0, wavefronts = 0, bank_conflicts = 0, sectors = 0, lines = 0;
};
[[nodiscard]] Result<PatternCost> block_cost(const AccessPattern& pattern,
                                             const Generation& generation);

// The least PAD, below one row of banks, with which no warp of the block has a bank conflict;
// nullopt: none. Errors as block_cost().
[[nodiscard]] Result<std::optional<std::int64_t>> least_pad(AccessPattern pattern,
                                                            const Generation& generation);

// What the access of one warp costs, in a sentence: "Warp 0 reads 32 words from 17 banks; 15 banks
// are asked for 2 words, so the read takes 2 wavefronts, 1 more than it needs."
[[nodiscard]] std::string pattern_sentence(const AccessPattern& pattern, std::uint32_t warp,
                                           const WarpAccess& access, const Generation& generation);

// Index expressions that a class meets, with the block that shows them.
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
