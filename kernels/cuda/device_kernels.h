#pragma once
// The native build of the ladder for races: every kernel at every built-in TILE and PAD, compiled
// from the CUDA files. Plain C++: a launch needs the CUDA runtime, but not nvcc.
#include <span>
#include <string_view>

namespace tilereel {

// The launch function of a CUDA file: starts C(M,N) = A(M,K) B(K,N) in the default stream.
// The matrices are in GPU memory, A and B of KernelInfo::inputs. cudaGetLastError() returns whether
// the launch succeeded.
using LaunchFunction = void (*)(const void* A, const void* B, float* C, int M, int N, int K);

// Calls a file's own launch function, which knows the type of its matrices.
template <class Element>
void launch_untyped(void (*launch)(const Element*, const Element*, float*, int, int, int),
                    const void* a, const void* b, float* c, int m, int n, int k) {
    launch(static_cast<const Element*>(a), static_cast<const Element*>(b), c, m, n, k);
}

struct DeviceKernel {
    std::string_view id;  // "09_tiled"
    int tile = 0, pad = 0;
    const void* function = nullptr;  // for cudaLaunchKernel, cudaFuncGetAttributes, ...
    LaunchFunction launch = nullptr;
};

[[nodiscard]] std::span<const DeviceKernel> native_kernels();

}  // namespace tilereel
