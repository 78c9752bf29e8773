#pragma once
// The champion's compiled kernels: the function for a ChampionConfig, and the threads and shared
// memory of its blocks.
#include <cuda_runtime_api.h>

#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel {

struct CompiledChampion {
    const void* function = nullptr;
    int threads = 0, shared_bytes = 0;  // of a block; dynamic shared memory
    int swizzle_bytes = 0;  // kBulk: the CUtensorMapSwizzle of A's boxes, 64 or 128; others: 0
};

// The kernel of kBulk. `shares`: several blocks share the K of a tile, in clusters or rounds.
// `c_in_fours`: all rows of C start at multiples of 16 bytes. The kernel for false takes any C.
[[nodiscard]] CompiledChampion bulk_kernel(const ChampionConfig& config, bool shares,
                                           bool c_in_fours);
// The kernel of another ChampionKernel. `a_in_fours`, `b_in_fours`: all rows of A, of B, start at
// multiples of 16 bytes.
[[nodiscard]] CompiledChampion other_kernel(const ChampionConfig& config, bool a_in_fours,
                                            bool b_in_fours);

// A copy of a matrix, rows x columns, whose rows are padded with zeros to multiples of 16 bytes.
// Each warp copies a run: at most kWidenRun columns of a row.
inline constexpr int kWidenThreads = 256;
inline constexpr int kWidenRun = 512;
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
// The kernel that makes one or two such copies. Its parameters: (Widening, Widening).
[[nodiscard]] CompiledChampion widen_kernel();

}  // namespace tilereel
