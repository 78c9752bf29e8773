#pragma once
// What a matrix load or store would cost if its rows lay plainly: without a swizzle and without
// padding. Computed from its addresses; nothing of it was recorded.
//
// The eight rows of a matrix are rows of a tile in shared memory, one below the other. In a tile of
// S bytes a row, plain rows put the pieces of 16 bytes of a matrix S bytes apart. A swizzle moves a
// piece within its row, by XOR with the row's number. Padding makes the distance larger than a
// power of two:
//
//     swizzled, S = 128   address / S counts up by 1, address % S changes from row to row
//     padded              equal distances that are no power of two: S is the next lower one
#include <optional>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel {

enum class RowPlacement : std::uint8_t { kSwizzled, kPadded };

struct PlainRows {
    RowPlacement recorded = RowPlacement::kSwizzled;
    std::uint32_t row_bytes = 128;    // S
    std::uint32_t padding_bytes = 0;  // of a recorded row
    WarpAccess access;                // with plain rows
    RequestCost cost;
};

// nullopt: the rows lie plainly already, or not in any of these ways. `access`: of a matrix load or
// store.
[[nodiscard]] std::optional<PlainRows> plain_rows(
    const WarpAccess& access, const Generation& generation = default_generation());

}  // namespace tilereel
