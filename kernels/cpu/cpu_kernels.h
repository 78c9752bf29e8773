#pragma once
// The CPU's kernels at full speed: their CUDA files, compiled for this CPU.
#include <atomic>
#include <span>
#include <string_view>

#include "kernels/cpu/kernel_table.h"

namespace tilereel {

enum class CpuSet { kBaseline, kAvx2, kAvx512 };     // instruction sets
[[nodiscard]] std::string_view name_of(CpuSet set);  // "AVX-512"

struct CpuProduct {
    const float* a;  // M x K
    const float* b;  // K x N
    float* c;        // M x N
    int m, n, k;
};

struct CpuKernel {
    std::string_view id;  // "cpu_tiled"
    int tile = 0, pad = 0;
    CpuLaunch launch = nullptr;

    // C = A B. The launch's blocks are tasks for `threads` CPU threads, including the calling one.
    // False if `cancel`, which may be null, was set before the last task ended: C is then
    // incomplete. A long block is cancelled within 50 ms. Takes all sizes that the catalogue's
    // validate() accepts.
    bool run(const CpuProduct& product, unsigned threads,
             const std::atomic<bool>* cancel = nullptr) const;
};

// The sets that this CPU supports and for which the program was compiled, the widest last.
[[nodiscard]] std::span<const CpuSet> cpu_sets();
// Every CPU kernel at every built-in TILE and PAD; `set` must be one of cpu_sets().
[[nodiscard]] std::span<const CpuKernel> cpu_kernels(CpuSet set);
[[nodiscard]] std::span<const CpuKernel> cpu_kernels();  // of the widest set
// Of the widest set. nullptr if this TILE or PAD is not built in, or the kernel is not for the CPU.
[[nodiscard]] const CpuKernel* find_cpu_kernel(std::string_view id, int tile, int pad);

}  // namespace tilereel
