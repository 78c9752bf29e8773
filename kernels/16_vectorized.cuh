// 16 vectorized: 16 bytes an access
// Idea   move 4 floats by one instruction; for that
//        A's tile is stored turned, As[k][row]
// Watch  16-byte requests go by groups of lanes.
//        As[k][row] = ... has two rows of k meet in
//        each bank; PAD 4 parts them
// Next   17 swizzled parts them without padding
// Source "CUDA C++ Programming Guide", Device Memory
//        Accesses, Size and Alignment Requirement
// Needs  M, N multiples of TILE, K of 8; TILE
//        128: K of 16
#include "kernels/dialect/dialect.h"
// block  TILE x TILE of C, EDGE x EDGE threads
// warp   at TILE 128: 2 rows of 16 threads
// lane   T x T elements, in pieces of 4 x 4 that are
//        read by 16 bytes. TILE 16, EDGE 4:
//            0    1    2    3     tx
//        0   .... .... #### ....  the piece of
//            .... .... #### ....  thread (0, 2);
//            .... .... #### ....  at TILE 128 each
//            .... .... #### ....  thread has 2 x 2
//        1   .... .... .... ....  of them, 64 apart
//        ty
// At 4096 on an H100, TILE 128: 40,200 GFLOPS, with
// PAD 4 41,300; 15 register_tile makes 31,600.
template <int TILE, int PAD>
__global__ void __launch_bounds__(256, 2) vectorized(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;  // threads
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    alignas(16) SHARED(float, As, BK, TILE + PAD);
    alignas(16) SHARED(float, Bs, BK, TILE);
    const int tx = threadIdx.x;  // 0..EDGE-1
    const int ty = threadIdx.y;  // 0..EDGE-1
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    alignas(16) Accumulator<float> sum[T][T];
    for (int k0 = 0; k0 < s.k; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4;
             n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            // 2 lanes take 8 k of a row, a sector
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const auto in_a = A + ((row + r) * s.k + k0);
            const float4 a = as<const float4>(in_a)[q];
            As[4 * q][r] = a.x;
            As[4 * q + 1][r] = a.y;
            As[4 * q + 2][r] = a.z;
            As[4 * q + 3][r] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            const auto b = B + ((k0 + k) * s.n + col);
            as<float4>(Bs[k])[x] = as<const float4>(b)[x];
        }
        __syncthreads();  // tiles are written
#pragma unroll kUnroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                as<float4>(a)[p] =
                    as<float4>(As[k])[ty + p * EDGE];
                as<float4>(b)[p] =
                    as<float4>(Bs[k])[tx + p * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * EDGE) + r % 4;
        for (int p = 0; p < T / 4; ++p)
            as<float4>(C + ((row + y) * s.n + col))
                [tx + p * EDGE] = as<float4>(sum[r])[p];
    }
}
