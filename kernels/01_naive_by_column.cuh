// 01 naive_by_column: one thread, one element of C
// Idea   neighbouring threads, neighbouring rows
// Watch  a warp walks down a column of A: each lane
//        moves a 32-byte sector to use 4 bytes of it
// Next   02 naive swaps the roles of x and y
// Source "Memory Coalescing and Tiled Matrix
//        Multiplication", snippet 2
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
template <int TILE>
__global__ void naive_by_column(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.x * TILE + tx;  // of C
    const int col = blockIdx.y * TILE + ty;  // of C
    if (row < s.m && col < s.n) {
        Accumulator<float> sum;  // C[row][col]
        for (int k = 0; k < s.k; ++k)
            sum += A[row * s.k + k] * B[k * s.n + col];
        C[row * s.n + col] = sum;
    }
}
