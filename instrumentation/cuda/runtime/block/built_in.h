#pragma once
// CUDA's built-in variables, and the block's dynamic shared memory.
#include <cstdint>

#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

inline constexpr std::uint32_t kMostDynamicSharedBytes = 227 * 1024;  // per block: limit of CC 9.0

struct ThreadIndex {
    std::uint32_t x, y, z;
};
void set_block(std::uint32_t x, std::uint32_t y, std::uint32_t z);  // sets blockIdx
// threadIdx of the thread with this number in its block.
[[nodiscard]] inline ThreadIndex thread_index(const Index3& block, std::uint32_t thread) {
    return {thread % block.x, thread / block.x % block.y, thread / (block.x * block.y)};
}
// Whether the address is in a built-in variable (threadIdx, ...) of this CPU thread.
[[nodiscard]] bool is_built_in(const void* address);
// Sets gridDim and blockDim.
void set_extents(const std::uint32_t (&grid)[3], const std::uint32_t (&block)[3]);
[[nodiscard]] unsigned char* dynamic_shared();  // of this CPU thread

}  // namespace tilereel::runtime

// Declared by cuda_runtime.h as const.
extern "C" __thread tilereel::runtime::ThreadIndex threadIdx [[gnu::tls_model("initial-exec")]];
