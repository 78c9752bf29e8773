#include "app/export/watched_block.h"

#include <string>

#include "instrumentation/trace/launch_names.h"

namespace tilereel {

Result<std::uint32_t> watched_block(const Trace& trace, std::uint32_t x, std::uint32_t y) {
    const Dim3 grid = trace.launch.grid;
    if (x >= grid.x || y >= grid.y)
        return wrong_call("the grid has " + std::to_string(grid.x) + " x " +
                          std::to_string(grid.y) + " blocks; choose a --block from 0,0 to " +
                          std::to_string(grid.x - 1) + "," + std::to_string(grid.y - 1));
    return static_cast<std::uint32_t>(number_of(grid, {x, y, 0}));
}

Result<Replay> replay_of_watched_block(const Trace& trace, std::uint32_t x, std::uint32_t y,
                                       const Generation& generation) {
    const auto block = TRY(watched_block(trace, x, y));
    if (!is_chosen(trace, block))
        return wrong_call("block " + block_name(trace.launch.grid, block) +
                          " was not recorded; record it with --blocks " + std::to_string(block));
    return Replay::of_block(trace, block, generation);
}

}  // namespace tilereel
