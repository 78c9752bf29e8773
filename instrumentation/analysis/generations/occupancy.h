#pragma once
// Occupancy: the active warps of an SM over the most that it can hold, by the rules of the CUDA
// Occupancy Calculator and of cudaOccupancyMaxActiveBlocksPerMultiprocessor().
#include <array>
#include <functional>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Registers per thread if the kernel was not compiled for a GPU: those of 11_tiled_dynamic with
// nvcc 13.0 on 8.0 and 9.0.
inline constexpr int kAssumedRegisters = 32;

// The resources of one block of a launch.
struct BlockResources {
    int threads = 0;
    int registers_per_thread = 0;
    std::uint32_t shared_bytes = 0;  // static and dynamic together
    bool operator==(const BlockResources&) const = default;
};

enum class OccupancyLimit : std::uint8_t { kWarps, kBlocks, kRegisters, kSharedMemory };
[[nodiscard]] std::string_view name_of(OccupancyLimit limit);  // "shared memory"

struct Occupancy {
    int blocks = 0;                        // active blocks on an SM
    int warps = 0;                         // of those blocks
    int threads = 0;                       // of those blocks
    int most_warps = 0, most_threads = 0;  // limits of an SM
    std::array<int, 4> blocks_by{};        // blocks that each OccupancyLimit alone would allow
    std::uint32_t registers_per_block = 0, shared_bytes_per_block = 0;  // as allocated
    [[nodiscard]] double share() const { return static_cast<double>(warps) / most_warps; }
    [[nodiscard]] bool limited_by(OccupancyLimit limit) const {
        return blocks_by[static_cast<std::size_t>(limit)] == blocks;
    }
};

// kWrongCall, with what to reduce, if such a block cannot run.
[[nodiscard]] Result<Occupancy> occupancy_of(const BlockResources& block,
                                             const Generation& generation);

// "Lab 6 - Shared Memory", occupancy of the matrix multiplication: blocks per SM times threads per
// block, over the most threads of an SM. Ignores registers and shared memory.
[[nodiscard]] double classical_occupancy(int blocks_per_sm, int threads_per_block,
                                         int threads_per_sm);

// The block size with the most active threads on an SM, if shared memory depends on the block size;
// the largest of several. Searches from the largest size down in steps of a warp, like
// cudaOccupancyMaxPotentialBlockSizeVariableSMem() (CUDA Runtime API, "Occupancy"). 0 if no block
// can run.
[[nodiscard]] int best_block_threads(int registers_per_thread,
                                     const std::function<std::uint32_t(int threads)>& shared_bytes,
                                     const Generation& generation);
// The edge of the largest square block of at most `threads` threads whose edge is a power of two:
// sqrt(4^floor(log4(threads))), "Lab 6 - Shared Memory", exercise 2. 0 for 0 threads.
[[nodiscard]] int square_edge(int threads);

}  // namespace tilereel
