#pragma once
// The accesses of a warp whose threads index an array by an expression or a layout: the byte that
// each lane accesses, with padding or an XOR swizzle of the array's rows.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/source/pattern_index.h"

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

// Of an index expression the index is its value for the thread. Of a layout it is the offset of the
// coordinate that is the thread's number; threads beyond the layout access nothing.
//
// A matrix load or store (ldmatrix, stmatrix) takes the addresses of 16-byte rows, 8 a matrix, from
// its first lanes. Of an expression these are the indices of the lanes of a warp. Of a layout of
// (rows, columns) they are the rows of a tile, which one load after another takes as
// matrix_loads.h says.
struct AccessPattern {
    PatternIndex index;                              // in elements
    std::array<std::int64_t, 3> block = {32, 8, 1};  // threads
    Space space = Space::kShared;                    // kShared or kGlobal
    Operation operation = Operation::kLoad;          // kLoad, kStore, kMatrixLoad or kMatrixStore
    std::uint32_t width_bytes = 4;                   // of an element: 1, 2, 4, 8 or 16
    RowLayout layout;                                // see rows_of()
    std::uint32_t matrices = 4;                      // of a matrix load or store: 1, 2 or 4
    [[nodiscard]] bool of_matrices() const { return is_matrix_access(operation); }
};

// kWrongCall, with what to use instead, unless the block has 1 to 1,024 threads, the row has at
// least 1 element, PAD is not negative, the swizzle fits the row, and a matrix load or store is of
// shared memory.
[[nodiscard]] Status check_pattern(const AccessPattern& pattern);

[[nodiscard]] std::uint32_t warps_of(const AccessPattern& pattern);
// The requests of the pattern: one of each warp; of a tile the matrix loads that take all of it.
// Errors as loads_of_tile().
[[nodiscard]] Result<std::uint32_t> requests_of(const AccessPattern& pattern);

// The rows that PAD and swizzle change: AccessPattern::layout; of a layout with rows of its own,
// these.
[[nodiscard]] RowLayout rows_of(const AccessPattern& pattern);
// The place in memory of an index, in elements: padded, then swizzled.
[[nodiscard]] std::int64_t place_of(const AccessPattern& pattern, std::int64_t index);
// A multiple of this many elements keeps the rows of a matrix aligned to 16 bytes; 1 for others.
[[nodiscard]] std::int64_t pad_step(Operation operation, std::uint32_t width_bytes);

// The access of one request: of a warp of the block, or a matrix load of the tile. Lanes with a
// negative index, and lanes beyond the block, are inactive. kWrongCall if an index cannot be
// computed or exceeds 4 GiB, or if a row of a matrix is not 16 aligned bytes.
[[nodiscard]] Result<WarpAccess> access_of(const AccessPattern& pattern, std::uint32_t request);

// Sums over all requests.
struct PatternCost {
    std::uint64_t requests = 0, wavefronts = 0, bank_conflicts = 0, sectors = 0, lines = 0;
};
[[nodiscard]] Result<PatternCost> block_cost(const AccessPattern& pattern,
                                             const Generation& generation);

// The smallest PAD, of less than a row of all banks, with which no request has a bank conflict;
// nullopt if there is none. Errors as block_cost().
[[nodiscard]] Result<std::optional<std::int64_t>> least_pad(AccessPattern pattern,
                                                            const Generation& generation);

// CuTe's swizzle with the fewest bits with which no request has a bank conflict, in place of the
// pattern's PAD and swizzles; one of 0 bits where none is needed, nullopt if there is none. Of
// swizzles of as many bits it is the one with the smallest M, then S. Errors as block_cost().
[[nodiscard]] Result<std::optional<CuteSwizzle>> least_swizzle(const AccessPattern& pattern,
                                                               const Generation& generation);

// The pattern with no PAD and no swizzle.
[[nodiscard]] AccessPattern plain_pattern(AccessPattern pattern);

// The cost of one request as a sentence: "Warp 0 reads 32 words in 17 banks; 15 banks serve 2 words
// one after the other, so it takes 2 wavefronts where 1 would do: 1 conflict."
[[nodiscard]] std::string pattern_sentence(const AccessPattern& pattern, std::uint32_t request,
                                           const WarpAccess& access, const Generation& generation);

// Common index expressions, with a block that shows their cost.
struct PatternPreset {
    const char* title;
    const char* index;
    std::array<std::int64_t, 3> block;
    Space space;
    std::int64_t row;
    std::uint32_t width_bytes;
    bool of_matrices = false;
};
[[nodiscard]] const std::vector<PatternPreset>& pattern_presets();

}  // namespace tilereel
