// 17 swizzled: banks parted without padding
// Idea   store As[k][row] at As[k][row ^ swap], swap
//        made from k: rows change places, none is
//        longer
// Watch  no conflicts and no PAD. 16 vectorized with
//        PAD 4 moves every 4th k on by 16 banks; XOR
//        swaps halves of 16 banks instead
// Next   18 warp_tiled deals the threads out anew
// Source "CUDA C++ Programming Guide", Tensor Map
//        Swizzle Modes
// Needs  M, N multiples of TILE, K of 8; TILE
//        128: K of 16
#include "kernels/dialect/dialect.h"
// block, warp, lane: as in 16 vectorized. What lies
// where in As, TILE 16, HALF 8; columns are banks:
//        k 0..3   rows 0 .. 7    rows 8 .. 15
//        k 4..7   rows 8 .. 15   rows 0 .. 7
// A warp stores k 0 and k 4 of its rows at once.
// At 4096 on an H100, TILE 128: 41,000 GFLOPS. 16
// makes 40,200, with PAD 4 41,300: an address of As
// that XOR made is one more to work out and to keep.
template <int TILE>
__global__ void __launch_bounds__(256) swizzled(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;  // threads
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    constexpr int HALF = TILE < 32 ? TILE / 2 : 16;
    alignas(16) SHARED(float, As, BK, TILE);
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
            const int y = r ^ i % 2 * HALF;
            As[4 * q][y] = a.x;
            As[4 * q + 1][y] = a.y;
            As[4 * q + 2][y] = a.z;
            As[4 * q + 3][y] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            const auto b = B + ((k0 + k) * s.n + col);
            as<float4>(Bs[k])[x] = as<const float4>(b)[x];
        }
        __syncthreads();  // tiles are written
#pragma unroll kUnroll
        for (int k = 0; k < BK; ++k) {
            const int swap = k / 4 % 2 * HALF / 4;
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                const int y = (ty ^ swap) + p * EDGE;
                as<float4>(a)[p] = as<float4>(As[k])[y];
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
