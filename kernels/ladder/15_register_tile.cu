// 15 register_tile: each thread a tile of C
// Idea   a thread holds TM x TN sums in registers: TM reads of As and TN of Bs feed TM
//        x TN multiply-adds
// Watch  the shared reads a multiply-add: 2 / TM; 09 tiled makes 2, 12 outer_product 1
// Next   16 vectorized moves 4 floats an access
// Source "Efficient GEMM in CUDA" (CUTLASS documentation), Thread-level GEMM
// [launch]
// built = {TILE = [8, 16, 32, 64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 8}
// multiples_with_TILE = {128 = {K = 16}}
// takes.TILE = [4, 8, 16, 32, 64, 128]
// takes.why_TILE = "its threads share out each tile evenly"

//                             BN
//                         +--------+
//                         |   Bs   | BK    k0, k0 + BK, ...
//                         +--------+
//                 BK
//              +------+   +--------+
//           BM |  As  |   |   C    | BM    one block: ROWS x COLS threads
//              +------+   +--------+
//                             BN
// warp   at TILE 128: 2 rows of 16 threads
// lane   TM x TN sums, ROWS and COLS apart, so that neighbours read neighbours. TILE 8:
//                0 1 0 1 0 1 0 1   tx, COLS is 2
//            0   . # . # . # . #
//            1   . . . . . . . .   #  the 4 x 4 sums of
//            0   . # . # . # . #      thread ty 0, tx 1
//            1   . . . . . . . .
//           ty                     and 4 rows more
// GFLOPS at 4096 in assets/races/h100_ladder.json, an H100:
//        14 outer_product_prefetch TILE 16: 19,500
//        15 register_tile TILE 128: 31,800
__host__ __device__ constexpr int thread_edge(int TILE) {  // TM and TN
    return TILE < 64 ? 4 : 8;
}

template <int TILE>
__global__ void __launch_bounds__(256, 2) register_tile(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = TILE;  // of C, a block's
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth of As and Bs
    constexpr int TM = thread_edge(TILE), TN = TM;  // of C, a thread's
    constexpr int ROWS = BM / TM, COLS = BN / TN;  // of threads
    __shared__ float As[BM][BK];  // row, k
    __shared__ float Bs[BK][BN];  // k, col
    const int tx = threadIdx.x;  // 0..COLS-1
    const int ty = threadIdx.y;  // 0..ROWS-1
    const int row0 = blockIdx.y * BM;  // of C, the block's first
    const int col0 = blockIdx.x * BN;
    float sum[TM][TN] = {};  // C[row0 + ty + r * ROWS][col0 + tx + c * COLS]
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 4  // loads under way at once
        for (int first = 0; first < BM * BK; first += ROWS * COLS) {
            const int i = first + ty * COLS + tx;  // 0..BM*BK-1
            const int row = i / BK, ak = i % BK;  // of As
            As[row][ak] = A[(row0 + row) * K + k0 + ak];
            const int bk = i / BN, col = i % BN;  // of Bs
            Bs[bk][col] = B[(k0 + bk) * N + col0 + col];
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM];  // a column of As
            float b[TN];  // a row of Bs
            for (int r = 0; r < TM; ++r) a[r] = As[ty + r * ROWS][k];
            for (int c = 0; c < TN; ++c) b[c] = Bs[k][tx + c * COLS];
            for (int r = 0; r < TM; ++r)
                for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < TM; ++r)
        for (int c = 0; c < TN; ++c) {
            const int row = row0 + ty + r * ROWS;  // of C
            const int col = col0 + tx + c * COLS;
            C[row * N + col] = sum[r][c];
        }
}

template <int TILE>
void launch_register_tile(const float* A, const float* B, float* C,
                          int M, int N, int K) {
    const int BM = TILE, BN = TILE;
    const int TM = thread_edge(TILE), TN = TM;
    const dim3 grid(N / BN, M / BM);
    const dim3 block(BN / TN, BM / TM);
    register_tile<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
