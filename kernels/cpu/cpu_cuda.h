#pragma once
// The part of CUDA that a CUDA file needs to run on the CPU (g++ or clang++). A block is one
// thread, so a kernel is a function that runs on one core.
//
// It is compiled once for each instruction set, and therefore everything here is local to its
// translation unit: of two functions with the same name the linker keeps only one, which might use
// instructions that this CPU does not have. For the same reason it includes no standard header.
#include "kernels/cpu/kernel_table.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __shared__ alignas(64)  // on the stack, which stays in the core's first cache

namespace tilereel {
namespace {

struct dim3 {  // NOLINT: named as CUDA names
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT
};

struct BlockIndex {
    int x = 0, y = 0;
};
thread_local constinit BlockIndex blockIdx;

// kernel<<<grid, block>>>(arguments...), as kernels/writer writes it.
template <class... Parameters, class... Arguments>
void launch_kernel(dim3 grid, dim3 /*block*/, void (*kernel)(Parameters...),
                   Arguments... arguments) {
    const auto call = [=] { kernel(arguments...); };
    const auto run_block = [](const void* called, int x, int y) {
        blockIdx = {x, y};
        (*static_cast<decltype(&call)>(called))();
    };
    run_cpu_blocks(grid.x, grid.y, run_block, &call);
}

}  // namespace
}  // namespace tilereel
