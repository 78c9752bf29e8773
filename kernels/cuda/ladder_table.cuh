#pragma once
// The table of one build's kernels, one entry an instantiation. Included once by each build's file,
// after it has said which build it is.
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/cuda/device_kernels.h"
#include "kernels/ladder.h"
#include "ladder_kernels.h"

namespace tilereel {
namespace {

#ifdef TILEREEL_BUILD_NATIVE
constexpr bool kIsNative = true;
#else
constexpr bool kIsNative = false;
#endif

template <class T>
const void* address_of(T* kernel) {
    return reinterpret_cast<const void*>(kernel);
}

Status copy_block_edge(int edge) {
    const cudaError_t error = cudaMemcpyToSymbol(block_edge, &edge, sizeof edge);
    if (error != cudaSuccess)
        return failed(std::string("the GPU did not take the block's edge: ") +
                      cudaGetErrorString(error));
    return Done{};
}

// The same every time, with the kernels of boxes behind the others.
std::span<const DeviceKernel> ladder_table(std::span<const DeviceKernel> boxes) {
// A row knows its stem, a variant the rest: the stem comes along in a variable.
#define VARIANT(kernel, tile, pad) {stem, tile, pad, address_of(kernel), kIsNative, {}},
#define ROW(stem_text, function, variants, launch)                             \
    {                                                                          \
        constexpr std::string_view stem = stem_text;                           \
        for (const DeviceKernel& kernel :                                      \
             std::initializer_list<DeviceKernel>{variants(VARIANT, function)}) \
            kernels.push_back(kernel);                                         \
    }
    static const std::vector<DeviceKernel> table = [&] {
        std::vector<DeviceKernel> kernels;
        TILEREEL_LADDER(ROW)
        kernels.insert(kernels.end(), boxes.begin(), boxes.end());
        return kernels;
    }();
#undef ROW
#undef VARIANT
    return table;
}

}  // namespace
}  // namespace tilereel
