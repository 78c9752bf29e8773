// 98 forgets_first: wrong on purpose
// Idea   the first product of each sum is left out
// Watch  that it is recorded, and C counted as wrong
// Next   none
// Source "Adding a kernel", README

template <int TILE>
__global__ void forgets_first(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0;  // C[row][col]
    for (int k = 1; k < K; ++k)  // from 0 is right
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

template <int TILE>
void launch_forgets_first(const float* A, const float* B,
                          float* C, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE,
                    (M + TILE - 1) / TILE);
    forgets_first<TILE><<<grid, dim3(TILE, TILE)>>>(
        A, B, C, M, N, K);
}
