// 13 outer_product_unrolled: 12 without its loops
// Idea   unroll the 16 iterations: no counting, no branches, addresses known
//        beforehand
// Watch  nothing new: the accesses are those of 12, with fewer instructions between
//        them
// Next   14 outer_product_prefetch loads ahead
// Source "The Matrix Multiplication Example", Loop Unrolling
// [launch]
// built = {TILE = [16], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = 64, K = "TILE"}
// takes = {TILE = [8, 16, 32, 64], why_TILE = "its threads share out each tile evenly"}

template <int TILE, int PAD>
__global__ void outer_product_unrolled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = 64, BK = TILE;
    __shared__ float As[BM][BK + PAD];  // row, k
    constexpr int ROWS = BN / BK;  // loaded at once
    const int i = threadIdx.x;     // 0..BN-1
    const int x = i % BK, y = i / BK;  // of As
    const int row = blockIdx.y * BM;  // 1st, of C
    const int col = blockIdx.x * BN + i;  // of C
    float sum[BM] = {};  // C[row + r][col]
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int r = y; r < y + BM; r += ROWS)
            As[r][x] = A[(row + r) * K + k0 + x];
        __syncthreads();  // A's tile is written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float b = B[(k0 + k) * N + col];
            for (int r = 0; r < BM; ++r)
                sum[r] += As[r][k] * b;
        }
        __syncthreads();  // A's tile is read
    }
    for (int r = 0; r < BM; ++r)
        C[(row + r) * N + col] = sum[r];
}

template <int TILE, int PAD>
void launch_outer_product_unrolled(
    const float* A, const float* B, float* C,
    int M, int N, int K) {
    const int BM = TILE, BN = 64;
    const dim3 grid(N / BN, M / BM);
    outer_product_unrolled<TILE, PAD><<<grid, BN>>>(
        A, B, C, M, N, K);
}
