// 09 tiled: square tiles through shared memory
// Idea   a block loads each tile once, then every thread of it reads the tile TILE
//        times
// Watch  the barriers around the compute loop
// Next   10 tiled_any_size takes any M, N, K
// Source "Memory Coalescing and Tiled Matrix Multiplication", Tiled Version
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = "TILE", K = "TILE"}

template <int TILE, int PAD>
__global__ void tiled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE + PAD];  // row, k
    __shared__ float Bs[TILE][TILE + PAD];  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_tiled(const float* A, const float* B,
                  float* C, int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    tiled<TILE, PAD><<<grid, block>>>(A, B, C, M, N, K);
}
