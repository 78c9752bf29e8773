// 04 guide_a_shared: A's tile in shared memory
// Idea   read A once, along its rows, and share its values through shared
//        memory
// Watch  no block barrier: a warp reads only rows of As that it wrote itself
// Next   05 guide_ab_shared does the same for B
// Source "Shared Memory in Matrix Multiplication (C = AB)", listing 2
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// K_is_TILE = true
// multiples = {M = "TILE", N = "TILE"}
// takes.TILE = [1, 2, 4, 8, 16, 32]
// takes.why_TILE = "a row of its tile must belong to one warp"

template <int TILE, int PAD>
__global__ void guide_a_shared(
    const float* __restrict__ A,  // M x TILE
    const float* __restrict__ B,  // TILE x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    static_assert(32 % TILE == 0);  // row: one warp
    __shared__ float As[TILE][TILE + PAD];  // row, k
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    As[ty][tx] = A[row * TILE + tx];
    __syncwarp();  // the warp's rows are written
    for (int k = 0; k < TILE; ++k)
        sum += As[ty][k] * B[k * N + col];
    C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_guide_a_shared(const float* A, const float* B,
                           float* C, int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    guide_a_shared<TILE, PAD><<<grid, block>>>(
        A, B, C, M, N, K);
}
