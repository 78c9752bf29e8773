#pragma once
// Extents of a small launch whose blocks do what those of a large one do.
#include <algorithm>

namespace tilereel {

inline constexpr int kAlignedExtent = 32;  // a row that is longer by it lies alike in lines

// The largest extent of a small launch: some blocks, and the remainder of the large one.
[[nodiscard]] inline int small_extent(int extent, unsigned blocks) {
    constexpr int kBlocksEachWay = 2;
    const int of_a_block = (extent + static_cast<int>(blocks) - 1) / static_cast<int>(blocks);
    return std::min(extent, kBlocksEachWay * of_a_block + extent % kAlignedExtent);
}

}  // namespace tilereel
