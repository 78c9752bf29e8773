// 06 single_block: all of A, B and C in one block
// Idea   the simplest use of shared memory: copy
//        both matrices in, then compute
// Watch  one block, so one multiprocessor; a thread
//        for each element of C, 1024 at the most
// Next   07 tiled_b_uncoalesced: many blocks, tiles
// Source "Lab 6 - Shared Memory" (matrix multiply),
//        appendix
// Needs  M x N at most 1024; K at most M and N
#include "kernels/dialect/dialect.h"
template <int PAD>
__global__ void single_block(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    DynamicShared<float> pool;  // sized at launch
    auto As = pool.array<PAD>("As", s.m, s.k);
    auto Bs = pool.array<PAD>("Bs", s.k, s.n);
    const int x = threadIdx.x;  // 0..N-1: column of C
    const int y = threadIdx.y;  // 0..M-1: row of C
    const int a = y * (s.k + PAD);  // row y of As
    const int pitch = s.n + PAD;  // row to row of Bs
    if (x < s.k) As[a + x] = A[y * s.k + x];
    if (y < s.k) Bs[y * pitch + x] = B[y * s.n + x];
    __syncthreads();  // matrices are written
    Accumulator<float> sum;  // C[y][x]
    for (int k = 0; k < s.k; ++k)
        sum += As[a + k] * Bs[k * pitch + x];
    C[y * s.n + x] = sum;
}
