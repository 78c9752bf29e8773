// 19 async_pipeline: copies under way in stages
// Idea   the tiles of the next phases are copied to
//        shared memory while this one is computed
// Watch  dashed cells: the copy has begun, and no
//        thread may read them. They fill at the
//        wait, 2 phases later
// Next   20 champion: one thread copies a whole tile
// Source "CUDA C++ Programming Guide", Asynchronous
//        Data Copies; PTX ISA, cp.async
// Needs  M, N multiples of TILE, K of 8; TILE 64 or
//        128: K of 16
// Takes  TILE 8, 16, 32, 64 or 128
// Built  TILE 8, 16, 32, 64, 128

// block  TILE x TILE of C: warps of LY * T rows and
//        LX * T columns, 2 across at TILE 128
// warp   LY x LX lanes: 4 x 8 from TILE 32 on
//            tx  0  1  2  3  4  5  6  7
//        ty 0    0  1  4  5  8  9 12 13
//        ty 1    2  3  6  7 10 11 14 15
//        ty 2   16 17 20 21 24 25 28 29
//        ty 3   18 19 22 23 26 27 30 31
//        so that lanes l, l^1 read one piece of A
//        and l, l^2 one of B: 2 wavefronts, not 4
// lane   T x T elements: rows LY apart, columns in
//        pieces of 4 that are LX pieces apart
// A stays as it is, k along a row: one 16-byte read
// takes 4 k, and nothing is transposed.
// At 4096 on an H100, TILE 128: 43,400 GFLOPS; 18
// warp_tiled makes 41,500.
#include <cuda_pipeline.h>

template <int TILE>
__global__ void __launch_bounds__(256, 2) async_pipeline(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int BK = TILE < 64 ? 8 : 16;  // depth
    constexpr int EDGE = TILE / T;  // threads
    constexpr int LX = EDGE < 8 ? EDGE : 8;  // lanes
    constexpr int LY = EDGE < 4 ? EDGE : 4;
    constexpr int STAGES = 3;
    alignas(16) __shared__ float As[STAGES][TILE][BK];
    alignas(16) __shared__ float Bs[STAGES][BK][TILE];
    const int i = threadIdx.x;  // 0..EDGE*EDGE-1
    const int lane = i % 32, warp = i / 32;
    const int tx = lane % 2 + lane / 4 % (LX / 2) * 2;
    const int ty = lane / 2 % 2 + lane / (2 * LX) * 2;
    const int wx = warp % (EDGE / LX);
    const int wy = warp / (EDGE / LX);
    const int y = wy * LY * T + ty;  // 1st, of As[]
    const int x = wx * LX * T / 4 + tx;  // piece
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    const int tiles = K / BK;
    int fill = 0, use = 0;  // stages
    alignas(16) float sum[T][T] = {};
    for (int t = 1 - STAGES; t < tiles; ++t) {
        if (t >= 0) {
            __pipeline_wait_prior(STAGES - 2);  // mine
            __syncthreads();  // all of t; t - 1 is read
        }
        const int next = t + STAGES - 1;  // tile
        if (next < tiles)
#pragma unroll
            for (int n = 0; n < TILE * BK / 4;
                 n += EDGE * EDGE) {  // 4 floats each
                const int j = n + i;
                const int r = j / (BK / 4);
                const int q = j % (BK / 4);
                const float* a = A +
                    ((row + r) * K + next * BK);
                float4* to_a = (float4*)As[fill][r];
                __pipeline_memcpy_async(
                    &to_a[q], &((const float4*)a)[q], 16);
                const int k = j / (TILE / 4);
                const int p = j % (TILE / 4);
                const float* b = B +
                    ((next * BK + k) * N + col);
                float4* to_b = (float4*)Bs[fill][k];
                __pipeline_memcpy_async(
                    &to_b[p], &((const float4*)b)[p], 16);
            }
        __pipeline_commit();  // a group, maybe empty
        fill = fill + 1 < STAGES ? fill + 1 : 0;
        if (t < 0) continue;
#pragma unroll
        for (int q = 0; q < BK / 4; ++q) {
            alignas(16) float a[T][4];  // row, k
            for (int r = 0; r < T; ++r)
                ((float4*)a[r])[0] =
                    ((float4*)As[use][y + r * LY])[q];
            for (int k = 0; k < 4; ++k) {
                alignas(16) float b[T];
                const int at = 4 * q + k;  // of Bs[]
                for (int p = 0; p < T / 4; ++p)
                    ((float4*)b)[p] =
                        ((float4*)Bs[use][at])[x + p * LX];
                for (int r = 0; r < T; ++r)
                    for (int n = 0; n < T; ++n) {
                        // Serpentine: each FMA shares
                        // a or b with the one before
                        const int c =
                            r % 2 == 0 ? n : T - 1 - n;
                        sum[r][c] += a[r][k] * b[c];
                    }
            }
        }
        use = use + 1 < STAGES ? use + 1 : 0;
    }
    for (int r = 0; r < T; ++r) {
        float* c = C + ((row + y + r * LY) * N + col);
        for (int p = 0; p < T / 4; ++p)
            ((float4*)c)[x + p * LX] = ((float4*)sum[r])[p];
    }
}

template <int TILE>
void launch_async_pipeline(const float* A, const float* B,
                           float* C, int M, int N, int K) {
    const int edge = TILE / (TILE < 64 ? 4 : 8);
    const dim3 grid(N / TILE, M / TILE);
    const int block = edge * edge;
    async_pipeline<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
