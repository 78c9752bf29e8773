// 05 guide_ab_shared: both tiles in shared memory
// Idea   B's tile is read once too, not once a row
// Watch  the barrier: a warp now reads rows of Bs
//        that other warps wrote
// Next   06 single_block holds whole matrices so
// Source "Shared Memory in Matrix Multiplication
//        (C = AB)", listing 3
// Needs  K = TILE; M, N multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void guide_ab_shared(
    Global<const float> A,  // M x TILE
    Global<const float> B,  // TILE x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    SHARED(float, Bs, TILE, TILE + PAD);  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    As[ty][tx] = A[row * TILE + tx];
    Bs[ty][tx] = B[ty * s.n + col];
    __syncthreads();  // tiles are written
    for (int k = 0; k < TILE; ++k)
        sum += As[ty][k] * Bs[k][tx];
    C[row * s.n + col] = sum;
}
