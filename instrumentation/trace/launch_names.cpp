#include "instrumentation/trace/launch_names.h"

#include <algorithm>

namespace tilereel {

std::string block_name(const Dim3& grid, std::uint32_t block) {
    const Dim3 at = index_of({std::max(grid.x, 1u), std::max(grid.y, 1u), grid.z}, block);
    std::string name = std::to_string(at.x);
    if (grid.y > 1 || grid.z > 1) name += "," + std::to_string(at.y);
    if (grid.z > 1) name += "," + std::to_string(at.z);
    return name;
}

std::string thread_name(const Dim3& block, std::uint32_t thread) {
    const std::string index = block_name(block, thread);  // numbered as the blocks of a grid
    return block.y > 1 || block.z > 1 ? "(" + index + ")" : index;
}

}  // namespace tilereel
