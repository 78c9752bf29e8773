// 99 by_rows: each thread keeps its own A
// Idea   a kernel that the ladder does not know
// Watch  that it is listed, recorded and right
// Next   none
// Source "Adding a kernel", README
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
template <int TILE>
__global__ void by_rows(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    SHARED(float, row_of_a, TILE, TILE);
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k = 0; k < s.k; ++k) {
        if (row < s.m) row_of_a[ty][tx] = A[row * s.k + k];
        __syncthreads();  // written
        if (col < s.n) sum += row_of_a[ty][tx] * B[k * s.n + col];
    }
    if (row < s.m && col < s.n) C[row * s.n + col] = sum;
}
