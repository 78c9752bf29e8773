// 04 guide_a_shared: A's tile in shared memory
// Idea   read A once, along its rows, then hand its
//        values round in shared memory
// Watch  no block barrier: a warp reads only rows
//        of As that it wrote itself
// Next   05 guide_ab_shared does the same for B
// Source "Shared Memory in Matrix Multiplication
//        (C = AB)", listing 2
// Needs  K = TILE; M, N multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void guide_a_shared(
    Global<const float> A,  // M x TILE
    Global<const float> B,  // TILE x N
    Global<float> C, Shape s) {  // M x N
    static_assert(32 % TILE == 0);  // row: one warp
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    As[ty][tx] = A[row * TILE + tx];
    __syncwarp();  // the warp's rows are written
    for (int k = 0; k < TILE; ++k)
        sum += As[ty][k] * B[k * s.n + col];
    C[row * s.n + col] = sum;
}
