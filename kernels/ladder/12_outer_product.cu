// 12 outer_product: a thread, one column of 16 sums
// Idea   a column of A times a row of B adds to all
//        of a 16 x 64 tile of C, held in registers
// Watch  one shared read a multiply-add, not two: b
//        is read from B once and stays in a register
// Next   13 outer_product_unrolled: without loops
// Source "The Matrix Multiplication Example",
//        Computation Optimization
// Needs  M, K multiples of TILE, N of 64
// Takes  TILE 8, 16, 32 or 64: its threads share out
//        each tile evenly
// Built  TILE 16; PAD 0, 1, 2

template <int TILE, int PAD>
__global__ void outer_product(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE + PAD];  // row, k
    constexpr int ROWS = 64 / TILE;  // loaded at once
    const int i = threadIdx.x;       // 0..63
    const int x = i % TILE, y = i / TILE;  // of As
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * 64 + i;  // of C
    float sum[TILE] = {};  // C[row + r][col]
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int r = y; r < y + TILE; r += ROWS)
            As[r][x] = A[(row + r) * K + k0 + x];
        __syncthreads();  // A's tile is written
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * N + col];
            for (int r = 0; r < TILE; ++r)
                sum[r] += As[r][k] * b;
        }
        __syncthreads();  // A's tile is read
    }
    for (int r = 0; r < TILE; ++r)
        C[(row + r) * N + col] = sum[r];
}

template <int TILE, int PAD>
void launch_outer_product(const float* A, const float* B,
                          float* C, int M, int N, int K) {
    const dim3 grid(N / 64, M / TILE);
    const int block = 64;
    outer_product<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
