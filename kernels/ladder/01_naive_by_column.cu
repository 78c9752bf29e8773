// 01 naive_by_column: one thread, one element of C
// Idea   neighbouring threads, neighbouring rows
// Watch  a warp walks down a column of A: each lane moves a 32-byte
//        sector to use 4 bytes of it
// Next   02 naive swaps the roles of x and y
// Source "Memory Coalescing and Tiled Matrix Multiplication", snippet
//        2
// [launch]
// built = {TILE = [2, 4, 8, 16, 32]}

template <int TILE>
__global__ void naive_by_column(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.x * TILE + tx;  // of C
    const int col = blockIdx.y * TILE + ty;  // of C
    if (row < M && col < N) {
        float sum = 0;  // C[row][col]
        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

template <int TILE>
void launch_naive_by_column(const float* A, const float* B,
                            float* C, int M, int N, int K) {
    const dim3 grid((M + TILE - 1) / TILE,
                    (N + TILE - 1) / TILE);
    const dim3 block(TILE, TILE);
    naive_by_column<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
