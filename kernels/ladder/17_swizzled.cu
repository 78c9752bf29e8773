// 17 swizzled: no bank conflicts, no padding
// Idea   store As[k][row] at As[k][row ^ swap], swap computed from k: elements change
//        places within a row of As, which needs no padding
// Watch  no conflicts and no PAD. 16 vectorized with PAD 4 shifts As[k + 4] by 16
//        banks; the XOR swaps halves of 16 banks instead
// Next   18 warp_tiled arranges threads by warps
// Source "CUDA C++ Programming Guide", Tensor Map Swizzle Modes
// [launch]
// built = {TILE = [8, 16, 32, 64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 8}
// multiples_with_TILE = {128 = {K = 16}}
// takes = {TILE = [8, 16, 32, 64, 128]}

// block, warp, lane: as in 16 vectorized
// As     BK x BM, transposed. Where A's rows lie, TILE 16, HALF 8; columns are banks:
//               0 ....... 7  8 ...... 15   column of As
//        k 0    rows 0 .. 7  rows 8 .. 15
//        k 1, 2 and 3 likewise
//        k 4    rows 8 .. 15 rows 0 .. 7
//        k 5, 6 and 7 likewise
//        A warp stores k 0 and k 4 of its rows at once: from TILE 32 on to 32 banks
// GFLOPS at 4096 in assets/races/h100_ladder.json, an H100: the XOR makes one more
// address of As to compute and to keep
//        16 vectorized TILE 128 PAD 0: 40,600
//        16 vectorized TILE 128 PAD 4: 41,600
//        17 swizzled TILE 128: 41,300
#include "load4.h"

__host__ __device__ constexpr int swizzled_edge(int TILE) {  // TM and TN
    return TILE < 64 ? 4 : 8;
}

template <int TILE>
__global__ void __launch_bounds__(256) swizzled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth of As and Bs
    constexpr int TM = swizzled_edge(TILE), TN = TM;  // of C, a thread's
    constexpr int ROWS = BM / TM, COLS = BN / TN;  // of threads
    constexpr int HALF = BM < 32 ? BM / 2 : 16;  // swapped with its neighbour
    alignas(16) __shared__ float As[BK][BM];  // k, row ^ swap
    alignas(16) __shared__ float Bs[BK][BN];  // k, col
    const int tx = threadIdx.x;  // 0..COLS-1
    const int ty = threadIdx.y;  // 0..ROWS-1
    const int row0 = blockIdx.y * BM;  // of C, the block's first
    const int col0 = blockIdx.x * BN;
    alignas(16) float sum[TM][TN] = {};  // rows 4 * (ty + r / 4 * ROWS) + r % 4
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 2
        for (int first = 0; first < BM * BK / 4; first += ROWS * COLS) {
            const int i = first + ty * COLS + tx;  // a piece of 4 floats
            const int row = i / 2 % BM;  // of A: 2 lanes take 8 k of a row, a sector
            const int ak = i / 2 / BM * 2 + i % 2;  // a piece of 4 k
            const float4 a = load4(&A[(row0 + row) * K + k0], ak);
            const int at = row ^ i % 2 * HALF;  // i % 2 is ak % 2
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
            const int swap = k / 4 % 2 * HALF / 4;  // pieces
            alignas(16) float a[TM];  // of column k of A's tile
            alignas(16) float b[TN];  // of row k of B's tile
            for (int p = 0; p < TM / 4; ++p) {  // pieces; TN is TM
                store4(a, p, load4(As[k], (ty ^ swap) + p * ROWS));
                store4(b, p, load4(Bs[k], tx + p * COLS));
            }
            for (int r = 0; r < TM; ++r)
                for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < TM; ++r) {
        const int row = 4 * (ty + r / 4 * ROWS) + r % 4;  // of the block's tile
        float* const to = &C[(row0 + row) * N + col0];
        for (int p = 0; p < TN / 4; ++p)
            store4(to, tx + p * COLS, load4(sum[r], p));
    }
}

template <int TILE>
void launch_swizzled(const float* A, const float* B, float* C, int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const int TM = swizzled_edge(TILE), TN = TM;
    const dim3 grid(N / BN, M / BM);
    const dim3 block(BN / TN, BM / TM);
    swizzled<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
