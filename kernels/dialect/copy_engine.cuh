#pragma once
// The copy engine and barriers in shared memory as the GPU has them, for the builds that nvcc
// compiles; from compute capability 9.0 on. What they mean: bulk_copy.cuh.
//
// Sources: PTX ISA 9.0, sections named at each function; CUDA Driver API, "Tensor Map Object
// Management".
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/dialect/async_copy.cuh"

namespace tilereel::device {

// 9.7.13.15 "mbarrier"
__device__ __forceinline__ void init_arrival(std::uint64_t* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}
__device__ __forceinline__ void arrive(std::uint64_t* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}
__device__ __forceinline__ void arrive_expecting(std::uint64_t* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ bool phase_ended(const std::uint64_t* barrier, int parity) {
    unsigned ended;
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(ended)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
    return ended != 0;
}
__device__ __forceinline__ void wait_for_phase(const std::uint64_t* barrier, int parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again_%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again_%=;\n"
        "}" ::"r"(shared_address(barrier)),
        "r"(parity)
        : "memory");
}

// 9.7.13.4 "membar/fence"
__device__ __forceinline__ void publish_arrivals() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// 9.7.9.27.1.2 "cp.async.bulk.tensor"
__device__ __forceinline__ void start_box(void* to, const CUtensorMap* map, int row, int column,
                                          std::uint64_t* full) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(shared_address(full))
        : "memory");
}

}  // namespace tilereel::device
