// 14 outer_product_prefetch: two buffers for A
// Idea   fill one buffer while the other is read
// Watch  one barrier a phase: none is between the
//        loads of the next tile and the compute
// Next   15 register_tile: tiles in registers, too
// Source "The Matrix Multiplication Example",
//        Prefetching
// Needs  M, K multiples of TILE, N of 64
// Takes  TILE 8, 16, 32 or 64: its threads share out
//        each tile evenly
// Built  TILE 16; PAD 0, 1, 2

template <int TILE, int PAD>
__global__ void outer_product_prefetch(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[2][TILE][TILE + PAD];  // row, k
    constexpr int ROWS = 64 / TILE;  // loaded at once
    const int i = threadIdx.x;       // 0..63
    const int x = i % TILE, y = i / TILE;  // of As[]
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * 64 + i;  // of C
    float sum[TILE] = {};  // C[row + r][col]
    float(*now)[TILE + PAD] = As[0];
    float(*next)[TILE + PAD] = As[1];
    for (int r = y; r < y + TILE; r += ROWS)
        now[r][x] = A[(row + r) * K + x];
    __syncthreads();  // the first tile is written
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int k1 = k0 + TILE;  // of the next tile
        if (k1 < K)
            for (int r = y; r < y + TILE; r += ROWS)
                next[r][x] = A[(row + r) * K + k1 + x];
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * N + col];
            for (int r = 0; r < TILE; ++r)
                sum[r] += now[r][k] * b;
        }
        __syncthreads();  // this is read, next written
        float(*const used)[TILE + PAD] = now;
        now = next;
        next = used;
    }
    for (int r = 0; r < TILE; ++r)
        C[(row + r) * N + col] = sum[r];
}

template <int TILE, int PAD>
void launch_outer_product_prefetch(
    const float* A, const float* B, float* C,
    int M, int N, int K) {
    const dim3 grid(N / 64, M / TILE);
    const int block = 64;
    outer_product_prefetch<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
