// 16 vectorized: 16 bytes an access
// Idea   move 4 floats by one instruction; for that A's tile is stored transposed,
//        As[k][row]
// Watch  16-byte requests go by groups of lanes. As[k][row] = ... has two rows of k
//        meet in each bank; PAD 4 separates them
// Next   17 swizzled does so without padding
// Source "CUDA C++ Programming Guide", Device Memory Accesses, Size and Alignment
//        Requirement
// [launch]
// built = {TILE = [8, 16, 32, 64, 128], PAD = [0, 4]}
// multiples = {M = "TILE", N = "TILE", K = 8}
// multiples_with_TILE = {128 = {K = 16}}
// takes.TILE = [4, 8, 16, 32, 64, 128]
// takes.why_TILE = "its threads share out each tile evenly"
// takes.PAD_multiple = 4
// takes.why_PAD = "each row begins at a multiple of 16 bytes"

//                             BN
//                         +--------+
//                         |   Bs   | BK    k0, k0 + BK, ...
//                         +--------+
//                 BM
//              +------+   +--------+
//           BK |  As  |   |   C    | BM    one block: ROWS x COLS threads
//              +------+   +--------+
//             transposed      BN
// warp   at TILE 128: 2 rows of 16 threads
// lane   TM x TN sums, in pieces of 4 x 4 that are read by 16 bytes. TILE 16:
//                0    1    2    3     tx, COLS is 4
//            0   .... .... #### ....
//                .... .... #### ....  #  the piece of thread ty 0, tx 2
//                .... .... #### ....
//                .... .... #### ....  at TILE 128 a thread has 2 x 2
//            1   .... .... .... ....  pieces, 64 apart
//           ty
// GFLOPS at 4096 in assets/races/h100_ladder.json, an H100:
//        15 register_tile TILE 128: 31,800
//        16 vectorized TILE 128 PAD 0: 40,600
//        16 vectorized TILE 128 PAD 4: 41,600
#include "load4.h"

__host__ __device__ constexpr int vectorized_edge(int TILE) {  // TM and TN
    return TILE < 64 ? 4 : 8;
}

template <int TILE, int PAD>
__global__ void __launch_bounds__(256, 2) vectorized(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth of As and Bs
    constexpr int TM = vectorized_edge(TILE), TN = TM;  // of C, a thread's
    constexpr int ROWS = BM / TM, COLS = BN / TN;  // of threads
    alignas(16) __shared__ float As[BK][BM + PAD];  // k, row
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
            As[4 * ak][row] = a.x;
            As[4 * ak + 1][row] = a.y;
            As[4 * ak + 2][row] = a.z;
            As[4 * ak + 3][row] = a.w;
            const int bk = i / (BN / 4);  // of B
            const int col = i % (BN / 4);  // a piece of 4 columns
            store4(Bs[bk], col, load4(&B[(k0 + bk) * N + col0], col));
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[TM];  // of column k of A's tile
            alignas(16) float b[TN];  // of row k of B's tile
            for (int p = 0; p < TM / 4; ++p) {  // pieces; TN is TM
                store4(a, p, load4(As[k], ty + p * ROWS));
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

template <int TILE, int PAD>
void launch_vectorized(const float* A, const float* B, float* C, int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const int TM = vectorized_edge(TILE), TN = TM;
    const dim3 grid(N / BN, M / BM);
    const dim3 block(BN / TN, BM / TM);
    vectorized<TILE, PAD><<<grid, block>>>(A, B, C, M, N, K);
}
