// 22 mma_ldmatrix: fragments from shared memory
// Idea   tiles of A and B in shared memory; ldmatrix takes four 8 x 8 matrices from it
//        into the registers that mma wants
// Watch  a row of As has 128 bytes: the 8 rows of a matrix meet in one 16-byte slot of
//        the banks, 8 wavefronts for one. With PAD 8 each row lies a slot further: one
// Next   23 mma_pipeline: an XOR in place of padding, and copies under way
// Source PTX ISA 9.0, ldmatrix, mma; "CUDA C++ Programming Guide", Shared Memory
// [launch]
// built = {TILE = [32, 64, 128], PAD = [0, 8]}
// multiples = {M = "TILE", N = "TILE", K = 64}
// takes.TILE = [32, 64, 96, 128]
// takes.PAD_multiple = 8
// takes.why_PAD = "each row begins at a multiple of 16 bytes"
// compute_capability = "8.0"

// block  TILE x TILE of C, a warp for each 32 x 32 of it; BK is 64
// warp   2 x 4 products of 16 x 8 for every 16 k:
//              b[0][0, 1]  b[0][2, 3]  b[1][0, 1]  b[1][2, 3]    16 x 8 each
//        a[0]     .           .           .           .
//        a[1]     .           .           .           .        a[i] is 16 x 16
// As     row, k: four matrices of 8 x 8 are one a[i]
//            matrix 0  matrix 2     rows 0 .. 7,  k 0 .. 7 and 8 .. 15
//            matrix 1  matrix 3     rows 8 .. 15
//        lane l names row l % 16, k 8 (l / 16)
// Bs     k, col as in B; ldmatrix transposes each matrix on its way to b
#include "tensor.h"

template <int TILE, int PAD>
__global__ void mma_ldmatrix(
    const __nv_bfloat16* __restrict__ A,  // M x K
    const __nv_bfloat16* __restrict__ B,  // K x N
    float* __restrict__ C,                // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = 64;  // depth of As and Bs
    constexpr int WM = 32, WN = 32;  // of C, a warp's
    constexpr int WARP_COLS = BN / WN;  // warps side by side
    constexpr int THREADS = 32 * (BM / WM) * WARP_COLS;
    alignas(16) __shared__ __nv_bfloat16 As[BM][BK + PAD];  // row, k
    alignas(16) __shared__ __nv_bfloat16 Bs[BK][BN + PAD];  // k, col
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int thread = warp * 32 + lane;
    const int m0 = warp / WARP_COLS * WM;  // the warp's first row of the block's tile
    const int n0 = warp % WARP_COLS * WN;
    const int row0 = blockIdx.y * BM;  // of C, the block's first
    const int col0 = blockIdx.x * BN;
    float sum[2][4][4] = {};  // 16 rows, 8 columns, a lane's elements
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = thread; i < BM * BK / 8; i += THREADS) {  // pieces of 8
            const int row = i / (BK / 8), p = i % (BK / 8);
            store8(As[row], p, load8(&A[(row0 + row) * K + k0], p));
        }
        for (int i = thread; i < BK * BN / 8; i += THREADS) {
            const int k = i / (BN / 8), p = i % (BN / 8);
            store8(Bs[k], p, load8(&B[(k0 + k) * N + col0], p));
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int kk = 0; kk < BK; kk += 16) {
            unsigned a[2][4];  // 16 x 16 each
            unsigned b[2][4];  // 16 x 16 each
            const int l = lane % 16, p = lane / 16 * 8;  // its row; its k or col
            for (int i = 0; i < 2; ++i)
                ldmatrix_x4(a[i], &As[m0 + 16 * i + l][kk + p]);
            for (int j = 0; j < 2; ++j)
                ldmatrix_x4_trans(b[j], &Bs[kk + l][n0 + 16 * j + p]);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    mma_16x8x16(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
        }
        __syncthreads();  // tiles are read
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + m0 + 16 * i + lane / 4;  // and row + 8
            const int col = col0 + n0 + 8 * j + lane % 4 * 2;  // and col + 1
            const float2 upper = {sum[i][j][0], sum[i][j][1]};
            const float2 lower = {sum[i][j][2], sum[i][j][3]};
            *reinterpret_cast<float2*>(&C[row * N + col]) = upper;
            *reinterpret_cast<float2*>(&C[(row + 8) * N + col]) = lower;
        }
}

template <int TILE, int PAD>
void launch_mma_ldmatrix(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
                         int M, int N, int K) {
    const int BM = TILE, BN = TILE, WM = 32, WN = 32;
    const dim3 grid(N / BN, M / BM);
    const dim3 block(32, BM / WM * (BN / WN));
    mma_ldmatrix<TILE, PAD><<<grid, block>>>(A, B, C, M, N, K);
}
