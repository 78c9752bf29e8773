// 05 guide_ab_shared: both tiles in shared memory
// Idea   B's tile is read once too, not once a row
// Watch  the barrier: a warp now reads rows of Bs that other warps wrote
// Next   06 single_block copies whole matrices
// Source "Shared Memory in Matrix Multiplication (C = AB)", listing 3
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// K_is_TILE = true
// multiples = {M = "TILE", N = "TILE"}

template <int TILE, int PAD>
__global__ void guide_ab_shared(
    const float* __restrict__ A,  // M x TILE
    const float* __restrict__ B,  // TILE x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float As[TILE][TILE + PAD];  // row, k
    __shared__ float Bs[TILE][TILE + PAD];  // k, col
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    As[ty][tx] = A[row * TILE + tx];
    Bs[ty][tx] = B[ty * N + col];
    __syncthreads();  // tiles are written
    for (int k = 0; k < TILE; ++k)
        sum += As[ty][k] * Bs[k][tx];
    C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_guide_ab_shared(const float* A, const float* B,
                            float* C, int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    guide_ab_shared<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
