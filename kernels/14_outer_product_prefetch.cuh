// 14 outer_product_prefetch: two buffers for A
// Idea   fill one buffer while the other is read
// Watch  one barrier a phase: none parts the loads
//        of the next tile from this one's compute
// Next   15 register_tile: tiles in registers, too
// Source "The Matrix Multiplication Example",
//        Prefetching
// Needs  M, K multiples of 16, N of 64
#include "kernels/dialect/dialect.h"
template <int TILE, int PAD>
__global__ void outer_product_prefetch(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, As, 2, TILE, TILE + PAD);  // row, k
    const int i = threadIdx.x;  // 0..63
    const int x = i % TILE, y = i / TILE;  // of As[]
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * 64 + i;  // of C
    Accumulator<float> sum[TILE];  // C[row + r][col]
    auto now = As[0], next = As[1];
    for (int r = y; r < y + TILE; r += 4)
        now[r][x] = A[(row + r) * s.k + x];
    __syncthreads();  // the first tile is written
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int k1 = k0 + TILE;  // of the next tile
        if (k1 < s.k)
            for (int r = y; r < y + TILE; r += 4)
                next[r][x] = A[(row + r) * s.k + k1 + x];
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * s.n + col];
            for (int r = 0; r < TILE; ++r)
                sum[r] += now[r][k] * b;
        }
        __syncthreads();  // now is read, next written
        const auto used = now;
        now = next;
        next = used;
    }
    for (int r = 0; r < TILE; ++r)
        C[(row + r) * s.n + col] = sum[r];
}
