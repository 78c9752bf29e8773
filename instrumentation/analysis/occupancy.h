#pragma once
// Occupancy: how many warps an SM holds at once, of those that it could. By the rules of the CUDA
// Occupancy Calculator and of cudaOccupancyMaxActiveBlocksPerMultiprocessor().
#include <array>
#include <functional>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Registers a thread where no compiler has said how many: what nvcc 13.0 gives 11_tiled_dynamic on
// 8.0 and 9.0.
inline constexpr int kAssumedRegisters = 32;

// What one block of a launch takes.
struct BlockResources {
    int threads = 0;
    int registers_per_thread = 0;
    std::uint32_t shared_bytes = 0;  // static and dynamic together
    bool operator==(const BlockResources&) const = default;
};

enum class OccupancyLimit : std::uint8_t { kWarps, kBlocks, kRegisters, kSharedMemory };
[[nodiscard]] std::string_view name_of(OccupancyLimit limit);  // "shared memory"

struct Occupancy {
    int blocks = 0;                        // active on an SM
    int warps = 0;                         // of those blocks
    int threads = 0;                       // likewise
    int most_warps = 0, most_threads = 0;  // that an SM holds
    std::array<int, 4> blocks_by{};        // that each limit alone would allow; by OccupancyLimit
    std::uint32_t registers_per_block = 0, shared_bytes_per_block = 0;  // as given out
    [[nodiscard]] double share() const { return static_cast<double>(warps) / most_warps; }
    [[nodiscard]] bool limited_by(OccupancyLimit limit) const {
        return blocks_by[static_cast<std::size_t>(limit)] == blocks;
    }
};

// kWrongCall where no such block can run, with what to lower.
[[nodiscard]] Result<Occupancy> occupancy_of(const BlockResources& block,
                                             const Generation& generation);

// "Lab 6 - Shared Memory", occupancy of the matrix multiplication: blocks an SM times threads a
// block, over the threads that an SM holds. Says nothing of registers and shared memory.
[[nodiscard]] double classical_occupancy(int blocks_per_sm, int threads_per_block,
                                         int threads_per_sm);

// Which block size holds the most threads on an SM, where shared memory depends on the block's
// size: of equals the largest. As cudaOccupancyMaxPotentialBlockSizeVariableSMem() (CUDA Runtime
// API, "Occupancy") searches: from the largest down, by whole warps. 0 if none runs.
[[nodiscard]] int best_block_threads(int registers_per_thread,
                                     const std::function<std::uint32_t(int threads)>& shared_bytes,
                                     const Generation& generation);
// The edge of the largest square block of at most so many threads whose edge is a power of two:
// sqrt(4^floor(log4(threads))), "Lab 6 - Shared Memory", exercise 2. 0 without a thread.
[[nodiscard]] int square_edge(int threads);

}  // namespace tilereel
