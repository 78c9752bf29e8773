#pragma once
// Functions for compute capability 9.0 (Hopper) and newer: the Tensor Memory Accelerator
// (TMA), which copies boxes of a matrix to shared memory, and barriers in shared memory (mbarrier),
// which count the bytes that have arrived.
//
// Sources: PTX ISA 9.0, sections named at each function; CUDA Driver API, "Tensor Map Object
// Management".
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace tilereel::device {

// Addresses in shared memory have 32 bits in PTX (5.1.5, "Shared State Space").
__device__ __forceinline__ std::uint32_t shared_address(const void* element) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(element));
}

// A barrier in shared memory whose phases end once `arrivals` threads have arrived and all bytes
// announced for the phase have come. Phases alternate between parity 0 and 1, from 0
// (9.7.13.15 "mbarrier").
class MBarrier {
  public:
    __device__ __forceinline__ void init(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&state_)),
                     "r"(arrivals)
                     : "memory");
    }
    __device__ __forceinline__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&state_))
                     : "memory");
    }
    // Arrives, and announces bytes that copies of this phase will bring.
    __device__ __forceinline__ void arrive_expecting(int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         shared_address(&state_)),
                     "r"(bytes)
                     : "memory");
    }
    // Whether the phase of this parity has ended. Does not wait.
    __device__ __forceinline__ bool ended(int parity) const {
        unsigned ended;
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
            "selp.u32 %0, 1, 0, done;\n"
            "}"
            : "=r"(ended)
            : "r"(shared_address(&state_)), "r"(parity)
            : "memory");
        return ended != 0;
    }
    // Waits until the phase of this parity has ended. What the copies wrote can then be read.
    __device__ __forceinline__ void wait(int parity) const {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again_%=:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again_%=;\n"
            "}" ::"r"(shared_address(&state_)),
            "r"(parity)
            : "memory");
    }
    __device__ __forceinline__ std::uint64_t* state() { return &state_; }

  private:
    std::uint64_t state_;
};

// Makes the barriers' initial state visible to the TMA, before the block's barrier makes it
// visible to the other threads (9.7.13.4 "membar/fence").
__device__ __forceinline__ void publish_mbarriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Starts the copy of the map's box whose first element is (row, column) to shared memory. One
// thread calls it and does not wait. Elements outside the matrix become 0. The bytes count towards
// `full`. The host makes the map (cuTensorMapEncodeTiled), a `const __grid_constant__` parameter of
// the kernel (9.7.9.27.1.2 "cp.async.bulk.tensor").
__device__ __forceinline__ void copy_box(float* shared, const CUtensorMap& map, int row,
                                         int column, MBarrier& full) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
        "l"(&map), "r"(column), "r"(row), "r"(shared_address(full.state()))
        : "memory");
}

// A launch may begin while the one before it in its stream still runs (programmatic dependent
// launch). This waits until that one is done and what it wrote can be read (9.7.13.14
// "griddepcontrol").
__device__ __forceinline__ void wait_for_launch_before() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
// Lets the next launch in the stream begin where there is room, once all blocks have called this.
__device__ __forceinline__ void let_next_launch_begin() {
    asm volatile("griddepcontrol.launch_dependents;");
}

// Keeps the assembler from moving shared reads across it. It costs one issue slot, and has no other
// effect if the next launch may begin already.
__device__ __forceinline__ void keep_order() { let_next_launch_begin(); }

}  // namespace tilereel::device
