// 12 outer_product: a thread, one column of 16 sums
// Idea   a column of A times a row of B adds to all
//        of a 16 x 64 tile of C, held in registers
// Watch  one shared read a multiply-add, not two: b
//        is read from B once and stays in a register
// Next   13 outer_product_unrolled: the same, longer
// Source "The Matrix Multiplication Example",
//        Computation Optimization
// Needs  M, K multiples of 16, N of 64
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void outer_product(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    const int i = threadIdx.x;  // 0..63
    const int x = i % TILE, y = i / TILE;  // of As
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * 64 + i;  // of C
    Accumulator<float> sum[TILE];  // C[row + r][col]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        for (int r = y; r < y + TILE; r += 4)
            As[r][x] = A[(row + r) * s.k + k0 + x];
        __syncthreads();  // A's tile is written
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * s.n + col];
            for (int r = 0; r < TILE; ++r)
                sum[r] += As[r][k] * b;
        }
        __syncthreads();  // A's tile is read
    }
    for (int r = 0; r < TILE; ++r)
        C[(row + r) * s.n + col] = sum[r];
}
