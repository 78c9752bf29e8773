#pragma once
// Which blocks of a launch are recorded.
#include <cstdint>
#include <vector>

#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {

// Ascending. Of `count` blocks the first, the middle and the last one of the grid are chosen before
// others, which lie evenly between them; at least these three, and all where `count` allows.
[[nodiscard]] std::vector<std::uint32_t> spread_blocks(const Index3& grid, std::uint64_t count);

// Of the blocks in Options::more_blocks, those of a launch with so many blocks that are not in
// `chosen` (ascending). Ascending.
[[nodiscard]] std::vector<std::uint32_t> more_blocks_of(std::uint32_t launch, std::uint64_t blocks,
                                                        const std::vector<std::uint32_t>& chosen);

}  // namespace tilereel::plain
