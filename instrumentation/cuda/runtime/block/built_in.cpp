#include "instrumentation/cuda/runtime/block/built_in.h"

// cuda_runtime.h declares these variables with the same names and layout.
extern "C" {
__thread tilereel::runtime::ThreadIndex threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0},
                                        blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
alignas(1024) __thread unsigned char tilereel_dynamic_shared
    [tilereel::runtime::kMostDynamicSharedBytes] = {};
}

namespace tilereel::runtime {

void set_block(std::uint32_t x, std::uint32_t y, std::uint32_t z) { blockIdx = {x, y, z}; }
void set_extents(const std::uint32_t (&grid)[3], const std::uint32_t (&block)[3]) {
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
}
bool is_built_in(const void* address) {
    const auto* const at = static_cast<const char*>(address);
    for (const ThreadIndex* const known : {&threadIdx, &blockIdx, &blockDim, &gridDim}) {
        const auto* const begin = reinterpret_cast<const char*>(known);
        if (at >= begin && at < begin + sizeof *known) return true;
    }
    return false;
}
unsigned char* dynamic_shared() { return tilereel_dynamic_shared; }

}  // namespace tilereel::runtime
