#pragma once
// What the host code of a plain CUDA file needs of CUDA where only its launch is of interest:
// nothing runs, and the launch is noted. For plain_kernels.cpp, which CMake writes.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/plain_kernel.h"

namespace tilereel {
namespace {

struct dim3 {  // NOLINT: named as CUDA names
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT
};
struct float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

thread_local CapturedLaunch captured;

// kernel<<<grid, block, bytes, stream>>>(arguments), as CMake writes it:
// launch_shape(...)(arguments)
template <class... Stream>
auto launch_shape(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0, Stream...) {
    captured = {grid.x,
                grid.y,
                grid.z,
                block.x,
                block.y,
                block.z,
                dynamic_shared_bytes,
                captured.launches + 1,
                {}};
    return [](auto... arguments) {
        const auto keep = [](const auto& argument) {
            static_assert(sizeof argument <= sizeof(std::uint64_t));
            std::memcpy(&captured.arguments.emplace_back(), &argument, sizeof argument);
        };
        (keep(arguments), ...);
    };
}

}  // namespace

#define cudaFuncSetAttribute(...) static_cast<void>(0)
#define cudaFuncSetCacheConfig(...) static_cast<void>(0)

}  // namespace tilereel
