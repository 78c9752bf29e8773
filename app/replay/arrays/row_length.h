#pragma once
// Guesses the row length of a matrix in a one-dimensional array. Only the picture depends on it, no
// count does.
#include <cstdint>
#include <optional>

#include "app/replay/replay.h"

namespace tilereel {

inline constexpr std::uint32_t kUsualRowLength = 32;  // a warp

// The row length in cells (contents.h). An array of several extents has its declared row length.
// For others it is the first of these distances between accesses of the same site that is constant
// in the block and greater than 1 cell:
// 1. between threads that are neighbours in threadIdx.y;
// 2. between threads that are neighbours in threadIdx.x (they walk down a column);
// 3. between successive accesses of one thread.
// If that is not less than the array's cells, or there is none: kUsualRowLength, or all cells if
// there are fewer.
[[nodiscard]] std::uint32_t row_length_of(const Replay& replay, ArrayId array);
// The same, but nullopt in place of kUsualRowLength.
[[nodiscard]] std::optional<std::uint32_t> found_row_length(const Replay& replay, ArrayId array);

}  // namespace tilereel
