// 08 tiled_b_transposed: B's tile lies on its side
// Idea   load B along its rows, store its tile turned
// Watch  the banks: Bs[tx][k] walks down a column. PAD 1
//        cures TILE 32; at 16 the store keeps 2 wavefronts
// Next   09 tiled stores B's tile the way it came
// Source "The Matrix Multiplication Example",
//        Avoiding Shared Memory Bank Conflict
// Needs  M, N, K multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void tiled_b_transposed(
    Global<const float> A, Global<const float> B,
    Global<float> C, Shape s) {  // M x K, K x N, M x N
    SHARED(float, As, TILE, TILE);           // row, k
    SHARED(float, Bs, TILE, TILE + PAD);     // col, k
    const int tx = threadIdx.x;              // 0..TILE-1
    const int ty = threadIdx.y;              // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // 0..M-1
    const int col = blockIdx.x * TILE + tx;  // 0..N-1
    Accumulator<float> sum;                  // C[row][col]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {  // K / TILE
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[tx][ty] = B[(k0 + ty) * s.n + col];
        __syncthreads();  // both tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();  // both tiles are read
    }
    C[row * s.n + col] = sum;
}
