#pragma once
// How long a row is where a one-dimensional array holds a matrix. The guess is only a picture:
// nothing is counted by it.
#include <cstdint>
#include <optional>

#include "app/replay/replay.h"

namespace tilereel {

inline constexpr std::uint32_t kUsualRowLength = 32;  // a warp

// In cells (contents.h). An array of several extents has its own row length. Otherwise the first
// rule that gives one:
// 1. the distance between what threads one apart in threadIdx.y access on the same line, if it is
//    the same everywhere and over 1;
// 2. the distance between what threads one apart in threadIdx.x access, likewise: they go down a
// column;
// 3. the distance between a thread's successive accesses on the same line, likewise;
// 4. kUsualRowLength.
[[nodiscard]] std::uint32_t row_length_of(const Replay& replay, ArrayId array);
// By its extents or by the first three rules; none of these gives one: empty.
[[nodiscard]] std::optional<std::uint32_t> found_row_length(const Replay& replay, ArrayId array);

}  // namespace tilereel
