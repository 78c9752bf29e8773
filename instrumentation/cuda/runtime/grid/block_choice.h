#pragma once
// Chooses the blocks of a launch that are recorded.
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

// `count` blocks in ascending order: the first, the middle and the last one of the grid, and others
// at equal distances. These three are chosen even if `count` is smaller.
[[nodiscard]] std::vector<std::uint32_t> spread_blocks(const Index3& grid, std::uint64_t count);

// The blocks to record of a launch whose blocks cost `cost` accesses each: all of them if `budget`
// allows it. Otherwise some, so that they come soon: as many as Options::accesses_of_sample allows;
// of very long blocks fewer than three.
[[nodiscard]] std::vector<std::uint32_t> blocks_within(const Index3& grid, std::uint64_t cost,
                                                       std::uint64_t budget);

// The blocks of Options::more_blocks that belong to this launch of `blocks` blocks and are not in
// `chosen`. Both lists are ascending.
[[nodiscard]] std::vector<std::uint32_t> more_blocks_of(std::uint32_t launch, std::uint64_t blocks,
                                                        const std::vector<std::uint32_t>& chosen);

}  // namespace tilereel::runtime
