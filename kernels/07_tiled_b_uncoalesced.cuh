// 07 tiled_b_uncoalesced: B's tile, column by column
// Idea   tiles for any multiple of TILE; tx runs
//        down B, as ty would in 09 tiled
// Watch  the load of B: each lane of a row is N
//        words from the next, a sector each
// Next   08 tiled_b_transposed loads B along rows
// Source "The Matrix Multiplication Example",
//        Increasing "Computation-to-Memory Ratio"
// Needs  M, N, K multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void tiled_b_uncoalesced(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    SHARED(float, Bs, TILE, TILE + PAD);  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col0 = blockIdx.x * TILE;  // tile's 1st
    Accumulator<float> sum;  // C[row][col0 + tx]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[tx][ty] = B[(k0 + tx) * s.n + col0 + ty];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    C[row * s.n + col0 + tx] = sum;
}
