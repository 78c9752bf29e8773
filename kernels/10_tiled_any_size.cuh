// 10 tiled_any_size: tiles that reach over the edge
// Idea   what lies outside A and B counts as zero
// Watch  the edges: lanes outside load nothing but
//        store a 0, compute, and leave C alone
// Next   11 tiled_dynamic: the tile set at launch
// Source "Memory Coalescing and Tiled Matrix
//        Multiplication", rectangular matrices
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void tiled_any_size(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, TILE, TILE + PAD);  // row, k
    SHARED(float, Bs, TILE, TILE + PAD);  // k, col
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int ak = k0 + tx, bk = k0 + ty;
        float a = 0, b = 0;  // outside A, outside B
        if (row < s.m && ak < s.k) a = A[row * s.k + ak];
        if (bk < s.k && col < s.n) b = B[bk * s.n + col];
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    if (row < s.m && col < s.n) C[row * s.n + col] = sum;
}
