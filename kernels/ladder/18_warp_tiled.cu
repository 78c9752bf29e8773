// 18 warp_tiled: each warp a tile of C
// Idea   32 threads read less of As and Bs if they lie 4 x 8 over C, not 2 x 16
// Watch  lanes 1 apart read the same of Bs, lanes 2 apart the same of As: then a
//        16-byte read takes 2 wavefronts, not 4
// Next   19 async_pipeline: copies without registers
// Source "Efficient GEMM in CUDA" (CUTLASS documentation), Warp-level GEMM
// [launch]
// built = {TILE = [32, 64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 8}
// multiples_with_TILE = {128 = {K = 16}}
// takes = {TILE = [32, 64, 128]}

// block  BM x BN of C, both TILE, in warps of WM x WN. TILE 128, WARP_COLS 2:
//                   WN
//              +--------+--------+
//           WM | warp 0 | warp 1 |
//              +--------+--------+   TILE 64: two warps, one above the other
//              | warp 2 | warp 3 |   TILE 32: two warps, one above the other
//              +--------+--------+
//              |  ...   | warp 7 |
//              +--------+--------+
// warp   4 x 8 lanes, each a piece of 4 x 4; TILE 64 and 128: 2 x 2 such tables
//                0  1  2  3  4  5  6  7   lane_col
//            0   0  2  4  6  8 10 12 14
//            1   1  3  5  7  9 11 13 15
//            2  16 18 20 22 24 26 28 30
//            3  17 19 21 23 25 27 29 31
//            lane_row
// lane   TM x TN sums, in pieces of 4 x 4 that are 16 rows and 32 columns apart
// GFLOPS at 4096 in assets/races/h100_ladder.json, an H100:
//        17 swizzled TILE 128: 41,300
//        18 warp_tiled TILE 128: 41,800
//        cuBLAS: 50,500
#include "load4.h"

__host__ __device__ constexpr int warp_tiled_edge(int TILE) {  // TM and TN
    return TILE < 64 ? 4 : 8;
}

template <int TILE>
__global__ void __launch_bounds__(256, 2) warp_tiled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth of As and Bs
    constexpr int TM = warp_tiled_edge(TILE), TN = TM;  // of C, a thread's
    constexpr int WM = 4 * TM, WN = 8 * TN;  // of C, a warp's
    constexpr int WARP_COLS = BN / WN;  // warps side by side
    constexpr int THREADS = BM / TM * (BN / TN);
    alignas(16) __shared__ float As[BK][BM];  // k, row ^ swap as in 17
    alignas(16) __shared__ float Bs[BK][BN];  // k, col
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int lane_row = lane % 2 + lane / 16 * 2;  // 0..3
    const int lane_col = lane / 2 % 8;  // 0..7
    // The place of the thread's first piece in the block's tile, in pieces of 4:
    const int ty = warp / WARP_COLS * (WM / 4) + lane_row;
    const int tx = warp % WARP_COLS * (WN / 4) + lane_col;
    const int row0 = blockIdx.y * BM;  // of C, the block's first
    const int col0 = blockIdx.x * BN;
    alignas(16) float sum[TM][TN] = {};  // rows 4 * (ty + r / 4 * 4) + r % 4
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 2
        for (int first = 0; first < BM * BK / 4; first += THREADS) {
            const int i = first + threadIdx.x;  // a piece of 4 floats
            const int row = i / 2 % BM;  // of A: 2 lanes take 8 k of a row, a sector
            const int ak = i / 2 / BM * 2 + i % 2;  // a piece of 4 k
            const float4 a = load4(&A[(row0 + row) * K + k0], ak);
            const int at = row ^ ak % 2 * 16;
            As[4 * ak][at] = a.x;
            As[4 * ak + 1][at] = a.y;
            As[4 * ak + 2][at] = a.z;
            As[4 * ak + 3][at] = a.w;
            const int bk = i / (BN / 4);  // of B
            const int col = i % (BN / 4);  // a piece of 4 columns
            store4(Bs[bk], col, load4(&B[(k0 + bk) * N + col0], col));
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const int swap = k / 4 % 2 * 4;  // pieces
            alignas(16) float a[TM];  // of column k of A's tile
            alignas(16) float b[TN];  // of row k of B's tile
            for (int p = 0; p < TM / 4; ++p) {  // pieces; TN is TM
                store4(a, p, load4(As[k], (ty + p * 4) ^ swap));
                store4(b, p, load4(Bs[k], tx + p * 8));
            }
            for (int r = 0; r < TM; ++r)
                for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < TM; ++r) {
        const int row = 4 * (ty + r / 4 * 4) + r % 4;  // of the block's tile
        float* const to = &C[(row0 + row) * N + col0];
        for (int p = 0; p < TN / 4; ++p)
            store4(to, tx + p * 8, load4(sum[r], p));
    }
}

template <int TILE>
void launch_warp_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const int TM = warp_tiled_edge(TILE), TN = TM;
    const dim3 grid(N / BN, M / BM);
    const int block = BM / TM * (BN / TN);
    warp_tiled<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
