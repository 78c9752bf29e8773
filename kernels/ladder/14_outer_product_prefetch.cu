// 14 outer_product_prefetch: two buffers for A
// Idea   fill one buffer while the other is read
// Watch  one barrier a phase: none is between the loads of the next tile and the
//        compute
// Next   15 register_tile: tiles in registers, too
// Source "The Matrix Multiplication Example", Prefetching
// [launch]
// built = {TILE = [16], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = 64, K = "TILE"}
// takes = {TILE = [8, 16, 32, 64], why_TILE = "its threads share out each tile evenly"}

template <int TILE, int PAD>
__global__ void outer_product_prefetch(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int BM = TILE, BN = 64, BK = TILE;
    __shared__ float As[2][BM][BK + PAD];  // row, k
    constexpr int ROWS = BN / BK;  // loaded at once
    const int i = threadIdx.x;     // 0..BN-1
    const int x = i % BK, y = i / BK;  // of As[]
    const int row = blockIdx.y * BM;  // 1st, of C
    const int col = blockIdx.x * BN + i;  // of C
    float sum[BM] = {};  // C[row + r][col]
    float(*now)[BK + PAD] = As[0];
    float(*next)[BK + PAD] = As[1];
    for (int r = y; r < y + BM; r += ROWS)
        now[r][x] = A[(row + r) * K + x];
    __syncthreads();  // the first tile is written
    for (int k0 = 0; k0 < K; k0 += BK) {
        const int k1 = k0 + BK;  // of the next tile
        if (k1 < K)
            for (int r = y; r < y + BM; r += ROWS)
                next[r][x] = A[(row + r) * K + k1 + x];
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float b = B[(k0 + k) * N + col];
            for (int r = 0; r < BM; ++r)
                sum[r] += now[r][k] * b;
        }
        __syncthreads();  // this is read, next written
        float(*const used)[BK + PAD] = now;
        now = next;
        next = used;
    }
    for (int r = 0; r < BM; ++r)
        C[(row + r) * N + col] = sum[r];
}

template <int TILE, int PAD>
void launch_outer_product_prefetch(
    const float* A, const float* B, float* C,
    int M, int N, int K) {
    const int BM = TILE, BN = 64;
    const dim3 grid(N / BN, M / BM);
    outer_product_prefetch<TILE, PAD><<<grid, BN>>>(
        A, B, C, M, N, K);
}
