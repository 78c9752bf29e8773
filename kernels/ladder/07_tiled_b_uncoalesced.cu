// 07 tiled_b_uncoalesced: B's tile, column by column
// Idea   tiles for any multiple of TILE; tx runs down B, as ty would in 09 tiled
// Watch  the load of B: each lane of a row is N words from the next, a sector
//        each
// Next   08 tiled_b_transposed loads B along rows
// Source "The Matrix Multiplication Example", Increasing "Computation-to-Memory
//        Ratio"
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = "TILE", K = "TILE"}

template <int TILE, int PAD>
__global__ void tiled_b_uncoalesced(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE + PAD];  // row, k
    __shared__ float Bs[TILE][TILE + PAD];  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col0 = blockIdx.x * TILE;  // tile's 1st
    float sum = 0;  // C[row][col0 + tx]
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[tx][ty] = B[(k0 + tx) * N + col0 + ty];
        __syncthreads();  // tiles are written
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // tiles are read
    }
    C[row * N + col0 + tx] = sum;
}

template <int TILE, int PAD>
void launch_tiled_b_uncoalesced(
    const float* A, const float* B, float* C,
    int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    tiled_b_uncoalesced<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
