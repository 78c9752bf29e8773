// 08 tiled_b_transposed: B's tile lies on its side
// Idea   load B along rows, store its tile turned
// Watch  the banks: Bs[tx][k] walks down a column.
//        PAD 1 cures TILE 32 in full, 16 all but
//        its store
// Next   09 tiled stores B's tile the way it came
// Source "The Matrix Multiplication Example",
//        Avoiding Shared Memory Bank Conflict
// Needs  M, N, K multiples of TILE
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void tiled_b_transposed(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE);  // row, k
    SHARED(float, Bs, TILE, TILE + PAD);  // col, k
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[tx][ty] = B[(k0 + ty) * s.n + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();  // tiles are read
    }
    C[row * s.n + col] = sum;
}
