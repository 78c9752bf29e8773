// 09 tiled: square tiles through shared memory
// Idea   a block loads each tile once, then every
//        thread of it reads the tile TILE times
// Watch  the barriers around the compute loop
// Next   10 tiled_any_size takes any M, N, K
// Source "Memory Coalescing and Tiled Matrix
//        Multiplication", Tiled Version
// Needs  M, N, K multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void tiled(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    SHARED(float, Bs, TILE, TILE + PAD);  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * s.n + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    C[row * s.n + col] = sum;
}
