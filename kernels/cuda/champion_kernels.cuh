#pragma once
// The champion's kernels as compiled: which function a ChampionWay is, and what its block takes.
#include <cuda_runtime_api.h>

#include "kernels/cuda/champion_choice.h"

namespace tilereel {

struct CompiledChampion {
    const void* function = nullptr;
    int threads = 0, shared_bytes = 0;  // a block, dynamic shared memory
};

// Of kBulk. `shares`: the blocks of a tile share its K, in clusters or rounds.
[[nodiscard]] CompiledChampion bulk_kernel(const ChampionWay& way, bool shares);
// Of the others, by whether all rows of A and of B start at multiples of 16 bytes.
[[nodiscard]] CompiledChampion other_kernel(const ChampionWay& way, bool a_in_fours,
                                            bool b_in_fours);
// Copies a matrix to one whose rows are `stride` floats apart: (from, to, rows, columns, stride),
// 4 columns a thread, a row a block of grid.y.
[[nodiscard]] CompiledChampion widen_kernel();

}  // namespace tilereel
