// 23 mma_pipeline: tensor cores that do not wait
// Idea   the tiles of the next phases are copied while this one is multiplied, and the
//        next fragments are loaded while these are; pieces of 16 bytes change places by
//        XOR, so that 8 rows lie in 8 slots of the banks
// Watch  no conflicts and no PAD: piece p of row r lies at p ^ r % 8. Blocks that run
//        together are neighbours in both directions, and share rows in L2
// Next   24 wgmma: the tensor cores read shared memory themselves
// Source PTX ISA 9.0, cp.async, ldmatrix, mma; "CUDA C++ Programming Guide",
//        Asynchronous Data Copies
// [launch]
// built = {TILE = [64, 128, 256]}
// multiples = {M = "TILE", N = "TILE", K = 64}
// multiples_with_TILE = {256 = {N = 128}}
// takes = {TILE = [64, 128, 256]}
// tile_columns = {256 = 128}
// shared = [["As", 3, "TILE", 64], ["Bs", 3, 64, {64 = 64, 128 = 128, 256 = 128}]]
// compute_capability = "8.0"

// block  BM x BN of C: TILE 256 is 256 x 128, else TILE x TILE; warps of WM x WN,
//        WARP_COLS side by side
// warp   in products of 16 x 8, TM x TN of them
// stages STAGES is 3: the copy of tile t starts 2 phases before its compute, phase t
// As     a row has 128 bytes, 8 pieces of 8 k, and is one line of all banks:
//            row 0    pieces 0 1 2 3 4 5 6 7
//            row 1           1 0 3 2 5 4 7 6
//            row 2           2 3 0 1 6 7 4 5     piece p lies at p ^ row % 8
// Bs     a row has BN/8 pieces of 8 columns; piece p lies at p ^ k % 8
#include <cuda_pipeline.h>

#include "tensor.h"

template <int TILE>
struct PipelineTile {
    static constexpr int BM = TILE, BN = TILE == 256 ? 128 : TILE;  // of C, a block's
    static constexpr int BK = 64;  // depth of As and Bs
    static constexpr int WM = TILE == 64 ? 32 : 64, WN = WM;  // of C, a warp's
    static constexpr int WARP_COLS = BN / WN;  // warps side by side
    static constexpr int THREADS = 32 * (BM / WM) * WARP_COLS;
    static constexpr int STAGES = 3;
    static constexpr int BYTES = STAGES * (BM + BN) * BK * 2;
};

