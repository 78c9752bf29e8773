// 19 async_pipeline: copies under way in stages
// Idea   the tiles of the next phases are copied to shared memory while this one is
//        computed
// Watch  dashed cells: the copy has begun, and no thread may read them. They fill at
//        the wait, 2 phases later
// Next   20 champion: one thread copies a whole tile
// Source "CUDA C++ Programming Guide", Asynchronous Data Copies; PTX ISA, cp.async
// [launch]
// built = {TILE = [8, 16, 32, 64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 8}
// multiples_with_TILE = {64 = {K = 16}, 128 = {K = 16}}
// takes = {TILE = [8, 16, 32, 64, 128]}

// stages STAGES is 3: the copy of tile t starts 2 phases before its compute, phase t
//            tile 2   copy 0  copy 1  compute 2
//            tile 3           copy 1  copy 2     compute 3
//            tile 4                   copy 2     copy 3  compute 4   in tile 1's stage
// block  BM x BN of C, both TILE, in warps of WM x WN, WARP_COLS side by side
// warp   LANE_ROWS x LANE_COLS lanes: 4 x 8 from TILE 32 on
//                0  1  2  3  4  5  6  7   lane_col
//            0   0  1  4  5  8  9 12 13
//            1   2  3  6  7 10 11 14 15   lanes l and l ^ 1 read one piece of A, and
//            2  16 17 20 21 24 25 28 29   l and l ^ 2 one of B: a read takes 2
//            3  18 19 22 23 26 27 30 31   wavefronts, not 4
//            lane_row
// lane   TM x TN sums: rows LANE_ROWS apart, columns in pieces of 4 that are LANE_COLS
//        pieces apart
// As     as A is, k along a row: one 16-byte read takes 4 k, and nothing is transposed
// GFLOPS at 4096 in assets/races/h100_ladder.json, an H100:
//        18 warp_tiled TILE 128: 41,800
//        19 async_pipeline TILE 128: 43,700
#include <cuda_pipeline.h>

#include "load4.h"

__host__ __device__ constexpr int async_pipeline_edge(int TILE) {  // TM and TN
    return TILE < 64 ? 4 : 8;
}

template <int TILE>
__global__ void __launch_bounds__(256, 2) async_pipeline(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = TILE < 64 ? 8 : 16;  // depth of As and Bs
    constexpr int TM = async_pipeline_edge(TILE), TN = TM;  // of C, a thread's
    constexpr int ROWS = BM / TM, COLS = BN / TN;  // of threads
    constexpr int LANE_ROWS = ROWS < 4 ? ROWS : 4;  // of a warp
    constexpr int LANE_COLS = COLS < 8 ? COLS : 8;
    constexpr int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;  // of C, a warp's
    constexpr int WARP_COLS = BN / WN;  // warps side by side
    constexpr int STAGES = 3;
    alignas(16) __shared__ float As[STAGES][BM][BK];  // stage, row, k
    alignas(16) __shared__ float Bs[STAGES][BK][BN];  // stage, k, col
    const int thread = threadIdx.x;  // 0..ROWS*COLS-1
    const int lane = thread % 32, warp = thread / 32;
    const int lane_col = lane % 2 + lane / 4 % (LANE_COLS / 2) * 2;
    const int lane_row = lane / 2 % 2 + lane / (2 * LANE_COLS) * 2;
    // The thread's first row of the block's tile, and its first piece of 4 columns:
    const int ty = warp / WARP_COLS * WM + lane_row;
    const int tx = warp % WARP_COLS * (WN / 4) + lane_col;
    const int row0 = blockIdx.y * BM;  // of C, the block's first
    const int col0 = blockIdx.x * BN;
    const int tiles = K / BK;  // along K
    int fill = 0, use = 0;  // stages
    alignas(16) float sum[TM][TN] = {};  // rows ty + r * LANE_ROWS of the block's tile
    for (int tile = 1 - STAGES; tile < tiles; ++tile) {
        if (tile >= 0) {
            __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the tile
            __syncthreads();  // all threads' copies; the tile before is read
        }
        const int next = tile + STAGES - 1;  // the tile to copy
        if (next < tiles)
#pragma unroll
            for (int first = 0; first < BM * BK / 4; first += ROWS * COLS) {
                const int i = first + thread;  // a piece of 4 floats
                const int row = i / (BK / 4);  // of A
                const int ak = i % (BK / 4);  // a piece of 4 k
                const float* a = &A[(row0 + row) * K + next * BK];
                __pipeline_memcpy_async(to4(As[fill][row], ak), from4(a, ak), 16);
                const int bk = i / (BN / 4);  // of B
                const int col = i % (BN / 4);  // a piece of 4 columns
                const float* b = &B[(next * BK + bk) * N + col0];
                __pipeline_memcpy_async(to4(Bs[fill][bk], col), from4(b, col), 16);
            }
        __pipeline_commit();  // a group, maybe empty
        fill = fill + 1 < STAGES ? fill + 1 : 0;
        if (tile < 0) continue;
#pragma unroll
        for (int ak = 0; ak < BK / 4; ++ak) {  // pieces of 4 k
            alignas(16) float a[TM][4];  // row, k
            for (int r = 0; r < TM; ++r)
                store4(a[r], 0, load4(As[use][ty + r * LANE_ROWS], ak));
            for (int k = 0; k < 4; ++k) {
                alignas(16) float b[TN];  // of a row of B's tile
                const int bk = 4 * ak + k;
                for (int p = 0; p < TN / 4; ++p)
                    store4(b, p, load4(Bs[use][bk], tx + p * LANE_COLS));
                for (int r = 0; r < TM; ++r)
                    for (int n = 0; n < TN; ++n) {
                        // Serpentine: each FMA shares a or b with the one before
                        const int c = r % 2 == 0 ? n : TN - 1 - n;
                        sum[r][c] += a[r][k] * b[c];
                    }
            }
        }
        use = use + 1 < STAGES ? use + 1 : 0;
    }
    for (int r = 0; r < TM; ++r) {
        const int row = ty + r * LANE_ROWS;  // of the block's tile
        float* const to = &C[(row0 + row) * N + col0];
        for (int p = 0; p < TN / 4; ++p)
            store4(to, tx + p * LANE_COLS, load4(sum[r], p));
    }
}

template <int TILE>
void launch_async_pipeline(const float* A, const float* B, float* C,
                           int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const int TM = async_pipeline_edge(TILE), TN = TM;
    const dim3 grid(N / BN, M / BM);
    const int block = BM / TM * (BN / TN);
    async_pipeline<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
