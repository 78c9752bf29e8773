#include "instrumentation/cuda/runtime/grid/block_choice.h"

#include <algorithm>
#include <numeric>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

std::vector<std::uint32_t> spread_blocks(const Index3& grid, std::uint64_t count) {
    const auto blocks = static_cast<std::uint32_t>(grid.count());
    std::vector<std::uint32_t> chosen;
    if (count >= blocks) {
        chosen.resize(blocks);
        std::iota(chosen.begin(), chosen.end(), 0u);
        return chosen;
    }
    // The block in the middle of each direction has neighbours on all sides.
    const std::uint32_t middle = (grid.z / 2 * grid.y + grid.y / 2) * grid.x + grid.x / 2;
    chosen = {0, middle, blocks - 1};
    // The others have equal distances.
    const std::uint64_t more = count > 3 ? count - 3 : 0;
    for (std::uint64_t i = 1; i <= more; ++i)
        chosen.push_back(static_cast<std::uint32_t>(i * (std::uint64_t{blocks} - 1) / (more + 1)));
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::vector<std::uint32_t> blocks_within(const Index3& grid, std::uint64_t cost,
                                         std::uint64_t budget) {
    if (budget / cost >= grid.count()) return spread_blocks(grid, budget / cost);
    const std::uint64_t sample = std::min(budget, options().accesses_of_sample);
    std::vector<std::uint32_t> chosen = spread_blocks(grid, sample / cost);
    // Three blocks that are very long would take seconds.
    constexpr std::uint64_t kThreeBlocks = std::uint64_t{8} << 20;
    const std::uint64_t most = std::max(sample, kThreeBlocks) / cost;
    while (chosen.size() > std::max<std::uint64_t>(most, 1)) chosen.pop_back();
    return chosen;
}

std::vector<std::uint32_t> more_blocks_of(std::uint32_t launch, std::uint64_t blocks,
                                          const std::vector<std::uint32_t>& chosen) {
    std::vector<std::uint32_t> more;
    for (const auto& [of_launch, block] : options().more_blocks)
        if (of_launch == launch && block < blocks && !std::ranges::binary_search(chosen, block))
            more.push_back(block);
    std::ranges::sort(more);
    more.erase(std::unique(more.begin(), more.end()), more.end());
    return more;
}

}  // namespace tilereel::runtime
