#pragma once
// The champion's kernels as compiled: which function a ChampionConfig is, and what its block takes.
#include <cuda_runtime_api.h>

#include "kernels/cuda/champion_choice.h"

namespace tilereel {

struct CompiledChampion {
    const void* function = nullptr;
    int threads = 0, shared_bytes = 0;  // a block, dynamic shared memory
    int swizzle_bytes = 0;  // kBulk: of A's boxes, 128, 64 or 0 as CUtensorMapSwizzle has them
};

// Of kBulk. `shares`: the blocks of a tile share its K, in clusters or rounds. `c_in_fours`: all
// rows of C start at multiples of 16 bytes; kernels for others take any.
[[nodiscard]] CompiledChampion bulk_kernel(const ChampionConfig& config, bool shares,
                                           bool c_in_fours);
// Of the others, by whether all rows of A and of B start at multiples of 16 bytes.
[[nodiscard]] CompiledChampion other_kernel(const ChampionConfig& config, bool a_in_fours,
                                            bool b_in_fours);

// A copy of a matrix, rows x columns, whose rows start at multiples of 16 bytes. What is beside the
// matrix is 0. Cut into runs, a warp each.
inline constexpr int kWidenThreads = 256;
inline constexpr int kWidenRun = 512;  // columns, at most
struct Widening {
    const float* from = nullptr;
    float* to = nullptr;
    int rows = 0, columns = 0;
    [[nodiscard]] __host__ __device__ int stride() const { return (columns + 3) / 4 * 4; }
    [[nodiscard]] __host__ __device__ int runs_of_row() const {
        return (columns + kWidenRun - 1) / kWidenRun;
    }
    [[nodiscard]] __host__ __device__ int runs() const { return rows * runs_of_row(); }
};
// Makes two such copies, or one: (Widening, Widening, bool early), where `early` lets the next
// launch begin beside it.
[[nodiscard]] CompiledChampion widen_kernel();

}  // namespace tilereel
