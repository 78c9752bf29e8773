// 17 swizzled: no bank conflicts, no padding
// Idea   store As[k][row] at As[k][row ^ swap], swap
//        computed from k: elements change places
//        within a row of As, which needs no padding
// Watch  no conflicts and no PAD. 16 vectorized with
//        PAD 4 shifts As[k + 4] by 16 banks; the XOR
//        swaps halves of 16 banks instead
// Next   18 warp_tiled arranges threads by warps
// Source "CUDA C++ Programming Guide", Tensor Map
//        Swizzle Modes
// Needs  M, N multiples of TILE, K of 8; TILE 128: K
//        of 16
// Takes  TILE 8, 16, 32, 64 or 128
// Built  TILE 8, 16, 32, 64, 128

// block, warp, lane: as in 16 vectorized. What lies
// where in As, TILE 16, HALF 8; columns are banks:
//        k 0..3   rows 0 .. 7    rows 8 .. 15
//        k 4..7   rows 8 .. 15   rows 0 .. 7
// A warp stores k 0 and k 4 of its rows at once.
// At 4096 on an H100, TILE 128: 41,000 GFLOPS. 16
// makes 40,200, with PAD 4 41,300: the XOR makes one
// more address of As to compute and to keep.
template <int TILE>
__global__ void __launch_bounds__(256) swizzled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;  // threads
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    constexpr int HALF = TILE < 32 ? TILE / 2 : 16;
    alignas(16) __shared__ float As[BK][TILE];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int tx = threadIdx.x;  // 0..EDGE-1
    const int ty = threadIdx.y;  // 0..EDGE-1
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4;
             n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            // 2 lanes take 8 k of a row, a sector
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float* in_a = A + ((row + r) * K + k0);
            const float4 a = ((const float4*)in_a)[q];
            const int y = r ^ i % 2 * HALF;
            As[4 * q][y] = a.x;
            As[4 * q + 1][y] = a.y;
            As[4 * q + 2][y] = a.z;
            As[4 * q + 3][y] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            const float* b = B + ((k0 + k) * N + col);
            ((float4*)Bs[k])[x] = ((const float4*)b)[x];
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const int swap = k / 4 % 2 * HALF / 4;
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                const int y = (ty ^ swap) + p * EDGE;
                ((float4*)a)[p] = ((float4*)As[k])[y];
                ((float4*)b)[p] =
                    ((float4*)Bs[k])[tx + p * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * EDGE) + r % 4;
        float* c = C + ((row + y) * N + col);
        for (int p = 0; p < T / 4; ++p)
            ((float4*)c)[tx + p * EDGE] =
                ((float4*)sum[r])[p];
    }
}

template <int TILE>
void launch_swizzled(const float* A, const float* B,
                     float* C, int M, int N, int K) {
    const int edge = TILE / (TILE < 64 ? 4 : 8);
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(edge, edge);
    swizzled<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
