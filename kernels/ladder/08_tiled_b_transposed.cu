// 08 tiled_b_transposed: B's tile is transposed
// Idea   load B along rows, store the tile transposed
// Watch  the banks: Bs[tx][k] walks down a column. PAD 1 avoids all conflicts at
//        TILE 32, and at TILE 16 all but those of the store
// Next   09 tiled stores B's tile as it is
// Source "The Matrix Multiplication Example", Avoiding Shared Memory Bank
//        Conflict
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = "TILE", K = "TILE"}

template <int TILE, int PAD>
__global__ void tiled_b_transposed(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE];  // row, k
    __shared__ float Bs[TILE][TILE + PAD];  // col, k
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[tx][ty] = B[(k0 + ty) * N + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();  // tiles are read
    }
    C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_tiled_b_transposed(
    const float* A, const float* B, float* C,
    int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    tiled_b_transposed<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
