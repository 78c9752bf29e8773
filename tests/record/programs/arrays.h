#pragma once
// The arguments of the kernels in this folder: arrays of 1,024 floats. A[i] is i, B[i] is 2000 + i,
// and C is 0 before each launch.
#include <cuda_runtime.h>

constexpr int kFloats = 1024;
static float *array_a, *array_b, *array_c;

inline void make_arrays() {
    float a[kFloats], b[kFloats];
    for (int i = 0; i < kFloats; ++i) a[i] = float(i), b[i] = float(2000 + i);
    cudaMalloc(&array_a, sizeof a);
    cudaMalloc(&array_b, sizeof b);
    cudaMalloc(&array_c, sizeof a);
    cudaMemcpy(array_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(array_b, b, sizeof b, cudaMemcpyHostToDevice);
}

inline void free_arrays() { cudaFree(array_a), cudaFree(array_b), cudaFree(array_c); }

using Kernel = void (*)(const float *, const float *, float *);

inline void launch(Kernel kernel, dim3 block, dim3 grid = 1, int shared_bytes = 0) {
    cudaMemset(array_c, 0, kFloats * sizeof(float));
    kernel<<<grid, block, shared_bytes>>>(array_a, array_b, array_c);
    cudaDeviceSynchronize();
}
