// 15 register_tile: each thread a tile of C
// Idea   a thread holds T x T sums in registers: T
//        reads of As and T of Bs feed T x T
//        multiply-adds
// Watch  the shared reads a multiply-add: 2 / T; 09
//        tiled makes 2, 12 outer_product 1
// Next   16 vectorized moves 4 floats an access
// Source "Efficient GEMM in CUDA" (CUTLASS
//        documentation), Thread-level GEMM
// Needs  M, N multiples of TILE, K of 8; TILE 128: K
//        of 16
// Takes  TILE 4, 8, 16, 32, 64 or 128: its threads
//        share out each tile evenly
// Built  TILE 8, 16, 32, 64, 128

// block  TILE x TILE of C, EDGE x EDGE threads
// warp   at TILE 128: 2 rows of 16 threads
// lane   T x T elements, EDGE apart both ways, so
//        that neighbours read neighbours. TILE 8,
//        EDGE 2; thread (0, 1) has the elements #:
//            0 1 0 1 0 1 0 1  tx
//        0   . # . # . # . #
//        1   . . . . . . . .
//        0   . # . # . # . #  and so on
//        ty
// At 4096 on an H100: 31,600 GFLOPS (TILE 128); 14
// outer_product_prefetch makes 19,400.
template <int TILE>
__global__ void __launch_bounds__(256, 2) register_tile(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;  // threads
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    __shared__ float As[TILE][BK];  // row, k
    __shared__ float Bs[BK][TILE];  // k, col
    const int tx = threadIdx.x;  // 0..EDGE-1
    const int ty = threadIdx.y;  // 0..EDGE-1
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    float sum[T][T] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 4  // loads under way at once
        for (int n = 0; n < TILE * BK;
             n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            const int r = i / BK, k = i % BK;
            As[r][k] = A[(row + r) * K + k0 + k];
            const int y = i / TILE, x = i % TILE;
            Bs[y][x] = B[(k0 + y) * N + col + x];
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[T], b[T];  // of a column, of a row
            for (int i = 0; i < T; ++i) {
                a[i] = As[ty + i * EDGE][k];
                b[i] = Bs[k][tx + i * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) {
            const int y = row + ty + r * EDGE;
            const int x = col + tx + c * EDGE;
            C[y * N + x] = sum[r][c];
        }
}

template <int TILE>
void launch_register_tile(const float* A, const float* B,
                          float* C, int M, int N, int K) {
    const int edge = TILE / (TILE < 64 ? 4 : 8);
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(edge, edge);
    register_tile<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
