#pragma once
// Asynchronous copies as the GPU has them, for the builds that nvcc compiles. PTX ISA, "Data
// Movement and Conversion Instructions": cp.async, cp.async.commit_group, cp.async.wait_group; from
// compute capability 8.0 on. Before, a load and a store take their place: the same product, but
// every thread waits for what it copies.
#include <cuda_runtime.h>

#include <cstdint>

namespace tilereel::device {

// Shared memory is named by 32 bits in PTX (5.1.5, "Shared State Space").
__device__ __forceinline__ std::uint32_t shared_address(const void* element) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(element));
}

// 16 bytes pass by the L1 cache (.cg), which only those can.
template <class T>
__device__ __forceinline__ void start_copy(T* to, const T* from) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "what cp.async can copy");
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    const std::uint32_t address = shared_address(to);
    if constexpr (sizeof(T) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from),
                     "n"(sizeof(T))
                     : "memory");
#else
    *to = *from;
#endif
}

__device__ __forceinline__ void commit_group() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int Newest>
__device__ __forceinline__ void wait_group() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Newest) : "memory");
#endif
}

}  // namespace tilereel::device
