// 02 naive: one thread, one element of C
// Idea   neighbouring threads, neighbouring columns
// Watch  A is one address a row, sent to all lanes;
//        B a run of words. Yet 0.25 FLOP a byte
// Next   03 guide_simple cuts the product in tiles
// Source "Memory Coalescing and Tiled Matrix
//        Multiplication", snippet 1
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
template <int TILE>
__global__ void naive(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    if (row < s.m && col < s.n) {
        Accumulator<float> sum;  // C[row][col]
        for (int k = 0; k < s.k; ++k)
            sum += A[row * s.k + k] * B[k * s.n + col];
        C[row * s.n + col] = sum;
    }
}
