// 03 guide_simple: one tile of A, one tile of B
// Idea   the smallest product in tiles: A is one
//        tile wide, B one tile high
// Watch  each read of A sends 4 bytes to all lanes
//        of a row and uses 4 of a sector's 32
// Next   04 guide_a_shared reads A only once
// Source "Shared Memory in Matrix Multiplication
//        (C = AB)", listing 1
// Needs  K = TILE; M, N multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE>
__global__ void guide_simple(
    Global<const float> A,  // M x TILE
    Global<const float> B,  // TILE x N
    Global<float> C, Shape s) {  // M x N
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k = 0; k < TILE; ++k)
        sum += A[row * TILE + k] * B[k * s.n + col];
    C[row * s.n + col] = sum;
}
