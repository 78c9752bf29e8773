#pragma once
// What a plain CUDA file needs of CUDA to run on the CPU (g++ or clang++). A block is one thread,
// so a kernel is a function that one core runs from end to end.
//
// Compiled once for each instruction set, so everything here is local to its translation unit: the
// linker would keep only one of two functions of the same name, and that one might hold
// instructions that the CPU at hand has not. For the same reason no standard header is included.
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

// kernel<<<grid, block>>>(arguments...), as CMake writes it.
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
