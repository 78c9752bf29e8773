#pragma once
// Thread block clusters, whose blocks read one another's shared memory (compute capability 9.0 and
// newer), and asynchronous copies with zeros beyond the edge of a matrix (8.0 and newer).
// Source: PTX ISA 9.0, sections named at each function.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/champion/bulk_copy.cuh"

namespace tilereel::device {

// This block's rank in its cluster, and the cluster's number of blocks (10.28 "%cluster_ctarank",
// 10.29 "%cluster_nctarank"). 0 and 1 in a launch without clusters.
__device__ __forceinline__ int cluster_rank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
}
__device__ __forceinline__ int cluster_size() {
    unsigned size;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return static_cast<int>(size);
}

// Like __syncthreads(), for all threads of the cluster (9.7.13.3 "barrier.cluster").
__device__ __forceinline__ void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Reads the corresponding place in the shared memory of the cluster's block `rank` (9.7.9.23
// "mapa").
__device__ __forceinline__ float4 read_of_block(const float4* shared, int rank) {
    std::uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(shared_address(shared)), "r"(rank));
    float4 v;
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(there));
    return v;
}

// Starts an asynchronous copy of Width (1 or 4) consecutive floats to shared memory, or of zeros if
// not `inside` (then `global` is not read). It uses no registers (9.7.9.25.3.1 "cp.async").
template <int Width>
__device__ __forceinline__ void start_copy_or_zeros(float* shared, const float* global,
                                                    bool inside) {
    static_assert(Width == 4 || Width == 1);
    if constexpr (Width == 4)
        asm volatile(
            "{\n"
            ".reg .pred outside;\n"
            "setp.eq.u32 outside, %2, 0;\n"
            "cp.async.cg.shared.global [%0], [%1], 16, outside;\n"
            "}" ::"r"(shared_address(shared)),
            "l"(global), "r"(int(inside))
            : "memory");
    else
        asm volatile(
            "{\n"
            ".reg .pred outside;\n"
            "setp.eq.u32 outside, %2, 0;\n"
            "cp.async.ca.shared.global [%0], [%1], 4, outside;\n"
            "}" ::"r"(shared_address(shared)),
            "l"(global), "r"(int(inside))
            : "memory");
}
// Prefetches a line into the L2. Unlike a read, it may run while the previous launch still writes
// the memory, because those writes go to the L2, too (9.7.9.16 "prefetch").
__device__ __forceinline__ void prefetch_line(const float* global) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(global));
}
// Commits the copies that this thread has started since the last call as a group.
__device__ __forceinline__ void commit_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits until at most `Newest` of this thread's groups are pending.
template <int Newest>
__device__ __forceinline__ void wait_for_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Newest) : "memory");
}

}  // namespace tilereel::device