template <int TILE>
__global__ void __launch_bounds__(PipelineTile<TILE>::THREADS) mma_pipeline(
    const __nv_bfloat16* __restrict__ A,  // M x K
    const __nv_bfloat16* __restrict__ B,  // K x N
    float* __restrict__ C,                // M x N
    int M, int N, int K) {
    using Tile = PipelineTile<TILE>;
    constexpr int BM = Tile::BM, BN = Tile::BN;
    constexpr int BK = Tile::BK;
    constexpr int STAGES = Tile::STAGES;
    constexpr int TM = Tile::WM / 16, TN = Tile::WN / 8;  // products of a warp
    constexpr int THREADS = Tile::THREADS;
    constexpr int GROUP = 8;  // rows of blocks that run together
    constexpr int A_PIECES = BK / 8, B_PIECES = BN / 8;  // of 16 bytes, of a row
    extern __shared__ __align__(1024) __nv_bfloat16 tiles[];
    __nv_bfloat16* const As = tiles;  // stage, row, k
    __nv_bfloat16* const Bs = tiles + STAGES * BM * BK;  // stage, k, col
    const int thread = threadIdx.x;  // 0..THREADS-1
    const int lane = thread % 32, warp = thread / 32;
    const int m0 = warp / Tile::WARP_COLS * Tile::WM;  // the warp's first row and
    const int n0 = warp % Tile::WARP_COLS * Tile::WN;  // column of the block's tile
    // Blocks in groups of GROUP rows, column by column.
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int group = block / (GROUP * gridDim.x) * GROUP;  // its first row of blocks
    const int rows = min(GROUP, static_cast<int>(gridDim.y) - group);
    const int within = block - group * gridDim.x;
    const int row0 = (group + within % rows) * BM;  // of C, the block's first
    const int col0 = within / rows * BN;

    const int phases = K / BK;

    // The thread copies piece ap of row ar of A, and of each row A_ROWS below; so of B.
    constexpr int A_ROWS = THREADS / A_PIECES, B_ROWS = THREADS / B_PIECES;
    const int ar = thread / A_PIECES, ap = thread % A_PIECES;
    const int br = thread / B_PIECES, bp = thread % B_PIECES;
    const __nv_bfloat16* const from_a = &A[(row0 + ar) * K + ap * 8];
    const __nv_bfloat16* const from_b = &B[br * N + col0 + bp * 8];
    __nv_bfloat16* const to_a = &As[ar * BK + (ap ^ ar % 8) * 8];
    __nv_bfloat16* const to_b = &Bs[br * BN];
    const auto start_copies = [&](int phase, int stage) {
        if (phase < phases) {
            const __nv_bfloat16* const a = from_a + phase * BK;
            const __nv_bfloat16* const b = from_b + phase * BK * N;
#pragma unroll
            for (int i = 0; i < BM / A_ROWS; ++i)
                __pipeline_memcpy_async(&to_a[(stage * BM + i * A_ROWS) * BK],
                                        &a[i * A_ROWS * K], 16);
#pragma unroll
            for (int i = 0; i < BK / B_ROWS; ++i) {
                const int p = bp ^ (br + i * B_ROWS) % 8;
                __pipeline_memcpy_async(&to_b[(stage * BK + i * B_ROWS) * BN + 8 * p],
                                        &b[i * B_ROWS * N], 16);
            }
        }
        __pipeline_commit();  // a group, maybe empty
    };

    // What lane l names for its warp's fragments: of 16 rows (of B: k) row l % 16, of
    // 16 k (of B: columns) the first 8 or the others.
    const int upper = lane / 16, swizzle = lane % 8;
    const __nv_bfloat16* const a0 = &As[(m0 + lane % 16) * BK];
    const __nv_bfloat16* const b0 = &Bs[lane % 16 * BN + n0 / 64 * 64];
    unsigned a[2][TM][4];      // 16 x 16 each; these and the next
    unsigned b[2][TN / 2][4];  // 16 x 16 each
    const auto load_fragments = [&](int to, int stage, int k) {
#pragma unroll
        for (int i = 0; i < TM; ++i) {
            const int p = (k / 8 + upper) ^ swizzle;
            ldmatrix_x4(a[to][i], &a0[(stage * BM + 16 * i) * BK + 8 * p]);
        }
#pragma unroll
        for (int j = 0; j < TN / 2; ++j) {
            const int p = (n0 % 64 / 8 + 2 * j + upper) ^ swizzle;
            ldmatrix_x4_trans(b[to][j], &b0[(stage * BK + k) * BN + 8 * p]);
        }
    };

#pragma unroll
    for (int stage = 0; stage < STAGES - 1; ++stage) start_copies(stage, stage);
    __pipeline_wait_prior(STAGES - 2);  // this thread's copies of phase 0
    __syncthreads();  // all threads' copies
    load_fragments(0, 0, 0);
    int fill = STAGES - 1, use = 0;  // stages
    float sum[TM][TN][4] = {};  // 16 rows, 8 columns, a lane's elements
#pragma unroll 1
    for (int phase = 0; phase < phases; ++phase) {
        start_copies(phase + STAGES - 1, fill);
        fill = fill + 1 < STAGES ? fill + 1 : 0;
#pragma unroll
        for (int step = 0; step < BK / 16; ++step) {
            const bool last = step + 1 == BK / 16;
            if (last) {
                __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next
                __syncthreads();  // all threads' copies; these tiles are read
                use = use + 1 < STAGES ? use + 1 : 0;
            }
            if (!last || phase + 1 < phases)
                load_fragments((step + 1) % 2, use, last ? 0 : 16 * (step + 1));
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int n = 0; n < TN; ++n) {
                    // Serpentine: each product shares a fragment with the one before
                    const int j = i % 2 == 0 ? n : TN - 1 - n;
                    const unsigned* const b_of_j = &b[step % 2][j / 2][j % 2 * 2];
                    mma_16x8x16(sum[i][j], a[step % 2][i], b_of_j);
                }
        }
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
    using Tile = PipelineTile<TILE>;
    const dim3 grid(N / Tile::BN, M / Tile::BM);
    cudaFuncSetAttribute(mma_pipeline<TILE>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES);
    mma_pipeline<TILE><<<grid, Tile::THREADS, Tile::BYTES>>>(A, B, C, M, N, K);
}
