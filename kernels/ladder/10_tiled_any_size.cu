// 10 tiled_any_size: tiles that reach over the edge
// Idea   what lies outside A and B counts as zero
// Watch  the edges: lanes outside load nothing, store a 0, compute, and do not
//        write C
// Next   11 tiled_dynamic: the tile set at launch
// Source "Memory Coalescing and Tiled Matrix Multiplication", rectangular
//        matrices
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}

template <int TILE, int PAD>
__global__ void tiled_any_size(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE + PAD];  // row, k
    __shared__ float Bs[TILE][TILE + PAD];  // k, col
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int ak = k0 + tx, bk = k0 + ty;
        float a = 0, b = 0;  // outside A, outside B
        if (row < M && ak < K) a = A[row * K + ak];
        if (bk < K && col < N) b = B[bk * N + col];
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_tiled_any_size(const float* A, const float* B,
                           float* C, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE,
                    (M + TILE - 1) / TILE);
    const dim3 block(TILE, TILE);
    tiled_any_size<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
