// 11 tiled_dynamic: the tile's edge is set at launch
// Idea   one binary for every TILE: the edge comes
//        from constant memory, shared memory from
//        the launch
// Watch  the addresses are those of 09 tiled; the
//        choice of the edge decides the occupancy
// Next   12 outer_product: more work a thread
// Source "Lab 6 - Shared Memory" (matrix multiply),
//        exercise 2
// Needs  M, N, K multiples of TILE
#include "kernels/dialect/dialect.h"
template <int PAD>
__global__ void tiled_dynamic(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    const int edge = block_edge;  // TILE, a constant
    const int pitch = edge + PAD;  // row to row
    DynamicShared<float> pool;  // sized at launch
    auto As = pool.array<PAD>("As", edge, edge);
    auto Bs = pool.array<PAD>("Bs", edge, edge);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * edge + ty;  // of C
    const int col = blockIdx.x * edge + tx;  // of C
    Accumulator<float> sum;  // C[row][col]
    for (int k0 = 0; k0 < s.k; k0 += edge) {
        As[ty * pitch + tx] = A[row * s.k + k0 + tx];
        Bs[ty * pitch + tx] = B[(k0 + ty) * s.n + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < edge; ++k)
            sum += As[ty * pitch + k] * Bs[k * pitch + tx];
        __syncthreads();  // tiles are read
    }
    C[row * s.n + col] = sum;
}
