// A tiled product in one block of 8 x 8 threads, with and without its barriers; and warps that stop
// at different barriers.
#include "arrays.h"

constexpr int kTile = 8, kDepth = 3 * kTile;

template <bool FIRST_BARRIER, bool SECOND_BARRIER>
__global__ void small_tiled(const float* A, const float* B, float* C) {
    __shared__ float As[kTile][kTile];
    __shared__ float Bs[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int k0 = 0; k0 < kDepth; k0 += kTile) {
        As[ty][tx] = A[ty * kDepth + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * kTile + tx];  // line 15
        if (FIRST_BARRIER) __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += As[ty][k] * Bs[k][tx];  // line 17
        if (SECOND_BARRIER) __syncthreads();
    }
    C[ty * kTile + tx] = sum;
}

__global__ void apart(const float* A, const float* B, float* C) {
    if (threadIdx.y == 0)
        __syncthreads();
    else
        __syncthreads();
    C[threadIdx.x] = 1.0f;
}

inline void launch_races() {
    for (const Kernel kernel : {small_tiled<true, true>, small_tiled<false, true>,
                                small_tiled<true, false>, small_tiled<false, false>})
        launch(kernel, dim3(kTile, kTile));
    launch(apart, dim3(32, 2));
}
