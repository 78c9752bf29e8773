#pragma once
// The table of one build's kernels, one entry an instantiation. Included once by each build's file,
// after it has said which build it is.
#include <cstddef>
#include <string>

#include "kernels/cuda/kernel_table.cuh"
#include "ladder_kernels.h"

namespace tilereel {
namespace {

Status copy_block_edge(int edge) {
    const cudaError_t error = cudaMemcpyToSymbol(block_edge, &edge, sizeof edge);
    if (error != cudaSuccess)
        return failed(std::string("the GPU did not take the block's edge: ") +
                      cudaGetErrorString(error));
    return Done{};
}

// The same every time, with the kernels of boxes behind the others.
std::span<const DeviceKernel> ladder_table(std::span<const DeviceKernel> boxes) {
#define VARIANT(kernel, tile, pad) {stem, tile, pad, address_of(kernel), kIsNative, {}},
    static const std::vector<DeviceKernel> table = [&] {
        std::vector<DeviceKernel> kernels;
        TILEREEL_LADDER(TILEREEL_TABLE_ROW)
        kernels.insert(kernels.end(), boxes.begin(), boxes.end());
        return kernels;
    }();
#undef VARIANT
    return table;
}

}  // namespace
}  // namespace tilereel
