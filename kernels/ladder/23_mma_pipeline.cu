// 23 mma_pipeline: tensor cores that do not wait
// Idea   the tiles of the next phases are copied while this one is multiplied; pieces
//        of 16 bytes change places by XOR, so that 8 rows lie in 8 slots of the banks
// Watch  no conflicts and no PAD: piece p of row r of Bs lies at p ^ r % 8. Blocks
//        that run together are neighbours in both directions, and share rows in L2
// Next   compare it with 22 mma_ldmatrix
// Source PTX ISA 9.0, cp.async, ldmatrix, mma; "CUDA C++ Programming Guide",
//        Asynchronous Data Copies
// [launch]
// built = {TILE = [64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 32}
// takes = {TILE = [64, 128]}
// compute_capability = "8.0"

// block  TILE x TILE of C in 2 x 4 warps; BK is 32
// warp   TILE/2 x TILE/4 of C in products of 16 x 8
// stages STAGES is 3: the copy of tile t starts 2 phases before its compute, phase t
// As     a row has 64 bytes, 4 pieces of 8 k; two rows are one line of all banks:
//            row 0, 1    pieces 0 1 2 3   0 1 2 3
//            row 2, 3           1 0 3 2   1 0 3 2
//            row 4, 5           2 3 0 1   2 3 0 1
//            row 6, 7           3 2 1 0   3 2 1 0     piece p lies at p ^ row / 2 % 4
// Bs     a row has TILE/8 pieces of 8 columns; piece p lies at p ^ k % 8
#include <cuda_pipeline.h>

#include "tensor.h"

template <int TILE>
__global__ void __launch_bounds__(256) mma_pipeline(
    const __nv_bfloat16* __restrict__ A,  // M x K
    const __nv_bfloat16* __restrict__ B,  // K x N
    float* __restrict__ C,                // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = 32;  // depth of As and Bs
    constexpr int WM = BM / 2, WN = BN / 4;  // of C, a warp's
    constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp
    constexpr int THREADS = 256;
    constexpr int STAGES = 3;
    constexpr int GROUP = 8;  // rows of blocks that run together
    alignas(128) __shared__ __nv_bfloat16 As[STAGES][BM][BK];  // stage, row, k
    alignas(128) __shared__ __nv_bfloat16 Bs[STAGES][BK][BN];  // stage, k, col
    const int thread = threadIdx.x;  // 0..255
    const int lane = thread % 32, warp = thread / 32;
    const int m0 = warp / 4 * WM;  // the warp's first row of the block's tile
    const int n0 = warp % 4 * WN;
    // Blocks in groups of GROUP rows, column by column.
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int group = block / (GROUP * gridDim.x) * GROUP;  // its first row of blocks
    const int rows = min(GROUP, static_cast<int>(gridDim.y) - group);
    const int within = block - group * gridDim.x;
    const int row0 = (group + within % rows) * BM;  // of C, the block's first
    const int col0 = within / rows * BN;
    const int tiles = K / BK;  // along K
    int fill = 0, use = 0;  // stages
    float sum[TM][TN][4] = {};  // 16 rows, 8 columns, a lane's elements
    for (int tile = 1 - STAGES; tile < tiles; ++tile) {
        if (tile >= 0) {
            __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the tile
            __syncthreads();  // all threads' copies; the tile before is read
        }
        const int next = tile + STAGES - 1;  // the tile to copy
        if (next < tiles)
#pragma unroll
            for (int i = thread; i < BM * BK / 8; i += THREADS) {  // pieces of 8
                const int row = i / (BK / 8), p = i % (BK / 8);  // of A
                const int to = p ^ row / 2 % 4;
                const __nv_bfloat16* a = &A[(row0 + row) * K + next * BK];
                __pipeline_memcpy_async(to8(As[fill][row], to), from8(a, p), 16);
                const int k = i / (BN / 8), q = i % (BN / 8);  // of B
                const __nv_bfloat16* b = &B[(next * BK + k) * N + col0];
                __pipeline_memcpy_async(to8(Bs[fill][k], q ^ k % 8), from8(b, q), 16);
            }
        __pipeline_commit();  // a group, maybe empty
        fill = fill + 1 < STAGES ? fill + 1 : 0;
        if (tile < 0) continue;
#pragma unroll
        for (int kk = 0; kk < BK; kk += 16) {
            unsigned a[TM][4];  // 16 x 16 each
            unsigned b[TN / 2][4];  // 16 x 16 each
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                const int row = m0 + 16 * i + lane % 16;
                const int p = (kk / 8 + lane / 16) ^ row / 2 % 4;
                ldmatrix_x4(a[i], to8(As[use][row], p));
            }
#pragma unroll
            for (int j = 0; j < TN / 2; ++j) {
                const int k = kk + lane % 16;
                const int p = (n0 / 8 + 2 * j + lane / 16) ^ k % 8;
                ldmatrix_x4_trans(b[j], to8(Bs[use][k], p));
            }
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    mma_16x8x16(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
        }
        use = use + 1 < STAGES ? use + 1 : 0;
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = row0 + m0 + 16 * i + lane / 4;  // and row + 8
            const int col = col0 + n0 + 8 * j + lane % 4 * 2;  // and col + 1
            const float2 upper = {sum[i][j][0], sum[i][j][1]};
            const float2 lower = {sum[i][j][2], sum[i][j][3]};
            *reinterpret_cast<float2*>(&C[row * N + col]) = upper;
            *reinterpret_cast<float2*>(&C[(row + 8) * N + col]) = lower;
        }
}

template <int TILE>
void launch_mma_pipeline(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
                         int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const dim3 grid(N / BN, M / BM);
    mma_pipeline<TILE><<<grid, 256>>>(A, B, C, M, N, K);
}
