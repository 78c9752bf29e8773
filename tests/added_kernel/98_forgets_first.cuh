// 98 forgets_first: wrong on purpose
// Idea   the first product of each sum is left out
// Watch  that it is recorded, and C counted as wrong
// Next   none
// Source "Adding a kernel", README
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
template <int TILE>
__global__ void forgets_first(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= s.m || col >= s.n) return;
    Accumulator<float> sum;  // C[row][col]
    for (int k = 1; k < s.k; ++k)  // from 0 is right
        sum += A[row * s.k + k] * B[k * s.n + col];
    C[row * s.n + col] = sum;
}
