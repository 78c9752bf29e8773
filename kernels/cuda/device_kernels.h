#pragma once
// The ladder compiled for the GPU: two builds of every kernel, at every TILE and PAD that is built
// in. The native one is compiled from the plain CUDA files, the traced one from the dialect's.
// Plain C++: whoever launches them needs the CUDA runtime, not nvcc. kernel_launch.cuh knows what
// they take.
#include <optional>
#include <span>
#include <string_view>

#include "instrumentation/base/result.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel {

// What the copy engine brings at a time: `rows` x `depth` of A, `depth` x `columns` of B.
struct BoxSizes {
    int rows = 0, columns = 0, depth = 0;
};

// The launch function of a plain CUDA file: starts C(M,N) = A(M,K) B(K,N), with the matrices in GPU
// memory, in the default stream. cudaGetLastError() tells whether it did.
using LaunchFunction = void (*)(const float* A, const float* B, float* C, int M, int N, int K);

struct DeviceKernel {
    std::string_view id;  // "09_tiled"
    int tile = 0, pad = 0;
    const void* function = nullptr;  // for cudaLaunchKernel, cudaFuncGetAttributes, ...
    bool is_native = false;
    std::optional<BoxSizes> boxes{};  // of a kernel that needs compute capability 9.0 for them
    LaunchFunction launch = nullptr;  // of a native kernel without boxes
};

// What the traced kernels take for A, B and C: byte for byte their Global<T>.
struct DeviceArray {
    const void* first;        // GPU memory
    std::uint32_t count;      // elements
    std::uint32_t array;      // 0 = A, 1 = B, 2 = C
    long long first_element;  // 0
};

[[nodiscard]] std::span<const DeviceKernel> native_kernels();
[[nodiscard]] std::span<const DeviceKernel> traced_kernels();

// TILE, for the kernels that learn it at launch (11_tiled_dynamic): block_edge of dialect.h in the
// traced build, from the next launch on, on the current GPU.
Status set_traced_block_edge(int edge);

// Where the traced kernel writes from the next launch on, on the current GPU.
Status set_device_trace(const DeviceKernel& kernel, const device::DeviceTrace& trace);

}  // namespace tilereel
