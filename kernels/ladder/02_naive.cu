// 02 naive: one thread, one element of C
// Idea   neighbouring threads, neighbouring columns
// Watch  one word of A is broadcast to the lanes of a row, B is
//        coalesced. Yet 0.25 FLOP a byte
// Next   03 guide_simple cuts the product in tiles
// Source "Memory Coalescing and Tiled Matrix Multiplication", snippet
//        1
// [launch]
// built = {TILE = [2, 4, 8, 16, 32]}

template <int TILE>
__global__ void naive(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    if (row < M && col < N) {
        float sum = 0;  // C[row][col]
        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

template <int TILE>
void launch_naive(const float* A, const float* B,
                  float* C, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE,
                    (M + TILE - 1) / TILE);
    const dim3 block(TILE, TILE);
    naive<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
