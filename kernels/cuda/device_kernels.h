#pragma once
// The ladder compiled for the GPU, as it races: every kernel at every TILE and PAD that is built in,
// compiled from the plain CUDA files. Plain C++: whoever launches them needs the CUDA runtime, not
// nvcc.
#include <span>
#include <string_view>

namespace tilereel {

// The launch function of a plain CUDA file: starts C(M,N) = A(M,K) B(K,N), with the matrices in GPU
// memory, in the default stream. cudaGetLastError() tells whether it did.
using LaunchFunction = void (*)(const float* A, const float* B, float* C, int M, int N, int K);

struct DeviceKernel {
    std::string_view id;  // "09_tiled"
    int tile = 0, pad = 0;
    const void* function = nullptr;  // for cudaLaunchKernel, cudaFuncGetAttributes, ...
    LaunchFunction launch = nullptr;
};

[[nodiscard]] std::span<const DeviceKernel> native_kernels();

}  // namespace tilereel
